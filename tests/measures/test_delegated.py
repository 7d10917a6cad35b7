"""Measures that ir_measures computes: which they are, and that it sees our lists and labels."""

from collections.abc import Callable
from pathlib import Path

import ir_measures
import numpy as np
import pytest

from pipeline.campaign import campaigns
from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.gains.gains import Gains
from pipeline.measures import delegated, parse
from pipeline.measures.evaluate import evaluate
from pipeline.measures.measure import Single
from tests.builders import Judged, build, by_place, campaign, run_text, score, write_ties
from tests.measures.test_measures import random_campaign

ROOT = Path(__file__).resolve().parents[2]
DIMENSIONS = ["topicality", "understandability"]

DELEGATED = {  # text: canonical name
    "infAP": "infAP",
    "infAP(rel=2)": "infAP(rel=2)",
    "Compat(p = 0.9)": "Compat(p=0.9)",
    "SetAP": "SetAP",
    "IPrec@0.1": "IPrec@0.1",
    "P(judged_only=True)@5": "P(judged_only=True)@5",
    "nDCG(dcg='exp-log2')@10": "nDCG(dcg='exp-log2')@10",
    "nDCG(gains={1: 3, 2: 7})@10": "nDCG(gains={1:3,2:7})@10",
    "infAP(on=understandability)": "infAP(on=understandability)",
    "Compat(p=0.9, on=understandability)": "Compat(p=0.9, on=understandability)",
    "infAP(on=topicality)": "infAP",
}


@pytest.mark.parametrize(("text", "name"), DELEGATED.items(), ids=DELEGATED)
def test_accepted(text: str, name: str) -> None:
    measure = parse(text, dimensions=DIMENSIONS)
    assert isinstance(measure, Single)
    assert measure.name == name
    assert measure.modules == ("pipeline.measures.delegated",)
    assert "ir_measures" in measure.formula
    assert "ECIR 2022" in measure.citation
    assert parse(name, dimensions=DIMENSIONS) == measure


OURS = {  # what ir_measures could parse, but is a mistake or another name for one of ours
    "MAP": ("'MAP'", "'AP'"),
    "MRR@10": ("'MRR'", "'RR@10'"),
    "NDCG(judged_only=False)@5": ("'NDCG'", "'nDCG@5'"),
    "RBP(p=1)": ("p=1 must be a number above 0 and below 1", ""),
    "P": ("needs a cutoff, such as P@10", ""),
    "P(judged_only=False)@5": ("P has no parameter 'judged_only'", "gain, on, rel"),
    "AP(k=10)": ("AP has no parameter 'k'", "gain, on, rel"),
    "Compat@10": ("ir_measures refuses it (unsupported params found: ['cutoff'])", "parameters"),
    "Compat(p=1)": ("ir_measures refuses it (invalid param p=1)", "parameters"),
    "infAP(on=ease)": ("no dimension is called 'ease'", "topicality, understandability"),
}


@pytest.mark.parametrize(("text", "problem"), OURS.items(), ids=OURS)
def test_refused(text: str, problem: tuple[str, str]) -> None:
    with pytest.raises(InputError) as caught:
        parse(text, dimensions=DIMENSIONS)
    (refusal,) = caught.value.problems
    what, fix = problem
    assert refusal.where == f"measure '{text}'"
    assert what in refusal.what
    assert fix in refusal.fix


class Missing:
    """A provider that is not installed."""

    NAME = "faraway"

    def supports(self, measure: object) -> bool:
        return str(measure).startswith("infAP")

    def is_available(self) -> bool:
        return False

    def install_instructions(self) -> str:
        return "pip install faraway"


def test_a_missing_tool_is_named_before_any_job_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ir_measures.DefaultPipeline, "providers", [Missing()])
    config = {
        "campaigns": {
            "c": {
                "runs": {"files": "x"},
                "dimensions": {"topicality": {"labels": "y", "scale": [0, 2], "threshold": 1}},
                "measures": ["infAP(rel=2)", "Compat(p=0.5)"],
            }
        }
    }
    with pytest.raises(InputError) as caught:
        campaigns(config)
    text = str(caught.value)
    for word in ("infAP(rel=2)", "pip install faraway", "Compat(p=0.5)"):
        assert word in text


