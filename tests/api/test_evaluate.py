"""The function: every form of input gives the same figures, and they are the campaign's."""

import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ir_measures
import numpy as np
import pandas
import pytest

import pipeline
from pipeline import evaluate
from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.gains import blocks
from pipeline.measures import parse
from tests.builders import GRADED, Judged, campaign, run_text

QRELS = {"1": {"a": 2, "b": 0, "c": 1}, "2": {"d": 1, "e": 0}, "10": {"f": 1}}
RUN = {
    "1": {"a": 3.0, "x": 2.5, "b": 2.0, "c": 2.0},
    "2": {"e": 1.0, "d": 0.5},
    "10": {"y": 1.0},
    "99": {"z": 1.0},
}
MEASURES = ["AP", "nDCG@10", "P@2", "Bpref", "RBP(p=0.8)", "ERR@5"]


def qrels_lines() -> str:
    return "".join(f"{t} 0 {d} {v}\n" for t, inner in QRELS.items() for d, v in inner.items())


def run_lines(tag: str = "mine") -> str:
    return "".join(
        f"{t} Q0 {d} {n} {v} {tag}\n"
        for t, inner in RUN.items()
        for n, (d, v) in enumerate(inner.items())
    )


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "q.txt").write_text(qrels_lines())
    (tmp_path / "mine.run").write_text(run_lines())
    return tmp_path / "q.txt", tmp_path / "mine.run"


def table(rows: list[tuple[Any, ...]], *names: str) -> pandas.DataFrame:
    return pandas.DataFrame(rows, columns=list(names))


JUDGED = [(t, d, v) for t, inner in QRELS.items() for d, v in inner.items()]
RANKED = [(t, d, v) for t, inner in RUN.items() for d, v in inner.items()]


def forms() -> dict[str, tuple[Any, Any]]:
    return {
        "mappings": (QRELS, RUN),
        "named": (QRELS, {"mine": RUN}),
        "ir_measures frames": (
            table(JUDGED, "query_id", "doc_id", "relevance"),
            table(RANKED, "query_id", "doc_id", "score"),
        ),
        "pyterrier frames": (
            table([(t, d, v, "0") for t, d, v in JUDGED], "qid", "docno", "label", "iteration"),
            table([(t, "words", d, v) for t, d, v in RANKED], "qid", "query", "docno", "score"),
        ),
        "trectools frames": (
            table([(int(t), "0", d, v) for t, d, v in JUDGED], "query", "q0", "docid", "rel"),
            table([(int(t), d, v, "mine") for t, d, v in RANKED],
                  "query", "docid", "score", "system"),
        ),
        "named tuples": (
            [ir_measures.Qrel(*row) for row in JUDGED],
            (ir_measures.ScoredDoc(*row) for row in RANKED),
        ),
        "ir_measures objects of other classes": (
            [namedtuple("Q", "topic document label")(*row) for row in JUDGED],
            RUN,
        ),
    }  # fmt: skip


@pytest.mark.parametrize("form", list(forms()))
def test_every_form_gives_the_same_figures(form: str, files: tuple[Path, Path]) -> None:
    expected = evaluate(*map(str, files), MEASURES)
    found = evaluate(*forms()[form], MEASURES)
    assert found.topics == ("1", "2", "10")
    for name in MEASURES:
        assert found.scores(name).value.tolist() == expected.scores(name).value.tolist()
        assert found.scores(name).upper.tolist() == expected.scores(name).upper.tolist()


def test_files_globs_and_gzip(files: tuple[Path, Path], tmp_path: Path) -> None:
    import gzip

    (tmp_path / "other.run.gz").write_bytes(gzip.compress(run_lines("x").encode()))
    found = evaluate(files[0], f"{tmp_path}/*.run*", "AP")
    assert found.runs == ("mine.run", "other.run")
    assert found.values("AP")[0].tolist() == found.values("AP")[1].tolist()
    assert evaluate(files[0], [files[1], RUN], "AP").runs == ("mine.run", "run2")


