"""Leaving teams and runs out, and sweeping thresholds, against doing it file by file."""

import csv
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.config.dimensions import Sweep
from pipeline.config.scale import Scale
from pipeline.judging.rescoring import compare
from pipeline.judging.reusability import reuse, units_of
from pipeline.judging.sweep import settings, sweep
from pipeline.pooling.declaration import METHODS
from pipeline.runs.rankings import Rankings
from pipeline.runs.rankings import read as read_rankings
from pipeline.statistics.correlation.statistics.pairs import tau_b
from tests.builders import Judged, Small, campaign, run_text, score, teams_in
from tests.pooling.test_pooling import PLAIN

MEASURES = [
    "RBP(p=0.8)", "P@3", "AP", "nDCG@4", "nDCG", "RR", "uRBP(p=0.8)", "unDCG@4", "Bpref",
    "H(RBP(p=0.8), topicality=1, understandability=1)",
]  # fmt: skip
TEAM = "^([^_]+)_"
TOPICAL = Scale(0, 2, "high", 1, None, ())
EASY = Scale(0, 100, "low", 40, None, ())
TOPICS, DOCUMENTS = [f"t{t}" for t in range(6)], [f"d{d}" for d in range(25)]


def made(folder: Path, **labels: dict[str, dict[str, float]]) -> Small:
    """Seven runs of three teams; labels as given, or drawn for most of what is pooled."""
    chance = random.Random(11)
    rankings = {
        f"{team}_{n}": {t: chance.sample(DOCUMENTS, 12) for t in chance.sample(TOPICS, 5)}
        for team, n in ("a1", "a2", "a3", "b1", "b2", "c1", "c2")
    }
    files = {
        run: "".join(
            f"{t} Q0 {d} 1 {-r} x\n" for t, found in topics.items() for r, d in enumerate(found)
        )
        for run, topics in rankings.items()
    }
    drawn = {
        name: {t: {d: chance.choice(grades) for d in chance.sample(DOCUMENTS, 17)} for t in TOPICS}
        for name, grades in (("topicality", [0, 0, 1, 2]), ("understandability", [0, 20, 50, 90]))
    }
    judged = {
        "topicality": Judged(labels.get("topicality", drawn["topicality"]), TOPICAL),
        "understandability": Judged(
            labels.get("understandability", drawn["understandability"]), EASY
        ),
    }
    return campaign(folder, files, judged, topics=TOPICS)


def left_out(small: Small, folder: Path, *, unjudged: str = "zero", **plan: object) -> list[dict]:
    given = PLAIN.model_copy(update={"depth": 4, **plan})
    reuse(
        small.read(), rankings=ranked(small), measures=MEASURES,
        labelled=["topicality", "understandability"], kinds=["team", "run"],
        plan=given, reach=METHODS[given.method].reach(given),
        teams=teams_in(small.rankings, TEAM), unjudged=unjudged,
        out=folder / "runs.csv", summary=folder / "summary.csv",
    )  # fmt: skip
    return list(csv.DictReader((folder / "runs.csv").open(newline="")))


def ranked(small: Small) -> Rankings:
    return read_rankings(small.rankings, topics=small.read().topics)


def lists_of(small: Small) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for path in (small.folder / "runs").iterdir():
        for line in path.read_text().splitlines():
            topic, _, document, *_ = line.split()
            found.setdefault(path.name, {}).setdefault(topic, []).append(document)
    return found


def without(small: Small, members: set[str], rankings: dict) -> dict[str, dict[str, dict]]:
    """The label files without what only these runs gave to the pool of depth 4."""
    alone = {
        (topic, d)
        for run in members
        for topic, found in rankings[run].items()
        for d in found[:4]
        if not any(d in rankings[r].get(topic, [])[:4] for r in rankings if r not in members)
    }
    kept: dict[str, dict[str, dict]] = {}
    for name in small.labels:
        for line in (small.folder / f"{name}.qrels").read_text().splitlines():
            topic, _, document, label = line.split()
            if (topic, document) not in alone:
                kept.setdefault(name, {}).setdefault(topic, {})[document] = float(label)
    return kept


