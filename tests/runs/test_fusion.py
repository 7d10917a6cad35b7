"""Fusion: each method by hand, what a majority means, and a fused run among the others."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pipeline.config.fusion import Fusion
from pipeline.errors import InputError
from pipeline.runs import rankings
from pipeline.runs.fusion.declaration import METHODS, NORMS, fuse, normalise, votes
from pipeline.runs.rank import fuse_systems, rank, rank_files
from pipeline.runs.rankings import matching_runs
from pipeline.runs.reader import RunPolicies
from tests.builders import ranked, ranked_files, run_text

NAMES = ["a", "b", "c", "d"]
# Run 1: a (scores 4), b (2), c (0). Run 2: b (9), d (3). Run 3 did not answer.
NUMBER = np.array([[0, 1, 2], [1, 3, -1], [-1, -1, -1]], np.int32)
SCORE = np.array([[4.0, 2.0, 0.0], [9.0, 3.0, np.nan], [np.nan] * 3])
# After min-max: run 1 a 1, b .5, c 0; run 2 b 1, d 0.
BY_HAND = {
    "combmin": {"a": 1, "b": 0.5, "c": 0, "d": 0},
    "combmax": {"a": 1, "b": 1, "c": 0, "d": 0},
    "combmed": {"a": 1, "b": 0.75, "c": 0, "d": 0},
    "combsum": {"a": 1, "b": 1.5, "c": 0, "d": 0},
    "combanz": {"a": 1, "b": 0.75, "c": 0, "d": 0},
    "combmnz": {"a": 1, "b": 3, "c": 0, "d": 0},
    "rrf": {"a": 1 / 61, "b": 1 / 62 + 1 / 61, "c": 1 / 63, "d": 1 / 62},
    "rbp": {"a": 0.2, "b": 0.16 + 0.2, "c": 0.128, "d": 0.16},
    # 4 candidates; what a run does not rank shares its last points: 1, (2 + 1) / 2, (4 + 1) / 2
    "borda": {"a": 4 + 1.5 + 2.5, "b": 3 + 4 + 2.5, "c": 2 + 1.5 + 2.5, "d": 1 + 3 + 2.5},
}


@pytest.mark.parametrize("method", BY_HAND)
def test_by_hand(method: str) -> None:
    fusion = Fusion(method=method)
    documents, scores = fuse(NUMBER, SCORE, documents=pa.array(NAMES), fusion=fusion)
    found = {NAMES[d]: s for d, s in zip(documents.tolist(), scores.tolist(), strict=True)}
    assert found == pytest.approx(BY_HAND[method])
    expected = sorted(NAMES, reverse=True)  # ties by document id, descending
    expected.sort(key=lambda name: -BY_HAND[method][name])
    assert [NAMES[d] for d in documents.tolist()] == expected


def test_every_method_is_tested() -> None:
    assert {*BY_HAND, "condorcet"} == set(METHODS)
    assert {"min_max", "sum", "z_score", "none"} == set(NORMS)


def test_the_median_of_three() -> None:
    number = np.array([[0], [0], [0]], np.int32)
    score = np.array([[1.0], [5.0], [2.0]])
    fusion = Fusion(method="combmed", norm="none")
    assert fuse(number, score, documents=pa.array(["a"]), fusion=fusion)[1].tolist() == [2]


@pytest.mark.parametrize(
    ("norm", "expected"),
    [
        ("none", [[4, 2, 0], [7, 7, np.nan]]),
        ("min_max", [[1, 0.5, 0], [0, 0, np.nan]]),
        ("sum", [[4 / 6, 2 / 6, 0], [0, 0, np.nan]]),
        ("z_score", [[1.5**0.5, 0, -(1.5**0.5)], [0, 0, np.nan]]),
    ],
)
def test_norms(norm: str, expected: list[list[float]]) -> None:
    score = np.array([[4.0, 2.0, 0.0], [7.0, 7.0, np.nan]])
    np.testing.assert_allclose(normalise(score, norm=norm), expected)


def test_condorcet_prefers_what_most_runs_prefer() -> None:
    # b beats a and c two to one each, although Borda ties a and b.
    number = np.array([[0, 1, 2], [1, 0, 2], [1, 2, 0]], np.int32)
    fusion = Fusion(method="condorcet", norm="none")
    documents, _ = fuse(number, -number * 1.0, documents=pa.array(NAMES), fusion=fusion)
    assert [NAMES[d] for d in documents.tolist()] == ["b", "a", "c"]


def test_in_a_condorcet_ranking_none_loses_to_the_next() -> None:
    chance = np.random.default_rng(5)
    number = np.array([chance.permutation(12)[:9] for _ in range(5)], np.int32)
    fusion = Fusion(method="condorcet", norm="none")
    names = pa.array([f"d{i:02}" for i in range(12)])
    order = fuse(number, -number * 1.0, documents=names, fusion=fusion)[0].tolist()
    rank = [{d: r for r, d in enumerate(row)} for row in number.tolist()]
    for first, second in pairwise(order):
        votes_ = [(r.get(first, 99), r.get(second, 99)) for r in rank]
        assert sum(a < b for a, b in votes_) >= sum(b < a for a, b in votes_)


def test_votes_of_an_empty_topic() -> None:
    said = votes(np.full((2, 3), -1, np.int32), np.full((2, 3), np.nan), norm="min_max")
    assert len(said.documents) == 0
    assert METHODS["borda"](said, Fusion(method="borda")).tolist() == []


def system(name: str = "fused_rrf", runs: str | None = None) -> dict[str, Fusion]:
    return {name: Fusion(method="rrf", runs=runs, depth=2)}


def test_a_fused_run_joins_the_others(tmp_path: Path) -> None:
    runs = {
        "r": {"1": ranked("a b c"), "2": ranked("x")},
        "s": {"1": ranked("b d")},
        "t": {"1": ranked("z z2")},
    }
    small = ranked_files(tmp_path, {run: run_text(lists) for run, lists in runs.items()})
    files, facts = sorted((tmp_path / "runs").iterdir()), tmp_path / "fused.json"
    fusion = system(runs="^[rs]$")
    rank(files, policies=RunPolicies(), out=small.rankings, facts=facts, fusion=fusion)
    whole = rankings.read(small.rankings, topics=["1", "2"])
    assert whole.runs == ["fused_rrf", "r", "s", "t"]
    names = whole.documents.to_pylist()
    lists = [[names[d] for d in row if d >= 0] for row in whole.number[:2].tolist()]
    assert lists == [["b", "a"], ["x"]]  # two documents deep, without run t
    assert json.loads(facts.read_text())[-1]["file"] == "(rrf of 2 runs)"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"runs": "^x"}, "fusion.fused_rrf.runs: '^x' matches none of the 1 runs"),
        ({"name": "r"}, "fusion.r: is also the name of a submitted run"),
    ],
)
def test_bad_fusions(tmp_path: Path, given: dict[str, str], message: str) -> None:
    (tmp_path / "r").write_text(run_text({"1": ranked("a")}))
    found = rank_files([tmp_path / "r"], policies=RunPolicies())
    with pytest.raises(InputError) as caught:
        fuse_systems([found.table], system(**given))
    assert str(caught.value).startswith(message)


def test_all_runs_without_an_expression() -> None:
    assert matching_runs(["a", "b"], pattern=None, where="x") == [0, 1]