@pytest.mark.parametrize("way", ["files", "mappings"])
@pytest.mark.parametrize("unjudged", ["zero", "condensed"])
def test_the_figures_are_those_of_the_campaign(tmp_path: Path, way: str, unjudged: str) -> None:
    """The same lists through the campaign's steps: equal to the last bit, bounds too."""
    random = np.random.default_rng(5)
    names = [f"d{n}" for n in range(40)]
    judged = {
        name: {
            topic: {d: int(random.integers(3)) for d in names if random.random() < 0.6}
            for topic in ("2", "10", "qtest.3")
        }
        for name in ("topicality", "understandability")
    }
    ranked = {
        run: {
            topic: {d: float(random.integers(12)) / 7 for d in names if random.random() < 0.7}
            for topic in ("2", "10", "qtest.3", "other")
        }
        for run in ("b", "a", "c")
    }
    made = campaign(
        tmp_path,
        {run: run_text(lists) for run, lists in ranked.items()},
        {name: Judged(given, GRADED) for name, given in judged.items()},
    )
    data = made.read(unjudged=unjudged)
    runs: Any = [tmp_path / "runs" / run for run in ranked] if way == "files" else ranked
    labels: Any = judged if way == "mappings" else {n: tmp_path / f"{n}.qrels" for n in judged}
    wanted = [*MEASURES, "uRBP(p=0.8)", "H(RBP(p=0.8), topicality=1, understandability=1)"]
    found = evaluate(labels, runs, wanted, unjudged=unjudged)
    assert found.runs == ("b", "a", "c")
    assert found.topics == data.topics
    order = [found.runs.index(run) for run in data.runs]
    for name in found.measures:
        own = parse(name, dimensions=list(judged)).scores(data)
        for end in ("value", "lower", "upper"):
            mine = getattr(found.scores(name), end)[order]
            assert mine.ravel().tolist() == getattr(own, end).tolist(), (name, end)


def test_scales_are_guessed_and_said() -> None:
    found = evaluate({"t": QRELS, "u": {"1": {"a": 3}}}, RUN, ["AP", "uRBP(by=u)"])
    assert found.notes[:2] == tuple(
        f"{name}; assumed scale 0 to {high}, high is better, threshold 1; set scales to change it"
        for name, high in (("t: labels 0, 1, 2", 2), ("u: labels 3", 3))
    )
    said = evaluate({"t": QRELS}, RUN, "AP", scales={"t": Scale(0, 2, "high", 2, None, ())})
    assert not any("labels" in note for note in said.notes)
    assert evaluate(QRELS, RUN, "AP", scales="0..2,high,threshold=2").values("AP")[0, 1] == 0


def test_topics_left_out_are_said() -> None:
    less = {topic: RUN[topic] for topic in ("1", "10")}
    (told,) = [note for note in evaluate(QRELS, less, "AP").notes if note.startswith("run:")]
    assert told.startswith("run: no documents for 1 of 3 topics (2)")


def test_labels_in_any_order_and_none_that_count() -> None:
    """Lines of topics mixed up give the same figures; a dimension may have no label that counts."""
    mixed = JUDGED[::2] + JUDGED[1::2]
    table = pandas.DataFrame(mixed, columns=["query_id", "doc_id", "relevance"])
    asked = evaluate(QRELS, RUN, MEASURES)
    for judged in (table, {"topicality": table, "other": {"1": {"a": -1}}}):
        found = evaluate(judged, RUN, MEASURES)
        assert found.to_dict() == asked.to_dict()
        assert found.gains.dimensions["topicality"].judged_document.tolist() == list("abcdef")


def test_measures_as_ir_measures_has_them() -> None:
    from ir_measures import AP, nDCG

    found = evaluate(QRELS, RUN, [AP(rel=2), nDCG @ 10])
    assert found.measures == ("AP(rel=2)", "nDCG@10")
    theirs = {
        (one.query_id, str(one.measure)): one.value
        for one in ir_measures.iter_calc([AP(rel=2), nDCG @ 10], QRELS, RUN)
    }
    for row in found.rows():
        assert row.value == pytest.approx(theirs[row.topic, row.measure], abs=1e-12)


