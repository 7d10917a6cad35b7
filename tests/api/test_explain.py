"""Lists explained and runs compared, against sums worked by hand and against scipy."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from pipeline import compare, evaluate, explain
from pipeline.errors import InputError
from pipeline.runs import compiled, mappings

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
        parts = [line.contribution or 0.0 for line in found.lines]
        assert found.base + sum(parts) == pytest.approx(found.value)


def test_what_is_no_sum_is_said() -> None:
    found = explain(QRELS, ONE, run="run", topic="1", measure="IPrec(recall=0.5)")
    assert found.notes == (
        "IPrec(recall=0.5) is no sum over the documents, so none has a part of it",
    )
    assert [line.gain for line in found.lines] == [1, 0, 0, 1]


def test_files_and_mappings_are_explained_alike(tmp_path: Path) -> None:
    lines = [f"{t} Q0 {d} 1 {s} x\n" for t, inner in ONE.items() for d, s in inner.items()]
    (tmp_path / "run").write_text("".join(lines))
    of_file = evaluate(QRELS, tmp_path / "run", "AP").explain("run", "1")
    assert of_file.rows() == evaluate(QRELS, ONE, "AP").explain("run", "1").rows()


def test_condensed_lists_are_explained_without_the_unjudged() -> None:
    found = evaluate(QRELS, ONE, "AP", unjudged="condensed").explain("run", "1")
    assert [line.document for line in found.lines] == ["a", "b", "c"]
    assert found.lines[2].contribution == pytest.approx(2 / 3 / 2)


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
    assert "two - one" in str(compare(QRELS, {"one": ONE, "two": TWO}, "AP"))


def test_wrong_names_are_sentences() -> None:
    found = evaluate(QRELS, ONE, ["AP", "RR"])
    for call, sentence in (
        (lambda: found.explain("other", "1", "AP"), "there is no run 'other'; there is run"),
        (lambda: found.explain("run", "9", "AP"), "topic '9' is none of the 3 topics"),
        (lambda: found.explain("run", "1"), "name one of the measures: AP, RR"),
        (lambda: found.values("P@3"), "'P@3' was not computed; there is AP, RR"),
        (lambda: found.compare(), "compare: 'run' is the only run"),
    ):
        with pytest.raises(InputError, match=sentence.replace("?", r"\?")):
            call()


@pytest.mark.parametrize("order", ["score", "score64"])
def test_mappings_in_c_and_in_python_are_ranked_alike(
    monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    if compiled.extension() is None:
        pytest.skip("the compiled reader is not built")
    random = np.random.default_rng(3)
    names = [f"d{n}" for n in range(60)] + ["é", "z", "日本"]
    run = {
        str(t): {d: float(random.choice([1.0, 1.00000001, -2.5, 7, 1e-40])) for d in names
                 if random.random() < 0.8}
        for t in range(5)
    }  # fmt: skip
    levels = mappings.Levels({str(t): {d: 2 + n % 3 for n, d in enumerate(names) if n % 2}
                              for t in range(5)}, {"d2": 4})  # fmt: skip

    def ranked(depth: int) -> mappings.Found:
        return mappings.rank(
            run, topics=["0", "3", "none", "4"], dimensions=[levels], order=order, depth=depth,
            bad_scores="error", levels=np.uint8, scores=True, name="run",
        )  # fmt: skip

    fast = [ranked(0), ranked(7)]
    monkeypatch.setattr(compiled, "extension", lambda: None)
    for one, two in zip(fast, [ranked(0), ranked(7)], strict=True):
        assert one.length.tolist() == two.length.tolist()
        assert one.levels[0].tolist() == two.levels[0].tolist()
        np.testing.assert_array_equal(one.score, two.score)
