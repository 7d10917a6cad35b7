"""Rankings explained and runs compared, against sums worked by hand and against scipy."""

import math
from pathlib import Path

import pytest
from scipy import stats

from pipeline import compare, evaluate, explain
from pipeline.errors import InputError

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"d": 1, "e": 0}, "3": {"f": 1}}
ONE = {"1": {"a": 3.0, "x": 2.5, "b": 2.0, "c": 1.0}, "2": {"e": 1.0, "d": 0.5}, "3": {"f": 1.0}}
TWO = {"1": {"c": 3.0, "a": 2.5}, "2": {"d": 1.0}, "3": {"y": 2.0, "f": 1.0}}


def test_ndcg_document_by_document() -> None:
    """DCG of a at rank 1 and c at rank 4, over the ideal 2 + 1/log2(3); x is not judged."""
    found = evaluate(QRELS, {"one": ONE, "two": TWO}, "nDCG@10").explain("one", "1", against="two")
    ideal = 2 + 1 / math.log2(3)
    rows = found.rows()
    assert [row["document"] for row in rows] == ["a", "x", "b", "c"]
    assert [row["topicality"] for row in rows] == [2, None, 0, 1]
    assert [row["contribution"] for row in rows] == pytest.approx(
        [2 / ideal, 0, 0, 1 / math.log2(5) / ideal]
    )
    assert [row["weight"] for row in rows][1] == pytest.approx(2 / math.log2(3) / ideal)
    assert sum(row["contribution"] for row in rows) == pytest.approx(found.value)
    assert [row["against_rank"] for row in rows] == [2, None, None, 1]
    assert rows[3]["against_contribution"] == pytest.approx(1 / ideal)
    assert "one, topic 1: nDCG@10" in str(found)


@pytest.mark.parametrize("measure", ["AP", "RR", "RBP(p=0.5)", "Bpref", "ERR", "P@2", "SetE"])
def test_parts_add_up(measure: str) -> None:
    for topic in QRELS:
        found = explain(QRELS, ONE, run="run", topic=topic, measure=measure)
        parts = [row["contribution"] or 0.0 for row in found.rows()]
        assert found.base + sum(parts) == pytest.approx(found.value)


def test_what_is_no_sum_is_said() -> None:
    found = explain(QRELS, ONE, run="run", topic="1", measure="IPrec(recall=0.5)")
    assert len(found.notes) == 1
    assert found.notes[0].startswith("IPrec(recall=0.5) ")
    assert [row["gain"] for row in found.rows()] == [1, 0, 0, 1]


def test_files_and_mappings_are_explained_alike(tmp_path: Path) -> None:
    lines = [f"{t} Q0 {d} 1 {s} x\n" for t, inner in ONE.items() for d, s in inner.items()]
    (tmp_path / "run").write_text("".join(lines))
    of_file = evaluate(QRELS, tmp_path / "run", "AP").explain("run", "1")
    assert of_file.rows() == evaluate(QRELS, ONE, "AP").explain("run", "1").rows()


def test_condensed_lists_are_explained_without_the_unjudged() -> None:
    found = evaluate(QRELS, ONE, "AP", unjudged="condensed").explain("run", "1")
    rows = found.rows()
    assert [row["document"] for row in rows] == ["a", "b", "c"]
    assert rows[2]["contribution"] == pytest.approx(2 / 3 / 2)


def test_runs_are_compared_as_scipy_does() -> None:
    found = evaluate(QRELS, {"one": ONE, "two": TWO}, ["AP", "P@1"])
    both = found.compare()
    (pair,) = [row for row in both.pairs() if row["measure"] == "AP"]
    values = found.values("AP")
    assert (pair["run_a"], pair["run_b"]) == ("two", "one")
    assert pair["difference"] == pytest.approx(values[1].mean() - values[0].mean())
    assert pair["p_t"] == pytest.approx(stats.ttest_rel(values[1], values[0]).pvalue)
    assert [row["run"] for row in both.ranking("AP")] == ["two", "one"]
    assert both.by_topic("AP")[0] == ("1", {"one": values[0, 0], "two": values[1, 0]})
    assert len(found.significance()) == len(both.table) == 2
    text = str(compare(QRELS, {"one": ONE, "two": TWO}, "AP"))
    assert "two minus one: better on 2 topics, worse on 1" in text
    assert "●" in text


def test_wrong_names_are_sentences() -> None:
    found = evaluate(QRELS, ONE, ["AP", "RR"])
    for call, where, named, fix in (
        (lambda: found.explain("other", "1", "AP"), "run", "'other'", "run"),
        (lambda: found.explain("run", "9", "AP"), "topic", "'9'", "1, 2, 3"),
        (lambda: found.explain("run", "1"), "measure", "", "AP, RR"),
        (lambda: found.values("P@3"), "measure", "'P@3'", "AP, RR"),
        (lambda: found.compare(), "runs", "'run'", "two"),
    ):
        with pytest.raises(InputError) as error:
            call()
        (problem,) = error.value.problems
        assert problem.where == where
        assert named in problem.what
        assert fix in problem.fix