def test_tables(files: tuple[Path, Path]) -> None:
    found = evaluate(*files, MEASURES)
    assert list(found.table.columns) == ["run", "topic", "measure", "value", "lower", "upper"]
    assert len(found) == len(found.table) == 18
    assert found["value"].tolist() == [row.value for row in found]
    assert found.groupby("measure")["value"].mean()["AP"] == pytest.approx(
        found.means()["AP"].iloc[0]
    )
    assert found.to_dict()["mine.run"]["1"]["AP"] == found.values("AP")[0, 0]
    assert "mine.run" in repr(found)
    html = found._repr_html_()
    assert html.count("<rect") == 3
    assert "mine.run" in html


WRONG: dict[str, tuple[Callable[[], object], str, str]] = {  # the call, where, what is named
    "no file": (lambda: evaluate("no/such.txt", RUN), "qrels 'no/such.txt'", "no such file"),
    "no glob": (lambda: evaluate(QRELS, "no/*.run"), "runs 'no/*.run'", "no file"),
    "no runs": (lambda: evaluate(QRELS, {}), "runs", "none"),
    "no qrels": (lambda: evaluate({}, RUN), "qrels", "no judgements"),
    "no form": (lambda: evaluate(QRELS, 3), "runs", "int"),
    "nan": (lambda: evaluate(QRELS, {"1": {"a": float("nan")}}), "run", "'a' in topic '1'"),
    "id": (lambda: evaluate(QRELS, {"1": {3: 1.0}}), "run", "3"),
    "column": (
        lambda: evaluate(QRELS, pandas.DataFrame({"qid": ["1"], "docno": ["a"]})),
        "run", "score or sim",
    ),
    "twice": (
        lambda: evaluate(QRELS, table([("1", "a", 1), ("1", "a", 2)], "qid", "docno", "score")),
        "run, row 2", "'a' occurs twice in topic '1'",
    ),
    "strangers": (lambda: evaluate(QRELS, {"7": {"a": 1}}), "runs", "3 topics"),
    "label": (lambda: evaluate({"1": {"a": None}}, RUN), "qrels, row 1", "None"),
    "scale": (lambda: evaluate(QRELS, RUN, scales="0..1"), "qrels", "label 2"),
    "order": (lambda: evaluate(QRELS, RUN, order="rang"), "order", "'rang'"),
    "rank": (lambda: evaluate(QRELS, RUN, order="rank"), "run", "ranks"),
    "function": (lambda: evaluate(QRELS, RUN, [len]), "measures", "len"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_one_problem(case: str) -> None:
    call, where, named = WRONG[case]
    with pytest.raises(InputError) as error:
        call()
    (problem,) = error.value.problems
    assert str(problem.where) == where
    assert named in problem.what


def test_nothing_heavy_is_imported() -> None:
    """Evaluating and looking at the values needs neither pandas nor Arrow, scipy or ir_measures."""
    code = (
        "import sys; from pipeline import evaluate\n"
        f"evaluate({QRELS!r}, {RUN!r}).values('AP'); repr(evaluate({QRELS!r}, {RUN!r}))\n"
        "print([m for m in ('pandas', 'pyarrow', 'scipy', 'ir_measures', 'yaml', 'snakemake')"
        " if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_what_the_package_offers() -> None:
    for name in pipeline.__all__:
        assert getattr(pipeline, name) is not None
    with pytest.raises(AttributeError):
        pipeline.nothing  # noqa: B018


def test_bounds_in_blocks_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels = {str(t): {f"d{n}": n % 3 for n in range(t % 7, 9)} for t in range(1, 41)}
    run = {str(t): {f"d{n}": float(-n * t % 7) for n in range(12)} for t in range(1, 41)}
    whole = [*evaluate(qrels, run, ["AP", "Bpref", "RBP(p=0.8)"]).rows()]
    monkeypatch.setattr(blocks.blocks, "__kwdefaults__", {"cells": 1})  # 16 lists, then 24
    some = [*evaluate(qrels, run, ["AP", "Bpref", "RBP(p=0.8)"]).rows()]
    assert some == whole
