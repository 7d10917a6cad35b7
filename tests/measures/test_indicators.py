"""The review's indicators: its worked example, by hand, and bounds against every possible label."""

import math
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.measures.standard.dcg import orders
from tests.builders import (
    BINARY,
    GRADED,
    Judged,
    Labels,
    Runs,
    campaign,
    run_text,
    score,
    value,
    write_ties,
)

FOUR = Scale(0, 3, "high", 1, None, ())


def scored(
    folder: Path,
    lists: Runs,
    labels: Labels,
    scale: Scale = BINARY,
    unjudged: str = "zero",
) -> Gains:
    """Gains with the systems' scores."""
    files = {run: run_text(topics) for run, topics in lists.items()}
    small = campaign(folder, files, {"t": Judged(labels, scale)})
    out = folder / "ties.npz"
    write_ties(small.rankings, topics=small.topics, order="score64", out=out)
    return read_gains(small.gains, unjudged=unjudged, scores=out)


# ---- the review's worked example --------------------------------------------------------------

# Basu (2019): six documents with the scores of the system, and stars of which one counts as none.
GRADES = (3, 2, 3, 0, 0, 2)
SCORES = (0.87, 0.76, 0.62, 0.59, 0.55, 0.38)


def test_the_worked_example(tmp_path: Path) -> None:
    lists = {"1": {d: -float(n) for n, d in enumerate("abcdef")}}
    data = scored(tmp_path, {"r": lists}, {"1": dict(zip("abcdef", GRADES, strict=True))}, FOUR)
    found, worst, ideal = (3 * part[0] for part in orders(data.view({"t": "gain"})))
    # It prints 4.093 for the worst order, with 2.8 for log2(7).
    assert (f"{found:.3f}", f"{ideal:.3f}", f"{worst:.3f}") == ("6.474", "6.754", "4.091")
    assert f"{value('nDCGmm', data)[0]:.3f}" == "0.895"


def test_the_scores_of_the_worked_example(tmp_path: Path) -> None:
    """Its cross-entropy of 1.024 (base 2) divides six losses by five; their mean is 0.853."""
    ranking = dict(zip("abcdef", SCORES, strict=True))
    labels = dict(zip("abcdef", GRADES, strict=True))
    data = scored(tmp_path, {"r": {"1": ranking}}, {"1": labels}, FOUR)
    assert value("SQI(scaling=none)", data)[0] == pytest.approx(0.0875, abs=1e-8)
    assert value("SQIpositive(scaling=none)", data).tolist() == [1]
    mean = value("CrossEntropy(scaling=none, log=log2)", data)[0]
    assert f"{mean:.3f}" == "0.853"
    assert f"{mean * 6 / 5:.3f}" == "1.024"
    assert value("CrossEntropy(scaling=none)", data)[0] == pytest.approx(mean * math.log(2))


# ---- by hand ----------------------------------------------------------------------------------

# scores 8, 6, 4, 0: scaled by min and max 1, .75, .5, 0; a and c relevant, b and d not
FOUR_DOCUMENTS = {"a": 8.0, "b": 6.0, "c": 4.0, "d": 0.0}
CLIPPED = -math.log(1 - 1e-6)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


BY_HAND = {
    "SQI": (1 + 0.5) / 2 - 0.75 / 2,
    "SQI@2": 0.25,
    "SQI@1": 0,  # nothing irrelevant to compare with
    "SQI(scaling=sigmoid)": (sigmoid(8) + sigmoid(4) - sigmoid(6) - 0.5) / 2,
    "SQIpositive": 1,
    "CrossEntropy": (CLIPPED - math.log(0.25) - math.log(0.5) + CLIPPED) / 4,
    "CrossEntropy@2": (CLIPPED - math.log(0.25)) / 2,
    "CrossEntropy(log=log2)@2": (CLIPPED - math.log(0.25)) / 2 / math.log(2),
    "CrossEntropy(clip=0.3)": (-math.log(0.7) - math.log(0.3) - math.log(0.5) - math.log(0.7)) / 4,
    "CrossEntropy(scaling=sigmoid)": (
        -math.log(sigmoid(8)) - math.log(1 - sigmoid(6)) - math.log(sigmoid(4)) - math.log(0.5)
    )
    / 4,
    # gains 1 0 1 0: worst 0 0 1 1, ideal 1 1 0 0
    "nDCGmm": (1.5 - (0.5 + 1 / math.log2(5))) / (1 + 1 / math.log2(3) - 0.5 - 1 / math.log2(5)),
    "nDCGmm@1": 1,  # the best document comes first, the worst list would begin with none
    "nDCGmm@2": 1 / (1 + 1 / math.log2(3)),
}


