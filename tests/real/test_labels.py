"""The campaigns' own binary files come out of our reading of the graded ones."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.config.dimensions import Sweep
from pipeline.config.scale import Scale
from pipeline.gains.files import read as read_gains
from pipeline.judging.reusability import reuse
from pipeline.judging.sweep import sweep
from pipeline.labels import tables as labels
from pipeline.labels.qrels import read_qrels
from pipeline.measures import parse
from pipeline.runs import rankings
from pipeline.runs.rank import rank
from pipeline.runs.reader import RunPolicies
from pipeline.storage import arrow
from tests.builders import Small, teams_in, write_gains
from tests.pooling.test_pooling import PLAIN

pytestmark = pytest.mark.real

TOPICAL = Scale(0, 2, "high", 1, None, ())
EASY = Scale(0, 3, "high", 2, {0: 0, 1: 0.4, 2: 0.8, 3: 1}, ())
HARD = Scale(0, 100, "low", 40, None, ())
Q13 = "clef2013/qrels/qrels.clef2013ehealth.1-50-test.{}.final.20062013.txt"
Q15, U15 = (f"clef2015/qrels/{name}.eng.clef2015.qtest.{{}}.txt" for name in ("qrels", "qread"))


def binary_qrels(path: Path, *, out: Path, scale: Scale) -> None:
    """The label file line for line, with binary labels, without those that nobody could judge."""
    qrels = read_qrels(path)
    content = path.read_bytes().split(b"\n")
    with out.open("wb") as file:
        for number, value in zip(qrels.line, scale.binary(qrels.label).tolist(), strict=True):
            if value == value:
                line = content[number - 1].rstrip()
                file.write(line[: len(line) - len(line.split()[-1])] + b"%d\n" % value)


@pytest.mark.parametrize(
    ("pattern", "scale", "lines"),
    [
        (Q15, TOPICAL, 8713),
        (U15, EASY, 8713),
        (Q13, Scale(0, 3, "high", 2, None, ()), 6391),
    ],
)
def test_binary_files_line_for_line(
    data: Path, tmp_path: Path, pattern: str, scale: Scale, lines: int
) -> None:
    out = tmp_path / "binary.txt"
    binary_qrels(data / pattern.format("graded"), out=out, scale=scale)
    official = (data / pattern.format("bin")).read_bytes()
    assert out.read_bytes().count(b"\n") == lines
    assert out.read_bytes() == official


@pytest.mark.parametrize("threshold", [0, 1, 3])
def test_another_threshold_gives_another_file(data: Path, tmp_path: Path, threshold: int) -> None:
    scale = replace(EASY, threshold=threshold)
    binary_qrels(data / U15.format("graded"), out=tmp_path / "b", scale=scale)
    assert (tmp_path / "b").read_bytes() != (data / U15.format("bin")).read_bytes()


def test_2016_counts_what_is_40_or_easier(data: Path, tmp_path: Path) -> None:
    path = data / "clef2016/qrels/task2.qunder"
    binary_qrels(path, out=tmp_path / "b", scale=HARD)
    given = [line.split() for line in path.read_text().splitlines()]
    made = [line.split() for line in (tmp_path / "b").read_text().splitlines()]
    assert [line[:3] for line in made] == [line[:3] for line in given]
    assert [line[3] for line in made] == [str(int(int(line[3]) <= 40)) for line in given]
    assert sum(line[3] == "1" for line in made) == 11224


def test_a_code_for_cannot_judge_is_never_the_best_grade(data: Path, tmp_path: Path) -> None:
    """As CLEF 2021 marks credibility: 3 behind a scale of 0 to 2."""
    scale = Scale(0, 2, "high", 1, None, (3,))
    labels.tabulate([data / U15.format("graded")], out=tmp_path / "l", scale=scale)
    table = arrow.read(tmp_path / "l").to_pydict()
    label, gain = np.array(table["label"]), np.array(table["gain"])
    assert (label == 3).sum() > 2000
    assert np.isnan(gain[label == 3]).all()
    assert np.isnan(np.array(table["binary"])[label == 3]).all()
    binary_qrels(data / U15.format("graded"), out=tmp_path / "b", scale=scale)
    assert len((tmp_path / "b").read_text().splitlines()) == (label != 3).sum()


# ---- what other judgements would have made of the real rankings ------------------------------


@pytest.fixture(scope="module")
def clef2015(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Small:
    folder = tmp_path_factory.mktemp("clef2015")
    files = sorted((data / "clef2015/runs").glob("*.gz"))
    rank(files, policies=RunPolicies(), out=folder / "r", facts=folder / "f")
    tables, gains = {}, {}
    for name, (pattern, scale) in {
        "topicality": (Q15, TOPICAL), "understandability": (U15, EASY),
    }.items():  # fmt: skip
        tables[name], gains[name] = folder / f"{name}.parquet", folder / f"{name}.npz"
        labels.tabulate([data / pattern.format("graded")], out=tables[name], scale=scale)
    topics = labels.topics_of(tables["topicality"])
    for name in gains:
        write_gains(folder / "r", labels=tables[name], topics=topics, out=gains[name])
    return Small(folder, folder / "r", [folder / "f"], tables, gains, topics)


@pytest.mark.slow
def test_the_sweep_finds_the_published_ranking_and_moves_from_it(clef2015: Small) -> None:
    swept = {
        name: Sweep(scale=scale, thresholds=None, gains=None)
        for name, scale in (("topicality", TOPICAL), ("understandability", EASY))
    }
    measures = ["RBP(p=0.8)", "uRBP(p=0.8)", "uRBPgr(p=0.8)", "nDCG@10"]
    out = clef2015.folder / "sweep.csv"
    sweep(clef2015.read(), measures=measures, dimensions=swept, out=out)
    rows = {
        (r["dimension"], r["kind"], r["setting"], r["measure"]): r
        for r in csv.DictReader(out.open(newline=""))
    }
    chosen = [r for r in rows.values() if r["chosen"] == "1"]
    assert chosen
    assert all(float(r["tau_b"]) == 1 and r["top10_changes"] == "0" for r in chosen)
    strict = rows["understandability", "threshold", ">= 3", "uRBP(p=0.8)"]
    assert float(strict["tau_b"]) == pytest.approx(0.847778, abs=1e-6)
    binary = rows["understandability", "gains", "binary", "uRBPgr(p=0.8)"]
    assert float(binary["mean"]) == float(
        rows["understandability", "threshold", ">= 2", "uRBP(p=0.8)"]["mean"]
    )


@pytest.mark.slow
def test_leaving_a_real_team_out_is_as_taking_its_labels_away(clef2015: Small) -> None:
    folder, team = clef2015.folder, "GRIUM"
    plan = PLAIN.model_copy(update={"depth": 10, "runs": r"(?i)run\.[123]\.dat$"})
    measures = ["RBP(p=0.8)", "AP", "nDCG@10"]
    reuse(
        read_gains({"topicality": clef2015.gains["topicality"]}),
        rankings=rankings.read(clef2015.rankings, topics=clef2015.topics),
        measures=measures, labelled=["topicality"], kinds=["team"], plan=plan, reach=10,
        teams=teams_in(clef2015.rankings), unjudged="zero",
        out=folder / "runs.csv", summary=folder / "s.csv",
    )  # fmt: skip
    rows = [
        r for r in csv.DictReader((folder / "runs.csv").open(newline="")) if r["left_out"] == team
    ]
    ranked = rankings.read(clef2015.rankings, topics=clef2015.topics)
    names = ranked.documents.to_pylist()
    import re

    tops = [
        (ranked.runs[row // 66], clef2015.topics[row % 66], {names[d] for d in top if d >= 0})
        for row, top in enumerate(ranked.number[:, :10].tolist())
        if re.search(plan.runs or "", ranked.runs[row // 66])
    ]
    others = {(t, d) for run, t, found in tops if not run.startswith(team) for d in found}
    lost = {(t, d) for run, t, found in tops if run.startswith(team) for d in found} - others
    table = arrow.read(clef2015.labels["topicality"]).to_pydict()
    kept = [
        i
        for i, k in enumerate(zip(table["topic"], table["document"], strict=True))
        if k not in lost
    ]
    assert len(table["topic"]) - len(kept) == int(rows[0]["unique_judged"]) > 0
    lines = [f"{table['topic'][i]} 0 {table['document'][i]} {table['label'][i]}\n" for i in kept]
    (folder / "kept.qrels").write_text("".join(lines))
    labels.tabulate([folder / "kept.qrels"], out=folder / "kept", scale=TOPICAL)
    write_gains(
        clef2015.rankings, labels=folder / "kept", topics=clef2015.topics,
        out=folder / "kept.npz",
    )  # fmt: skip
    again = replace(clef2015, gains={"topicality": folder / "kept.npz"}).read()
    for row in rows:
        value = parse(row["measure"], dimensions=["topicality"]).value(again)
        mean = value.reshape(len(again.runs), -1).mean(axis=1)
        place = again.runs.index(row["run"])
        assert float(row["value_out"]) == pytest.approx(mean[place], abs=1e-6)
        assert int(row["rank_out"]) == 1 + int((mean > mean[place]).sum())
    assert {row["measure"] for row in rows} == set(measures)