SCALE = Scale(0, 3, "high", 1, None, ())
LOW = Scale(0, 3, "low", 1, None, ())


def computed(
    measure: str, qrels: dict, lists: dict, turned: Callable[[int], int] = int
) -> dict[str, float]:
    """What ir_measures itself says of one run."""
    labels = {t: {d: turned(n) for d, n in judged.items()} for t, judged in qrels.items()}
    found = ir_measures.iter_calc([ir_measures.parse_measure(measure)], labels, lists)
    return {one.query_id: one.value for one in found if one.query_id in lists}


def distinct(runs: dict) -> dict:
    """Scores without ties, above 0, in trec_eval's order: tools break ties each their own way."""
    return {
        run: {
            topic: {
                d: float(place)
                for place, (d, _) in enumerate(
                    sorted(found.items(), key=lambda p: (np.float32(p[1]), p[0])), 1
                )
            }
            for topic, found in lists.items()
        }
        for run, lists in runs.items()
    }


@pytest.mark.parametrize(
    "measure", ["infAP", "infAP(rel=2)", "Compat", "Compat(p=0.9)",
                "Compat(p=0.6, normalize=False)", "SetAP(rel=2)", "NumQ",
                "P(judged_only=True)@5", "nDCG(gains={1: 3, 2: 7})@10"]
)  # fmt: skip
@pytest.mark.parametrize("scale", [SCALE, LOW], ids=["high", "low"])
def test_as_ir_measures_itself(tmp_path: Path, measure: str, scale: Scale) -> None:
    runs, qrels = random_campaign(7)
    data = build(tmp_path, runs, {"topicality": Judged(qrels, scale)})
    scores = score(measure, data)
    ours = by_place(data, scores.value)
    turned = int if scale is SCALE else lambda n: 3 - n
    compared = 0
    for run, lists in distinct(runs).items():
        theirs = computed(measure, qrels, lists, turned)
        for topic in qrels:
            expected = theirs.get(topic, 0.0)
            expected = 0.0 if np.isnan(expected) else expected
            assert ours[run, topic] == pytest.approx(expected, abs=1e-9), (run, topic)
            compared += expected > 0
    assert compared >= 20
    for end in ("lower", "upper", "unjudged_lower", "unjudged_upper"):  # nobody knows them
        assert np.isnan(getattr(scores, end)).all()


def test_condensed_lists_and_other_dimensions(tmp_path: Path) -> None:
    runs, qrels = random_campaign(8)
    judged = {"topicality": Judged(qrels, SCALE), "ease": Judged(qrels, LOW, "topic")}
    data = build(tmp_path, runs, judged, unjudged="condensed")
    for measure, itself, turned in (
        ("Compat(p=0.9)", "Compat(p=0.9)", int),
        ("Compat(p=0.9, on=ease)", "Compat(p=0.9)", lambda n: 3 - n),
    ):
        ours = by_place(data, score(measure, data).value)
        for run, lists in distinct(runs).items():
            short = {
                topic: kept
                for topic, found in lists.items()
                if (kept := {d: s for d, s in found.items() if d in qrels.get(topic, {})})
            }
            for topic, value in computed(itself, qrels, short, turned).items():
                assert ours[run, topic] == pytest.approx(value, abs=1e-9)


def test_labels_by_document_count_in_every_topic(tmp_path: Path) -> None:
    lists = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"b": 2.0, "x": 1.0}}
    judged = {
        "topicality": Judged({"q1": {"a": 1}, "q2": {"b": 1}}),
        "ease": Judged({"q1": {"a": 1, "b": 0, "c": 1}}, key="document"),
    }
    data = build(tmp_path, {"r": lists}, judged)
    assert score("SetAP(on=ease)", data).value.tolist() == pytest.approx(
        [0.5 * 0.5, 0]  # set precision times set recall: one of two found, one of two known
    )