@pytest.mark.parametrize(("text", "expected"), BY_HAND.items(), ids=BY_HAND)
def test_by_hand(tmp_path: Path, text: str, expected: float) -> None:
    labels = {"a": 1, "b": 0, "c": 1, "d": 0}
    unknown = {"x": 2.0, "y": 1.0}
    data = scored(
        tmp_path,
        {"r": {"1": FOUR_DOCUMENTS, "3": unknown}},
        {"1": labels, "2": labels, "3": labels},
    )
    found = score(text, data)
    nothing = math.log(2) if text.startswith("CrossEntropy") else 0
    if "log2" in text:
        nothing = 1  # one bit
    assert found.value == pytest.approx([expected, nothing, nothing], rel=1e-9)
    assert (found.lower[:2], found.upper[:2]) == (
        pytest.approx(found.value[:2]), pytest.approx(found.value[:2]),
    )  # fmt: skip


def test_unjudged_documents_are_left_out(tmp_path: Path) -> None:
    """But nDCGmm orders the whole list, in which they gain nothing, unless it is condensed."""
    ranking = {"a": 1.0, "x": 0.9, "b": 0.75, "c": 0.5, "y": 0.25, "d": 0.0}
    labels = {"1": {"a": 1, "b": 0, "c": 1, "d": 0}}
    zero = scored(tmp_path / "1", {"r": {"1": ranking}}, labels)
    dropped = scored(tmp_path / "2", {"r": {"1": ranking}}, labels, unjudged="condensed")
    for data in (zero, dropped):
        assert value("SQI", data)[0] == pytest.approx(BY_HAND["SQI"])
        assert value("CrossEntropy", data)[0] == pytest.approx(BY_HAND["CrossEntropy"])
    assert value("nDCGmm", dropped)[0] == pytest.approx(BY_HAND["nDCGmm"])
    worst, ideal = 1 / math.log2(6) + 1 / math.log2(7), 1 + 1 / math.log2(3)
    found = 1 + 1 / math.log2(5)
    assert value("nDCGmm", zero)[0] == pytest.approx((found - worst) / (ideal - worst))


def test_lists_without_an_order(tmp_path: Path) -> None:
    """All documents alike: no order is better. Scores alike: no document is."""
    runs = {"r": {"1": {"a": 1.0, "b": 0.5}, "2": {"a": 1.0}, "3": {"a": 3.0, "b": 3.0}}}
    labels = {"1": {"a": 1, "b": 1}, "2": {"a": 0}, "3": {"a": 1, "b": 0}}
    data = scored(tmp_path, runs, labels)
    assert value("nDCGmm", data)[:2].tolist() == [1, 0]
    assert value("SQI", data).tolist() == [0, 0, 0]
    assert value("SQIpositive", data).tolist() == [0, 0, 0]
    assert value("CrossEntropy", data)[2] == pytest.approx(math.log(2))


def test_scores_that_are_no_chances_are_refused(tmp_path: Path) -> None:
    data = scored(tmp_path, {"r": {"1": {"a": 1.5, "b": 0.5}}}, {"1": {"a": 1}})
    with pytest.raises(InputError) as error:
        value("SQI(scaling=none)", data)
    (problem,) = error.value.problems
    assert problem.where == "scaling=none"
    assert "1.5" in problem.what
    assert "scaling=minmax" in problem.fix


# ---- bounds against every possible label ------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["nDCGmm", "nDCGmm@2", "SQI", "SQI@3", "SQI(scaling=sigmoid)", "SQIpositive", "CrossEntropy",
     "CrossEntropy(clip=0.2)@4"],
)  # fmt: skip
def test_bounds_hold_for_every_label(tmp_path: Path, text: str) -> None:
    chance = random.Random(3)
    grades = [0, 1, 2] if text.startswith("nDCG") else [0, 2]
    lists, labels, full, every, whose = {}, {}, {}, {}, []
    for n in range(40):
        documents = chance.sample("abcdefgh", chance.randrange(1, 7))
        ranking = {d: chance.uniform(-2, 2) for d in documents}
        known = {d: chance.choice(grades) for d in documents if chance.random() < 0.5} | {"z": 0}
        lists[f"{n:02d}"], labels[f"{n:02d}"] = ranking, known
        open_, mine = [d for d in documents if d not in known], []
        for m, chosen in enumerate(product(grades, repeat=len(open_))):
            topic = f"{n:02d}.{m:04d}"
            full[topic], every[topic] = ranking, known | dict(zip(open_, chosen, strict=True))
            mine.append(len(every) - 1)
        whose.append(mine)
    ends = score(text, scored(tmp_path / "1", {"r": lists}, labels, GRADED))
    values = value(text, scored(tmp_path / "2", {"r": full}, every, GRADED))
    exact = text.startswith("SQI")
    wide = 0
    for row, mine in enumerate(whose):
        least, most = values[mine].min(), values[mine].max()
        assert ends.lower[row] <= min(least, ends.value[row]) + 1e-12
        assert ends.upper[row] >= max(most, ends.value[row]) - 1e-12
        if len(mine) == 1:
            assert ends.lower[row] == pytest.approx(values[mine[0]]) == ends.upper[row]
        if exact:
            expected = min(least, ends.value[row]), max(most, ends.value[row])
            assert (ends.lower[row], ends.upper[row]) == pytest.approx(expected, abs=1e-12)
        wide += most > least
    assert wide > 10
    assert np.isfinite([ends.lower, ends.upper]).all()
