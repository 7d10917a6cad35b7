"""What is between a measure's bounds: unjudged documents, and ranks past the end of a list."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.measure import ENDS, Scores
from tests.builders import Judged, build
from tests.small import Case, gains_of

TWO = {
    "topicality": Judged({"q": {"a": 1, "b": 0}}),
    "understandability": Judged({"q": {"a": 1, "c": 1}}),
}


def ends(text: str, gains: Gains) -> list[float]:
    scores = parse(text, dimensions=list(gains.dimensions)).scores(gains)
    return [float(getattr(scores, end)[0]) for end in ENDS]


@pytest.mark.parametrize(
    ("text", "labels", "expected"),
    [
        # One relevant document, one nobody judged; a quarter of the user's attention goes on.
        ("RBP(p=0.5)", (1, None), [0.5, 0.5, 1.0, 0.5, 0.75]),
        ("RBP(p=0.5)", (1, 0), [0.5, 0.5, 0.75, 0.5, 0.5]),  # all open is past the end
        ("RBP(p=0.5)@2", (1, None), [0.5, 0.5, 1.0, 0.5, 0.75]),
        ("EU(RBP(p=0.5))", (2, None), [0.5, 0.5, 1.0, 0.5, 0.75]),
        ("ETU(RBP(p=0.5))", (2, None), [1.0, 1.0, 2.0, 1.0, 1.5]),
        ("TopicRBP(p=0.5)", (2, None), [0.5, 0.5, 1.0, 0.5, 0.75]),
        # A cutoff ends the list for these: a place without a document holds none.
        ("P@4", (1, None), [0.25, 0.25, 0.5, 0.25, 0.5]),
    ],
)
def test_worked_by_hand(text: str, labels: tuple[int | None, ...], expected: list[float]) -> None:
    assert ends(text, gains_of([Case(labels)])) == pytest.approx(expected, abs=1e-12)


def test_combinations_take_each_part_of_their_parts(tmp_path: Path) -> None:
    gains = build(tmp_path, {"r": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}}, TWO)
    # topicality 1 0 ?, understandability 1 ? 1
    first, second = [0.5, 0.5, 0.75, 0.5, 0.625], [0.625, 0.625, 1.0, 0.625, 0.875]
    assert ends("RBP(p=0.5)", gains) == first
    assert ends("RBP(p=0.5, on=understandability)", gains) == second
    harmonic = [2 / (1 / a + 1 / b) for a, b in zip(first, second, strict=True)]
    weights = "topicality=1, understandability=1"
    assert ends(f"H(RBP(p=0.5), {weights})", gains) == pytest.approx(harmonic)
    mean = [(a + b) / 2 for a, b in zip(first, second, strict=True)]
    assert ends(f"CAM(RBP(p=0.5), {weights})", gains) == pytest.approx(mean)


@pytest.mark.parametrize("way", ["H", "G", "CAM", "Hmeans"])
def test_nobody_knows_the_bounds_of_what_is_delegated(tmp_path: Path, way: str) -> None:
    gains = build(tmp_path, {"r": {"q": {"a": 3.0, "b": 2.0}}}, TWO)
    one = parse(f"{way}(infAP, topicality=1, understandability=1)", dimensions=list(TWO))
    scores = one.scores(gains)
    assert np.isfinite(scores.value).all()
    whole = Scores(*(one.overall(getattr(scores, end), gains, end=end) for end in ENDS))
    assert np.isfinite(whole.value).all()
    for end in ENDS[1:]:
        assert np.isnan(getattr(scores, end)).all()
        assert np.isnan(getattr(whole, end)).all()


def test_the_parts_add_up() -> None:
    rng = np.random.default_rng(3)
    cases = [
        Case(tuple(rng.choice([None, 0, 1, 2], rng.integers(1, 7)).tolist())) for _ in range(50)
    ]
    gains = gains_of(cases)
    for text in ("RBP(p=0.8)", "INST(T=2)", "ED(INST(T=2))", "nDCG", "ERR"):
        scores = parse(text, dimensions=["topicality"]).scores(gains)
        whole = scores.upper - scores.lower
        assert scores.unjudged + scores.past_end == pytest.approx(whole, abs=1e-12)
        assert (scores.past_end[gains.length > 0] > 0).any() == (text not in ("nDCG", "ERR"))
