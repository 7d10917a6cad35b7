"""What the page of comparisons says of other tools, tried on them."""

import re
import subprocess
from pathlib import Path

import pytest

from pipeline import evaluate
from pipeline.errors import InputError
from tests.docs.pages import DOCS, ROOT

PAGE = (DOCS / "compared.md").read_text(encoding="utf-8")
LOCKS = (ROOT / "requirements.lock", ROOT / "benchmarks/requirements.lock")
TIED = {"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0}}
MISSING = {"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}}
TWICE = "1 Q0 a 1 3.0 x\n1 Q0 a 2 2.0 x\n1 Q0 b 3 1.0 x\n"


def ours(files: tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]], name: str) -> float:
    return float(evaluate(files[0], {"run": files[1]}, [name]).overall(name)[0])


def test_ties() -> None:
    import ir_measures
    import pytrec_eval
    from ir_measures import RR

    qrels = [ir_measures.Qrel("1", "a", 1)]
    run = [ir_measures.ScoredDoc("1", "a", 1.0), ir_measures.ScoredDoc("1", "b", 1.0)]
    theirs = [ir_measures.calc_aggregate([one], qrels, run)[one] for one in (RR, RR @ 10)]
    assert theirs == [0.5, 1.0]
    found = pytrec_eval.RelevanceEvaluator(TIED[0], {"recip_rank"}).evaluate(TIED[1])
    assert found["1"]["recip_rank"] == 0.5
    assert (ours(TIED, "RR"), ours(TIED, "RR@10")) == (0.5, 0.5)
    assert "| ir_measures `RR@10` | 1.0" in PAGE


def test_the_versions_are_those_that_are_pinned() -> None:
    locks = "".join(lock.read_text(encoding="utf-8") for lock in LOCKS)
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)", locks, re.MULTILINE))
    for name in ("pytrec-eval-terrier", "ir-measures", "ranx", "trectools", "cwl-eval"):
        shown = re.search(rf"{name.replace('-', '[-_]')}[ |]+([\d.]+)", PAGE)
        assert shown is not None, name
        assert shown[1] == pinned[name]


@pytest.mark.slow
def test_ties_and_more_of_trectools(tmp_path: Path) -> None:
    trectools = pytest.importorskip("trectools", reason="trectools is not installed (make peers)")
    (tmp_path / "run").write_text("1 Q0 a 1 1.0 x\n1 Q0 b 2 1.0 x\n")
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    run, qrels = (
        trectools.TrecRun(str(tmp_path / "run")),
        trectools.TrecQrel(str(tmp_path / "qrels")),
    )
    value, *_ = trectools.TrecEval(run, qrels).get_rbp(p=0.8)
    assert value == pytest.approx(0.18)
    assert ours(TIED, "RBP(p=0.8)") == pytest.approx(0.16)
    assert hasattr(trectools.TrecEval, "get_ubpref")
    assert hasattr(trectools.TrecQrel, "check_kappa")


@pytest.mark.slow
def test_the_latex_of_ranx() -> None:
    pytest.importorskip("ranx", reason="ranx is not installed (make peers)")
    from ranx.data_structures import Report

    assert hasattr(Report, "to_latex")


@pytest.mark.slow
def test_ties_of_ranx() -> None:
    ranx = pytest.importorskip("ranx", reason="ranx is not installed (make peers)")
    orders = ({"a": 1.0, "b": 1.0}, {"b": 1.0, "a": 1.0})
    found = [
        float(ranx.evaluate(ranx.Qrels({"1": {"a": 1}}), ranx.Run({"1": dict(order)}), "mrr"))
        for order in orders
    ]
    assert found == [1.0, 0.5]


def test_a_missing_topic() -> None:
    import ir_measures
    import pytrec_eval
    from ir_measures import AP

    qrels = [ir_measures.Qrel("1", "a", 1), ir_measures.Qrel("2", "b", 1)]
    run = [ir_measures.ScoredDoc("1", "a", 1.0)]
    assert ir_measures.calc_aggregate([AP], qrels, run)[AP] == 0.5
    assert set(pytrec_eval.RelevanceEvaluator(MISSING[0], {"map"}).evaluate(MISSING[1])) == {"1"}
    result = evaluate(MISSING[0], {"run": MISSING[1]}, ["AP"])
    assert float(result.overall()[0]) == 0.5
    assert any("no documents for 1 of 2 topics" in note for note in result.notes)


@pytest.mark.slow
def test_a_missing_topic_and_a_double_document_in_ranx(tmp_path: Path) -> None:
    ranx = pytest.importorskip("ranx", reason="ranx is not installed (make peers)")
    with pytest.raises(AssertionError, match="make_comparable"):
        ranx.evaluate(ranx.Qrels(MISSING[0]), ranx.Run(MISSING[1]), "map")
    (tmp_path / "run.trec").write_text(TWICE)
    run = ranx.Run.from_file(str(tmp_path / "run.trec"), kind="trec")
    assert float(ranx.evaluate(ranx.Qrels({"1": {"a": 1, "b": 1}}), run, "precision@2")) == 1.0


def test_a_double_document(tmp_path: Path) -> None:
    import ir_measures
    from ir_measures import P

    (tmp_path / "run").write_text(TWICE)
    (tmp_path / "q").write_text("1 0 a 1\n1 0 b 1\n")
    read = (
        list(ir_measures.read_trec_qrels(str(tmp_path / "q"))),
        list(ir_measures.read_trec_run(str(tmp_path / "run"))),
    )
    assert ir_measures.calc_aggregate([P @ 2], *read)[P @ 2] == 1.0
    with pytest.raises(InputError, match="run, line 2: document 'a' occurs twice"):
        evaluate(tmp_path / "q", tmp_path / "run")


@pytest.mark.slow
def test_a_double_document_in_trectools(tmp_path: Path) -> None:
    trectools = pytest.importorskip("trectools", reason="trectools is not installed (make peers)")
    (tmp_path / "run").write_text(TWICE)
    with pytest.raises(ValueError, match="Duplicated docid"):
        trectools.TrecRun(str(tmp_path / "run"))
    assert {"get_urbp", "get_alpha_urbp"} <= set(dir(trectools.TrecEval))


def test_topics_that_are_no_numbers() -> None:
    import ir_measures
    from ir_measures import ERR

    qrels = [ir_measures.Qrel("qtest1", "a", 1)]
    run = [ir_measures.ScoredDoc("qtest1", "a", 1.0)]
    with pytest.raises(subprocess.CalledProcessError):
        ir_measures.calc_aggregate([ERR @ 10], qrels, run)
    assert ours(({"qtest1": {"a": 1}}, {"qtest1": {"a": 1.0}}), "ERR@10") > 0
