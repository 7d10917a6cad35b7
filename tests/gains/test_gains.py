"""Gains: labels looked up at every rank, and what each scenario makes of them."""

import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.gains import step
from pipeline.gains.build import build as build_gains
from pipeline.gains.dimension import NOTHING, UNJUDGED
from pipeline.gains.files import read as read_gains
from pipeline.labels.judgements import Judgements
from pipeline.storage import arrow
from tests.builders import (
    GRADED,
    Judged,
    build,
    campaign,
    ranked,
    ranked_files,
    run_text,
    write_gains,
    write_ties,
)

MAP = Scale(0, 3, "high", 2, {0.0: 0.0, 1.0: 0.4, 2.0: 0.8, 3.0: 1.0}, (9,))
RUNS = {
    "r": {"1": ranked("a b c d"), "2": ranked("b"), "other": ranked("a")},
    "s": {"2": ranked("c x a")},
}
TOPICALITY = Judged({"1": {"a": 1, "b": 0, "d": 2, "z": 2}, "2": {"b": 2, "c": 1}}, GRADED)
UNDERSTANDABILITY = Judged({"1": {"a": 3, "b": 2, "c": 1, "d": 9}, "2": {"b": 1, "a": 0}}, MAP)
BOTH = {"topicality": TOPICALITY, "understandability": UNDERSTANDABILITY}


def test_gain_at_every_rank(tmp_path: Path) -> None:
    data = build(tmp_path, RUNS, BOTH)
    assert (data.runs, data.topics) == (("r", "s"), ("1", "2"))
    assert data.length.tolist() == [4, 1, 0, 3]
    view = data.view({"topicality": "gain"})
    # r: topic 1 (c unjudged), topic 2; s: nothing for topic 1, then x and a unjudged
    assert view.gain.tolist() == [[0.5, 0, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0], [0.5, 0, 0, 0]]
    assert view.judged.astype(int).tolist() == [
        [1, 1, 0, 1], [1, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0],
    ]  # fmt: skip
    assert view.retrieved.sum(axis=1).tolist() == [4, 1, 0, 3]
    assert data.view({"topicality": "binary"}).gain[0].tolist() == [1, 0, 0, 1]
    assert data.view({"topicality": "label"}).gain[0].tolist() == [1, 0, 0, 2]
    assert view.at(2).gain.tolist() == [[0.5, 0], [1, 0], [0, 0], [0.5, 0]]
    assert view.at(2).length.tolist() == [2, 1, 0, 2]


def test_scenarios_and_products(tmp_path: Path) -> None:
    data = build(tmp_path, RUNS, BOTH)
    both = {"topicality": "binary", "understandability": "gain"}
    at = {s: data.view(both, scenario=s).gain for s in ("value", "lower", "upper")}
    # topic 1 of r: a 1*1; b 0*.8; c (not judged)*.4; d 1*(cannot judge)
    assert at["value"][0].tolist() == at["lower"][0].tolist() == [1, 0, 0, 0]
    assert at["upper"][0].tolist() == [1, 0, 0.4, 1]
    # topic 2 of s: c 1*(not judged), x nobody knows, a (not judged)*0; then nothing at all
    assert at["value"][3].tolist() == [0, 0, 0, 0]
    assert at["upper"][3].tolist() == [1, 1, 0, 0]
    view = data.view(both)
    assert view.unjudged.tolist() == [2, 0, 0, 2]
    assert view.judged[0].tolist() == [True, True, False, False]
    assert view.ideal.tolist() == [[1, 0, 0, 0], [0.4, 0, 0, 0]]
    assert view.relevant.tolist() == [1, 1, 1, 1]
    assert data.view(both, scenario="lower").relevant.tolist() == [3, 1, 1, 3]


def test_an_ideal_holds_documents_nobody_retrieved_best_first(tmp_path: Path) -> None:
    view = build(tmp_path, RUNS, BOTH).view({"topicality": "gain"})
    assert view.ideal.tolist() == [[1, 1, 0.5, 0], [1, 0.5, 0, 0]]
    assert view.ideal_sum(np.eye(2)).tolist() == [[1, 1], [1, 0.5], [1, 1], [1, 0.5]]
    lower = build(tmp_path, RUNS, BOTH).view({"topicality": "gain"}, scenario="lower")
    # the unjudged c of topic 1 might be a further perfect document; x and a of topic 2 too
    assert lower.ideal_sum(np.eye(3)).tolist() == [[1, 1, 1], [1, 0.5, 0], [1, 1, 0.5], [1, 1, 1]]