@pytest.mark.parametrize("unjudged", ["zero", "condensed"])
def test_as_rewriting_the_label_files_and_starting_again(tmp_path: Path, unjudged: str) -> None:
    small = made(tmp_path)
    rows = left_out(small, tmp_path, unjudged=unjudged)
    rankings = lists_of(small)
    units = {("team", t): {r for r in rankings if r.startswith(t)} for t in "abc"}
    units |= {("run", r): {r} for r in rankings}
    compared = 0
    for (kind, name), members in units.items():
        again = made(tmp_path / name, **without(small, members, rankings))
        plain, short = again.read(unjudged=unjudged), again.read(unjudged="condensed")
        for measure in MEASURES:
            scores = score(measure, plain)
            value = scores.value.reshape(len(plain.runs), -1).mean(axis=1)
            squeezed = score(measure, short).value.reshape(len(plain.runs), -1).mean(axis=1)
            bounds = score(measure, again.read())
            width = bounds.unjudged.reshape(len(plain.runs), -1).mean(axis=1)
            for row in rows:
                if (row["kind"], row["left_out"], row["measure"]) == (kind, name, measure):
                    i = plain.runs.index(row["run"])
                    assert float(row["value_out"]) == pytest.approx(value[i], abs=1e-6)
                    assert int(row["rank_out"]) == 1 + int((value > value[i] + 1e-12).sum())
                    assert float(row["condensed_out"]) == pytest.approx(squeezed[i], abs=1e-6)
                    assert float(row["residual_out"]) == pytest.approx(width[i], abs=1e-6)
                    compared += 1
    assert compared == len(rows) == len(MEASURES) * 2 * 7
    assert any(row["value"] != row["value_out"] for row in rows)


def test_the_summary_is_of_the_rows(tmp_path: Path) -> None:
    rows = left_out(made(tmp_path), tmp_path)
    for total in csv.DictReader((tmp_path / "summary.csv").open(newline="")):
        mine = [r for r in rows if (r["kind"], r["measure"]) == (total["kind"], total["measure"])]
        change = [float(row["value_out"]) - float(row["value"]) for row in mine]
        moved = [abs(int(row["rank_out"]) - int(row["rank"])) for row in mine]
        assert float(total["mean_change"]) == pytest.approx(np.mean(change), abs=2e-6)
        assert abs(float(total["largest_change"])) == pytest.approx(max(map(abs, change)), abs=2e-6)
        assert int(total["largest_rank_change"]) == max(moved)
        assert int(total["left_out"]) == (3 if total["kind"] == "team" else 7)


def test_a_team_without_a_pooled_run_is_not_left_out(tmp_path: Path) -> None:
    rows = left_out(made(tmp_path), tmp_path, runs="^[ab]")
    assert {row["left_out"] for row in rows if row["kind"] == "team"} == {"a", "b"}


def test_a_topic_with_one_judged_document(tmp_path: Path) -> None:
    one = {t: {"d1": 1.0} for t in TOPICS}
    rows = left_out(made(tmp_path, topicality=one, understandability=one), tmp_path)
    assert len(rows) == len(MEASURES) * 14
    assert all(0 <= float(row["value_out"]) <= float(row["value"]) for row in rows)


def test_what_a_run_without_a_team_also_gave_is_no_teams_alone(tmp_path: Path) -> None:
    """a_1 found p and q, and nobody's run p too: with team a left out only q becomes unjudged."""
    files = {
        "a_1": run_text({"1": {"p": 2.0, "q": 1.0}}),
        "nobody": run_text({"1": {"p": 1.0}}),
    }
    small = campaign(tmp_path, files, {"topicality": Judged({"1": {"p": 1, "q": 1}})})
    reuse(
        small.read(), rankings=ranked(small), measures=["P@2"], labelled=["topicality"],
        kinds=["team"], plan=PLAIN.model_copy(update={"depth": 2}), reach=2,
        teams={"a_1": "a", "nobody": ""}, unjudged="zero",
        out=tmp_path / "runs.csv", summary=tmp_path / "summary.csv",
    )  # fmt: skip
    (row,) = csv.DictReader((tmp_path / "runs.csv").open(newline=""))
    assert (row["left_out"], row["run"]) == ("a", "a_1")
    assert (float(row["value"]), float(row["value_out"])) == (1.0, 0.5)
    assert row["unique_judged"] == "1"


def test_a_single_run_is_left_out_on_every_topic(tmp_path: Path) -> None:
    """With a measure that looks at all that was judged; what it alone brought in is half of it."""
    rankings = {topic: {"p": 2.0, "q": 1.0} for topic in ("1", "2")}
    judged = Judged({topic: {"p": 1, "q": 1, "r": 1} for topic in rankings})
    small = campaign(tmp_path, {"a_1": run_text(rankings)}, {"topicality": judged})
    reuse(
        small.read(), rankings=ranked(small), measures=["AP"], labelled=["topicality"],
        kinds=["run"], plan=PLAIN.model_copy(update={"depth": 1}), reach=1, teams={"a_1": "a"},
        unjudged="zero", out=tmp_path / "runs.csv", summary=tmp_path / "summary.csv",
    )  # fmt: skip
    (row,) = csv.DictReader((tmp_path / "runs.csv").open(newline=""))
    assert (row["value"], row["value_out"]) == ("0.666667", "0.250000")


