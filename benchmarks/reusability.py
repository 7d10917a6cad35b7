"""Every team left out of the pool in turn, beside the loop one writes first.

The loop takes away the judgements that only one team contributed to the pool, and pytrec_eval
scores all runs again. It has runs and judgements in memory and gives the means alone; ours reads
its files, and writes ranks, residuals and all of it on condensed lists, too.
The two must find the same means.
"""

import csv
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytrec_eval

from benchmarks.generated import LEVELS, Size, write
from benchmarks.timing import interleaved, rounds_of, show
from pipeline.config.pool import Plan
from pipeline.config.scale import Scale
from pipeline.gains import step
from pipeline.gains.files import read as read_gains
from pipeline.judging.reusability import reuse
from pipeline.labels.tables import tabulate
from pipeline.runs.rank import rank
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.reader import RunPolicies

DEPTH = 20  # of the pool
MEASURES = {"AP": "map", "nDCG@10": "ndcg_cut.10", "P@10": "P.10"}
PLAN = Plan(method="depth", depth=DEPTH)
Scores = dict[str, dict[str, float]]


class Campaign:
    """A generated campaign: its files for us, its dicts for the loop."""

    def __init__(self, folder: Path, size: Size) -> None:
        write(folder, size)
        self.folder = folder
        files = sorted((folder / "runs").iterdir())
        self.topics = [str(number) for number in range(size.topics)]
        rank(
            files, policies=RunPolicies(depth=size.depth), out=folder / "r.parquet",
            facts=folder / "f.json",
        )  # fmt: skip
        scale = Scale(0, LEVELS - 1, "high", 1, None, cannot_judge=())
        tabulate([folder / "topicality.qrels"], out=folder / "l.parquet", scale=scale)
        step.write(
            rankings=folder / "r.parquet", labels={"g": folder / "l.parquet"}, topics=self.topics,
            out=folder,
        )  # fmt: skip
        self.teams = {path.name: path.name.partition("_")[0] for path in files}
        self.qrels: dict[str, dict[str, int]] = {}
        for line in (folder / "topicality.qrels").read_text().splitlines():
            topic, _, document, value = line.split()
            self.qrels.setdefault(topic, {})[document] = int(value)
        self.runs: dict[str, Scores] = {}
        for path in files:
            mine: Scores = self.runs.setdefault(path.name, {})
            for line in path.read_text().splitlines():
                topic, _, document, _, score, _ = line.split()
                mine.setdefault(topic, {})[document] = float(score)

    def ours(self) -> list[dict[str, str]]:
        reuse(
            read_gains({"topicality": self.folder / "g.npz"}),
            rankings=read_rankings(self.folder / "r.parquet", topics=self.topics),
            measures=list(MEASURES), labelled=["topicality"], kinds=["team"], plan=PLAN,
            reach=DEPTH, teams=self.teams, unjudged="zero", out=self.folder / "out.csv",
            summary=self.folder / "summary.csv",
        )  # fmt: skip
        with (self.folder / "out.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def loop(self) -> dict[tuple[str, str], float]:
        """The mean of each run of each team under each measure, its team left out."""
        givers: dict[tuple[str, str], set[str]] = {}
        for run, lists in self.runs.items():
            for topic, scores in lists.items():
                for document in list(scores)[:DEPTH]:
                    givers.setdefault((topic, document), set()).add(self.teams[run])
        found = {}
        for team in dict.fromkeys(self.teams.values()):
            kept = {
                topic: {d: v for d, v in judged.items() if givers.get((topic, d)) != {team}}
                for topic, judged in self.qrels.items()
            }
            evaluator = pytrec_eval.RelevanceEvaluator(kept, set(MEASURES.values()))
            for run, lists in self.runs.items():  # all of them: the ranking is asked for, too
                means = _means(evaluator.evaluate(lists))
                if self.teams[run] == team:
                    found |= {(run, name): value for name, value in means.items()}
        return found


def _means(scored: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {
        ours: float(np.mean([values[theirs.replace(".", "_")] for values in scored.values()]))
        for ours, theirs in MEASURES.items()
    }


def main(*, quick: bool = False) -> None:
    size = Size(runs=20 if quick else 100, topics=10 if quick else 50, dimensions=1)
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder), size)
        expected = campaign.loop()
        told = {(row["run"], row["measure"]): float(row["value_out"]) for row in campaign.ours()}
        assert told.keys() == expected.keys()
        assert max(abs(told[key] - expected[key]) for key in told) < 1e-6
        seconds = interleaved(
            {"Fathom": campaign.ours, "pytrec_eval, a team and run a time": campaign.loop},
            rounds=rounds_of(quick),
        )
        title = f"reusability: {size.runs} runs, {size.topics} topics, 3 measures, team by team"
        show(title, seconds, base="Fathom")