@pytest.mark.parametrize("code", [-1, 9])
@pytest.mark.parametrize("better", ["low", "high"])
def test_cannot_judge_is_unjudged_never_the_best_grade(
    tmp_path: Path, better: str, code: int
) -> None:
    scale = Scale(0, 2, better, 1, None, (code,))
    data = build(tmp_path, {"r": {"1": ranked("a b")}}, {"u": Judged({"1": {"a": code, "b": 1}},
                 scale)})  # fmt: skip
    for kind in ("binary", "gain", "label"):
        view = data.view({"u": kind})
        assert view.gain[0].tolist() == [0, 1 if kind != "gain" else 0.5]
        assert view.judged[0].tolist() == [False, True]
        assert view.ideal[0].tolist() == [view.gain[0, 1]]
    assert data.dimensions["u"].codes[0, 0] == UNJUDGED


@pytest.mark.parametrize("chunks", [[], [[1, 2], [], [3]]])
def test_whole_numbers_stay_whole_in_any_number_of_chunks(chunks: list[list[int]]) -> None:
    column = pa.chunked_array(chunks, pa.int32())
    assert arrow.array(column).dtype == np.int32
    assert arrow.array(column).tolist() == [n for chunk in chunks for n in chunk]


def test_nobody_could_judge_anything(tmp_path: Path) -> None:
    scale = Scale(0, 1, "high", 1, None, (9,))
    runs = {"r": {"1": ranked("a b")}}
    data = build(tmp_path, runs, {"u": Judged({"1": {"a": 9, "b": 9}}, scale)})
    assert data.dimensions["u"].codes.tolist() == [[UNJUDGED, UNJUDGED]]
    assert data.view({"u": "gain"}, scenario="upper").gain.tolist() == [[1, 1]]


def test_labels_by_document_hold_in_every_topic(tmp_path: Path) -> None:
    judged = Judged({"1": {"a": 3, "b": 1}, "9": {"c": 2, "gone": 3}}, MAP, "document")
    data = build(tmp_path, RUNS, {"topicality": TOPICALITY, "understandability": judged})
    view = data.view({"understandability": "gain"})
    assert view.gain.tolist() == [
        [1, 0.4, 0.8, 0], [0.4, 0, 0, 0], [0, 0, 0, 0], [0.8, 0, 1, 0],
    ]  # fmt: skip
    assert view.judged[3].tolist() == [True, False, True, False]
    assert view.ideal.tolist() == [[1, 1, 0.8, 0.4]] * 2  # every label, in every topic
    # in a product the dimension with topics says which documents a topic has
    product = data.view({"topicality": "binary", "understandability": "gain"})
    assert product.ideal.tolist() == [[1, 0, 0, 0], [0.8, 0.4, 0, 0]]
    turned = data.view({"understandability": "gain", "topicality": "binary"})
    assert turned.ideal.tolist() == product.ideal.tolist()


def test_many_levels_do_not_fit_a_byte(tmp_path: Path) -> None:
    scale = Scale(0, 1000, "low", 500, None, ())
    for count, kind in ((254, np.uint8), (255, np.int32)):
        documents = {f"d{n}": float(n) for n in range(count)}
        data = build(
            tmp_path / str(count), {"r": {"1": documents}}, {"u": Judged({"1": documents}, scale)}
        )
        assert data.dimensions["u"].codes.dtype == kind
        wanted = [1 - n / 1000 for n in reversed(range(count))]
        np.testing.assert_allclose(data.view({"u": "gain"}).gain[0], wanted, rtol=1e-12)


def test_condensed_lists_close_up(tmp_path: Path) -> None:
    data = build(tmp_path, RUNS, BOTH, unjudged="condensed")
    assert data.length.tolist() == [3, 1, 0, 1]
    assert data.view({"topicality": "gain"}).gain[:, :3].tolist() == [
        [0.5, 0, 1], [1, 0, 0], [0, 0, 0], [0.5, 0, 0],
    ]  # fmt: skip
    # the other dimension loses the same ranks, judged there or not: c goes, d stays unjudged
    codes = data.dimensions["understandability"].codes
    assert codes[0, 2] == UNJUDGED
    assert (codes[0, 3:] == NOTHING).all()
    assert (data.dimensions["topicality"].codes > UNJUDGED).sum(axis=1).tolist() == [3, 1, 0, 1]


def test_condensing_returns_new_gains(tmp_path: Path) -> None:
    data = build(tmp_path, RUNS, BOTH)
    before = data.dimensions["topicality"].codes.copy()
    data.condensed("topicality")
    assert (data.dimensions["topicality"].codes == before).all()


