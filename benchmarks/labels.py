"""The threshold sweep and leave-one-team-out in one pass, beside a naive loop over files.

The loop is what one would write around any evaluation tool: for each setting, or each team left
out, rewrite the labels, look them up again and score everything again. Both give the same
numbers (tests/test_reusability.py); the loop has our own fast reader and measures, so the ratio is
that of the method alone.
"""

import csv
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.timing import DATA, interleaved, rounds_of, show
from pipeline.config.dimensions import Sweep
from pipeline.config.pool import Plan
from pipeline.config.runs import Teams
from pipeline.config.scale import Scale
from pipeline.gains.files import read as read_gains
from pipeline.judging.reusability import reuse, units_of
from pipeline.judging.sweep import settings, sweep
from pipeline.labels import tables as labels
from pipeline.measures import parse
from pipeline.pooling.candidates import find, pooled
from pipeline.runs import rankings
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies
from pipeline.runs.teams import teams_of
from pipeline.storage import arrow
from tests.builders import write_gains

MEASURES = ("RBP(p=0.8)", "uRBP(p=0.8)", "P@10", "nDCG@10")
SCALES = {
    "topicality": Scale(0, 2, "high", 1, None, ()),
    "understandability": Scale(0, 3, "high", 2, {0: 0, 1: 0.4, 2: 0.8, 3: 1}, ()),
}
FILES = {"topicality": "qrels", "understandability": "qread"}
TEAM = "^([^_]+)_"
PLAN = Plan(method="depth", depth=10, runs=r"(?i)run\.[123]\.dat$")


class Campaign:
    """CLEF 2015 up to its gains."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.rankings = folder, folder / "rankings.parquet"
        files = sorted((DATA / "clef2015/runs").glob("*.gz"))
        rank(files, policies=RunPolicies(), out=self.rankings, facts=folder / "f")
        self.qrels = {
            name: DATA / f"clef2015/qrels/{file}.eng.clef2015.qtest.graded.txt"
            for name, file in FILES.items()
        }
        labels.tabulate([self.qrels["topicality"]], out=folder / "t", scale=SCALES["topicality"])
        self.topics = labels.topics_of(folder / "t")
        self.gains = {name: self.look_up(name, SCALES[name]) for name in SCALES}

    def look_up(self, name: str, scale: Scale, *, qrels: Path | None = None, to: str = "") -> Path:
        """Label and look up one dimension."""
        table, out = self.folder / f"{name}{to}.parquet", self.folder / f"{name}{to}.npz"
        labels.tabulate([qrels or self.qrels[name]], out=table, scale=scale)
        write_gains(self.rankings, labels=table, topics=self.topics, out=out)
        return out

    def score(self, gains: dict[str, Path]) -> None:
        """Score every measure."""
        for name in MEASURES:
            measure = parse(name, dimensions=list(gains))
            measure.value(read_gains({n: gains[n] for n in measure.dimensions}))

    def sweep(self) -> None:
        swept = {n: Sweep(scale=s, thresholds=None, gains=None) for n, s in SCALES.items()}
        out = self.folder / "sweep.csv"
        sweep(read_gains(self.gains), measures=MEASURES, dimensions=swept, out=out)

    def naive_sweep(self) -> None:
        for name, scale in SCALES.items():
            known = arrow.read(self.folder / f"{name}.parquet")["label"].to_pylist()
            swept = Sweep(scale=scale, thresholds=None, gains=None)
            for setting in settings(swept, labels=np.unique(known)):
                again = self.look_up(name, setting.scale, to=" again")
                self.score({**self.gains, name: again})

    def teams(self) -> dict[str, str]:
        runs = rankings.read(self.rankings, topics=self.topics).runs
        return teams_of(dict.fromkeys(runs), given=Teams(name=TEAM))

    def leave_out(self) -> None:
        reuse(
            read_gains(self.gains), rankings=rankings.read(self.rankings, topics=self.topics),
            measures=MEASURES, labelled=list(SCALES),
            kinds=["team"], plan=PLAN, reach=PLAN.depth, teams=self.teams(), unjudged="zero",
            out=self.folder / "runs.csv", summary=self.folder / "summary.csv",
        )  # fmt: skip

    def naive_leave_out(self) -> None:
        """Scores alone; `leave_out` also has bounds and condensed lists."""
        ranked = rankings.read(self.rankings, topics=self.topics)
        giving = pooled(ranked.runs, plan=PLAN, teams=self.teams())
        units = units_of("team", runs=ranked.runs, pooled_runs=giving, teams=self.teams())
        names = ranked.documents.to_pylist()
        for unit in range(len(units.names)):
            mine = [run for run in giving if units.of[run] == unit]
            others = [run for run in giving if units.of[run] != unit]
            own, rest = (find(ranked, runs=runs, depth=10) for runs in (mine, others))
            lost = set(own.pair.tolist()) - set(rest.pair.tolist())
            gone = {(self.topics[p // len(names)], names[p % len(names)]) for p in lost}
            again = {}
            for name, path in self.qrels.items():
                lines = path.read_text().splitlines()
                kept = [line for line in lines if tuple(line.split()[::2]) not in gone]
                (self.folder / "kept").write_text("\n".join(kept))
                again[name] = self.look_up(
                    name, SCALES[name], qrels=self.folder / "kept", to=" again"
                )
            self.score(again)


def main(*, quick: bool = False) -> None:
    """Print both ratios."""
    if not DATA.is_dir():
        print("sweep and leave-one-out: need the real data in ../shared/data; skipped")
        return
    with tempfile.TemporaryDirectory() as folder:
        campaign = Campaign(Path(folder))
        seconds = interleaved(
            {"one pass": campaign.sweep, "loop over settings": campaign.naive_sweep},
            rounds=rounds_of(quick),
        )
        campaign.sweep()
        with (campaign.folder / "sweep.csv").open(newline="") as file:
            rows = sum(1 for _ in csv.DictReader(file))
        show(f"clef2015 threshold sweep: 68 runs, {rows} rows", seconds, base="one pass")
        seconds = interleaved(
            {"one pass": campaign.leave_out, "loop over teams": campaign.naive_leave_out},
            rounds=rounds_of(quick),
        )
        show("clef2015 leave-one-team-out: 68 runs, 11 teams", seconds, base="one pass")