def test_units_in_blocks_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few units, ranks and judgements are scored at once."""
    small = made(tmp_path)
    left_out(small, tmp_path)
    whole = (tmp_path / "runs.csv").read_bytes(), (tmp_path / "summary.csv").read_bytes()
    for name, most in (("MAX_VALUES", 1), ("MAX_VALUES", 1000), ("MAX_CELLS", 30)):
        monkeypatch.setattr(f"pipeline.judging.leaving_out.{name}", most)
        left_out(small, tmp_path)
        assert whole == ((tmp_path / "runs.csv").read_bytes(),
                         (tmp_path / "summary.csv").read_bytes())  # fmt: skip


def test_a_run_without_a_team_is_not_left_out_as_one(tmp_path: Path) -> None:
    units = units_of(
        "team", runs=["a", "b", "c"], pooled_runs=[0, 1, 2], teams={"a": "x", "b": "", "c": "x"}
    )
    assert (units.names, units.of.tolist()) == (["x"], [0, -1, 0])


# ---- the sweep ------------------------------------------------------------------------


def swept(small: Small, out: Path, **dimensions: Sweep) -> list[dict[str, str]]:
    sweep(small.read(), measures=MEASURES, dimensions=dimensions, out=out)
    return list(csv.DictReader(out.open(newline="")))


def plain(scale: Scale) -> Sweep:
    return Sweep(scale=scale, thresholds=None, gains=None)


def test_the_sweep_is_as_labelling_anew(tmp_path: Path) -> None:
    small = made(tmp_path)
    scales = {"topicality": TOPICAL, "understandability": EASY}
    rows = swept(small, tmp_path / "s.csv", **{n: plain(s) for n, s in scales.items()})
    given = {n: Judged(without(small, set(), lists_of(small))[n], s) for n, s in scales.items()}
    base = small.read()
    files = {p.name: p.read_text() for p in (small.folder / "runs").iterdir()}
    compared = set()
    for row in rows:
        scale = scales[row["dimension"]]
        if row["kind"] == "threshold":
            scale = replace(scale, threshold=float(row["setting"].split()[1]))
        elif row["setting"] == "binary":
            grades = [0, 1, 2] if row["dimension"] == "topicality" else [0, 20, 50, 90]
            scale = replace(scale, gains={g: float(scale.binary(np.array([g]))[0]) for g in grades})
        elif row["setting"] == "exponential":
            assert row["dimension"] == "topicality"
            scale = replace(scale, gains={0: 0, 1: 1 / 3, 2: 1})
        judged = {**given, row["dimension"]: replace(given[row["dimension"]], scale=scale)}
        again = campaign(tmp_path / "again", files, judged, topics=TOPICS).read()
        before, after = (
            score(row["measure"], data).value.reshape(7, -1).mean(axis=1) for data in (base, again)
        )
        assert float(row["mean"]) == pytest.approx(after.mean(), abs=1e-6), row
        tau = tau_b(before, after)
        assert row["tau_b"] == ("" if np.isnan(tau) else f"{tau:.6f}"), row
        assert row["leader"] == base.runs[int(np.argmax(after))]
        if row["chosen"] == "1":
            assert (row["top10_changes"], row["largest_move"]) == ("0", "0")
            group_ideals = "" if np.isnan(tau) else "1.000000"
            assert (row["tau_b"], row["tau_ap_b"]) == (group_ideals, group_ideals)
        compared.add((row["dimension"], row["kind"], row["setting"]))
    assert len(compared) == 2 + 3 + 5  # nothing here reads understandability's gains


def test_a_ranking_with_ties_agrees_with_itself() -> None:
    scores = np.array([0.3, 0.5, 0.1, 0.5, 0.3, 0.3])
    found = compare(scores, scores, runs=list("abcdef"))
    assert (found["tau_b"], found["tau_ap_b"]) == ("1.000000", "1.000000")
    assert (found["top10_changes"], found["largest_move"]) == (0, 0)


def test_what_is_tried() -> None:
    names = [(s.kind, s.name, s.chosen) for s in settings(plain(TOPICAL), labels=np.arange(3.0))]
    assert names == [
        ("threshold", ">= 1", True), ("threshold", ">= 2", False),
        ("gains", "linear", True), ("gains", "binary", False), ("gains", "exponential", False),
    ]  # fmt: skip
    many = settings(plain(EASY), labels=np.arange(101.0))
    assert [s.name for s in many if s.kind == "threshold"] == [f"<= {t}" for t in range(0, 100, 10)]
    assert [s.name for s in many if s.chosen] == ["<= 40", "linear"]


def test_given_thresholds_and_maps_are_tried_beside_the_chosen() -> None:
    mapped = replace(TOPICAL, gains={0: 0, 1: 0.4, 2: 1})
    given = Sweep(scale=mapped, thresholds=(2.0,), gains=({0: 0, 1: 0.9, 2: 1},))
    assert [(s.name, s.chosen) for s in settings(given, labels=np.arange(3.0))] == [
        (">= 1", True), (">= 2", False), ("configured", True), ("0: 0, 1: 0.9, 2: 1", False),
    ]  # fmt: skip