def test_only_topics_that_count(tmp_path: Path) -> None:
    small = campaign(
        tmp_path, {"r": run_text(RUNS["r"])}, {"topicality": TOPICALITY}, topics=["2", "absent"]
    )
    data = small.read()
    assert (data.topics, data.length.tolist()) == (("2", "absent"), [1, 0])
    view = data.view({"topicality": "gain"})
    assert view.gain.tolist() == [[1], [0]]
    assert view.ideal.tolist() == [[1, 0.5], [0, 0]]


def test_no_topic_was_answered(tmp_path: Path) -> None:
    data = build(tmp_path, {"r": {"other": ranked("a")}}, {"topicality": TOPICALITY})
    assert data.length.tolist() == [0, 0]
    assert data.view({"topicality": "gain"}).gain.shape == (2, 0)


def test_gains_of_other_runs_are_refused(tmp_path: Path) -> None:
    one = campaign(tmp_path, {"r": run_text(RUNS["r"])}, BOTH)
    other = tmp_path / "other.npz"
    write_gains(one.rankings, labels=one.labels["topicality"], topics=["1"], out=other)
    with pytest.raises(InputError) as caught:
        read_gains({"topicality": one.gains["topicality"], "understandability": other})
    (problem,) = caught.value.problems
    assert problem.where == other
    assert "other runs or topics" in problem.what
    assert "delete" in problem.fix


def test_unjudged_is_nan_until_a_scenario_decides(tmp_path: Path) -> None:
    data = build(tmp_path, RUNS, BOTH)
    for dimension in data.dimensions.values():
        assert dimension.worth[NOTHING].tolist() == [0, 0, 0]
        assert all(map(math.isnan, dimension.worth[UNJUDGED]))
        assert np.isfinite(dimension.worth[UNJUDGED + 1 :]).all()


@pytest.mark.parametrize(
    ("order", "groups"),
    [
        ("score", [0, 0, 0, 1]),  # trec_eval 9: equal as 32-bit floats is tied
        ("score64", [0, 1, 1, 2]),  # trec_eval 10: only equal 64-bit floats are
        ("rank", [0, 1, 2, 3]),  # the file's ranks leave nothing tied
    ],
)
def test_scores_tie_as_the_order_compares_them(
    tmp_path: Path, order: str, groups: list[int]
) -> None:
    above = 1 + 2**-30
    assert above != 1
    assert np.float32(above) == np.float32(1)
    text = run_text({"1": {"a": above, "c": 1.0, "b": 1.0, "d": 0.5}})
    small = ranked_files(tmp_path, {"r": text}, order=order)
    out = tmp_path / "ties.npz"
    write_ties(small.rankings, topics=["1"], order=order, out=out)
    with np.load(out) as stored:
        assert stored["tie"].tolist() == [groups]
        assert sorted(stored["score"][0].tolist(), reverse=True) == [above, 1, 1, 0.5]


STRANGERS = {
    "other documents": ({"1": {"x_1": 1}, "2": {"x_2": 2}}, ("2 labels", "'x_1'", "'a'")),
    "other topics": ({"q1": {"a": 1}, "q2": {"b": 2}}, ("'q1'", "'1'")),
    "runs of other topics": ({"7": {"a": 1}, "8": {"b": 2}}, ("no run", "'7'")),
}


@pytest.mark.parametrize(("labels", "named"), STRANGERS.values(), ids=STRANGERS)
def test_labels_that_meet_no_ranking_are_refused(
    tmp_path: Path, labels: dict[str, dict[str, float]], named: tuple[str, ...]
) -> None:
    judged = {"topicality": Judged(labels, GRADED)}
    one = campaign(tmp_path, {"r": run_text(RUNS["r"])}, judged)
    topics = ["7", "8"] if "7" in labels else ["1", "2"]
    with pytest.raises(InputError) as caught:
        step.write(rankings=one.rankings, labels=one.labels, topics=topics, out=tmp_path / "new")
    problem = caught.value.problems[0]
    assert problem.where == "dimension 'topicality'"
    assert all(name in problem.what for name in named)
    assert not list((tmp_path / "new").iterdir())


def test_more_levels_than_a_byte_holds(tmp_path: Path) -> None:
    """300 different labels: each document has its own, whichever way the run comes."""
    labels = {f"d{n}": n for n in range(300)}
    judged = Judgements(
        ["1"] * 300, list(labels), np.arange(300.0), np.ones(300), np.arange(300) / 300,
        (0, 300, "high"),
    )  # fmt: skip
    scores = {name: float(-n) for n, name in enumerate(reversed(labels))}
    path = tmp_path / "file"
    path.write_text(run_text({"1": scores}))
    gains = build_gains({"file": path, "mapping": {"1": scores}}, {"t": judged})
    for row in gains.view({"t": "label"}).gain.tolist():
        assert row == [float(n) for n in reversed(range(300))]