def test_labels_must_be_whole_numbers(tmp_path: Path) -> None:
    data = build(tmp_path, {"r": {"q": {"a": 1.0}}}, {"t": Judged({"q": {"a": 0.5}})})
    with pytest.raises(InputError) as caught:
        score("infAP", data)
    (problem,) = caught.value.problems
    assert problem.where == "dimension 't'"
    assert "0.5" in problem.what


def test_what_a_tool_trips_over_is_told(tmp_path: Path) -> None:
    """ir_measures 0.4.3 divides by 0 where every document is relevant."""
    data = build(tmp_path, {"r": {"q": {"a": 1.0}}}, {"t": Judged({"q": {"a": 1}})})
    with pytest.raises(InputError) as caught:
        score("Accuracy", data)
    (problem,) = caught.value.problems
    assert problem.where == "measure 'Accuracy'"
    assert "float division by zero" in problem.what


def test_from_files_to_files(tmp_path: Path) -> None:
    """The whole job, ties and all: unanswered topics are 0 and nothing is missing."""
    from pipeline.storage import arrow

    runs, qrels = random_campaign(3)
    files = {run: run_text(lists) for run, lists in runs.items()}
    small = campaign(tmp_path, files, {"topicality": Judged(qrels, SCALE)})
    ties = tmp_path / "ties.npz"
    write_ties(small.rankings, topics=small.topics, order="score", out=ties)
    out, overall = tmp_path / "s.parquet", tmp_path / "o.parquet"
    evaluate("infAP", dimensions=["topicality"], gains=small.gains, scores=ties, unjudged="zero",
             ties="report", out=out, overall=overall)  # fmt: skip
    table = arrow.read(out)
    found = {name: arrow.array(table[name]) for name in ("value", "worst", "expected", "best")}
    assert len(table) == len(runs) * len(qrels)
    for end in ("lower", "upper", "unjudged_lower", "unjudged_upper"):
        assert table[end].null_count == len(table)
        assert arrow.read(overall)[end].null_count == len(runs)
    assert np.isfinite(found["value"]).all()
    blank = table["worst"].null_count
    assert 0 < blank < len(table)  # where ties decide nothing, the value stands
    assert table["expected"].null_count == table["best"].null_count == blank
    means = arrow.array(arrow.read(overall)["value"])
    assert means.tolist() == pytest.approx(found["value"].reshape(len(runs), -1).mean(axis=1))


def test_the_base_of_a_combination(tmp_path: Path) -> None:
    lists = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    judged = {
        "topicality": Judged({"q": {"a": 1, "b": 0, "c": 1}}),
        "understandability": Judged({"q": {"a": 0, "b": 1, "c": 1}}),
    }
    data: Gains = build(tmp_path, {"r": lists}, judged)
    first, second = (1 + 2 / 3) / 2, (1 / 2 + 2 / 3) / 2
    value = score("H(infAP, topicality=1, understandability=1)", data).value
    assert value.tolist() == pytest.approx([2 / (1 / first + 1 / second)], abs=1e-4)


def test_equal_lists_are_scored_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a and b have the same labels in the same order, and q2 was judged as q1 was."""
    ranked = {"q1": {"d1": 3.0, "d2": 2.0}, "q2": {"d3": 3.0, "d4": 2.0}}
    other = {"q1": {"d1": 2.0, "d2": 3.0}, "q2": {"d3": 3.0, "d4": 2.0}}
    qrels = {"q1": {"d1": 1, "d2": 0}, "q2": {"d3": 1, "d4": 0}}
    data = build(tmp_path, {"a": ranked, "b": ranked, "c": other}, {"topicality": Judged(qrels)})
    asked = []
    plain = delegated._evaluate

    def counted(evaluator: object, measure: object, lists: dict) -> list:
        asked.extend(lists)
        return plain(evaluator, measure, lists)

    monkeypatch.setattr(delegated, "_evaluate", counted)
    found = by_place(data, score("infAP", data).value)
    assert len(asked) == 2
    assert found == pytest.approx(
        {(run, q): 1.0 for run in "abc" for q in qrels} | {("c", "q1"): 0.5},
        abs=1e-5,  # which it smooths by
    )
