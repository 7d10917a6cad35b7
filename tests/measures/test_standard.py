"""Standard measures: worked by hand, trec_eval's corners, their names, and their documentation."""

import math
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.measures import parse
from pipeline.measures.ties import under_ties
from tests.small import Case, gains_of

ROOT = Path(__file__).resolve().parents[2]
HOW_TO = ROOT / "docs/how-to/own-measure.md"

# Ranks: 1, unjudged, 0, 2, 0; also judged, but not retrieved: 2, 0. So R = 3, N = 3.
HAND = Case((1, None, 0, 2, 0), (2, 0))
# No relevant document; and a list of which nothing is judged.
BARREN, BLANK = Case((0, None), (0,)), Case((None, None, None), (1, 1))
LOG3, LOG5 = math.log2(3), math.log2(5)

BY_HAND = {  # measure: for the three lists
    "P@2": (1 / 2, 0, 0),
    "P(gain=graded)@4": ((0.5 + 1) / 4, 0, 0),
    "R@2": (1 / 3, 0, 0),
    "R@10": (2 / 3, 0, 0),
    "R(gain=graded)@10": (1.5 / 2.5, 0, 0),
    "SetP": (2 / 5, 0, 0),
    "SetR": (2 / 3, 0, 0),
    "SetF": (2 * 0.4 * (2 / 3) / (0.4 + 2 / 3), 0, 0),
    "SetF(beta=2)": (5 * 0.4 * (2 / 3) / (4 * 0.4 + 2 / 3), 0, 0),
    "SetF@4": (2 * 0.5 * (2 / 3) / (0.5 + 2 / 3), 0, 0),
    "SetE": (1 - 2 * 0.4 * (2 / 3) / (0.4 + 2 / 3), 1, 1),
    "Rprec": (1 / 3, 0, 0),
    "AP": ((1 + 2 / 4) / 3, 0, 0),
    "AP(rel=2)": (1 / 4 / 2, 0, 0),
    "GMAP": ((1 + 2 / 4) / 3, 0, 0),
    "IPrec(recall=0)": (1, 0, 0),
    "IPrec(recall=0.3)": (1, 0, 0),  # floor(0.9 + 0.9) = 1 document
    "IPrec(recall=0.4)": (0.5, 0, 0),  # floor(1.2 + 0.9) = 2 documents
    "IPrec(recall=1)": (0, 0, 0),
    "RR": (1, 0, 0),
    "RR(rel=2)": (1 / 4, 0, 0),
    "Success@1": (1, 0, 0),
    "Success(rel=2)@3": (0, 0, 0),
    # rank 1: nothing above; rank 4: one nonrelevant of min(3, 3) above
    "Bpref": ((1 + (1 - 1 / 3)) / 3, 0, 0),
    "DCG": (1 + 2 / LOG5, 0, 0),
    "DCGexp@4": (1 + 3 / LOG5, 0, 0),
    "nDCG@4": ((1 + 2 / LOG5) / (2 + 2 / LOG3 + 1 / 2), 0, 0),
    "nDCGexp@4": ((1 + 3 / LOG5) / (3 + 3 / LOG3 + 1 / 2), 0, 0),
    # stops: 1/4, 0, 0, 3/4
    "ERR": (1 / 4 + 3 / 4 * 3 / 4 / 4, 0, 0),
    "ERR@3": (1 / 4, 0, 0),
    "Judged": (4 / 5, 1 / 2, 0),
    "Judged@2": (1 / 2, 1 / 2, 0),
    "Unjudged": (1, 1, 3),
    "NumRet": (5, 2, 3),
    "NumRet(rel=2)": (1, 0, 0),
    "NumRel": (3, 0, 2),
    "NumRelRet": (2, 0, 0),
}


@pytest.mark.parametrize(("text", "expected"), BY_HAND.items(), ids=BY_HAND)
def test_by_hand(text: str, expected: tuple[float, ...]) -> None:
    measure = parse(text, dimensions=["topicality"])
    values = measure.value(gains_of([HAND, BARREN, BLANK]))
    assert values.tolist() == pytest.approx(expected, rel=1e-12)


OVER_TOPICS = {  # measure: its figure over three topics, the last unanswered
    "AP": (0.5 + 0 + 0) / 3,
    "GMAP": math.exp((math.log(0.5) + 2 * math.log(1e-5)) / 3),
    "NumRelRet": 2,
    "NumRet": 7,
    "Unjudged": 2,
    "SetE": (BY_HAND["SetE"][0] + 1 + 1) / 3,
}


@pytest.mark.parametrize(("text", "expected"), OVER_TOPICS.items(), ids=OVER_TOPICS)
def test_over_topics(text: str, expected: float) -> None:
    measure, gains = parse(text, dimensions=["t"]), gains_of([HAND, BARREN, Case((), (1,))])
    gains = type(gains)(**{**vars(gains), "dimensions": {"t": gains.dimensions["topicality"]}})
    assert measure.overall(measure.value(gains), gains).tolist() == pytest.approx([expected])


# One group of four, one of them relevant, behind one that is not: ranks 2 to 5 are as likely.
TIED = Case((0, 0, 1, 0, 0), (), (0, 1, 1, 1, 1))
EXPECTED = {
    "P@2": 1 / 4 / 2,
    "RR": (1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 4,
    "RR@3": (1 / 2 + 1 / 3) / 4,
    "AP": (1 / 2 + 1 / 3 + 1 / 4 + 1 / 5) / 4,
    "Success@3": 2 / 4,
    "Rprec": 0,
    "ERR@3": (1 / 4) * (1 / 2 + 1 / 3) / 4,
    # N = 4, R = 1: one nonrelevant above is as many as count
    "Bpref": 0,
    "nDCGexp": sum(1 / math.log2(rank + 1) for rank in (2, 3, 4, 5)) / 4,
}


@pytest.mark.parametrize(("text", "expected"), EXPECTED.items(), ids=EXPECTED)
def test_expected_under_ties(text: str, expected: float) -> None:
    measure, gains = parse(text, dimensions=["topicality"]), gains_of([TIED])
    ties = under_ties(measure, gains, measure.value(gains))
    assert ties.expected.tolist() == pytest.approx([expected], rel=1e-12)


NAMES = {
    "nDCGexp @10": "nDCGexp@10",
    "SetF": "SetF(beta=1)",
    "IPrec(recall=.1)": "IPrec(recall=0.1)",
    "uJudged@5": "uJudged@5",
    "Bpref(rel=2)": "Bpref(rel=2)",
}
MISTAKES = {
    "SetF(beta=0)": "beta=0 must be a number above 0",
    "IPrec(recall=2)": "recall=2 must be a number from 0 to 1",
    "R": "R needs a cutoff, such as R@10",
    "Bpref@10": "Bpref takes no cutoff; leave out @10",
}


@pytest.mark.parametrize(("text", "name"), NAMES.items(), ids=NAMES)
def test_names(text: str, name: str) -> None:
    measure = parse(text, dimensions=["topicality", "understandability"])
    assert measure.name == name
    assert parse(name, dimensions=["topicality", "understandability"]) == measure


@pytest.mark.parametrize(("text", "problem"), MISTAKES.items(), ids=MISTAKES)
def test_mistakes(text: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text, dimensions=["topicality"])
    assert str(caught.value) == f"measure '{text}': {problem}"


# ---- the documentation -----------------------------------------------------------------------


TRY = """
from pipeline.measures import REGISTRY, parse
from pipeline.measures.ties import under_ties
from tests.small import Case, gains_of
measure = parse("LinearP@3", dimensions=["topicality", "understandability"])
gains = gains_of([Case((1, None, 2, 0), (), (0, 0, 1, 1)), Case((), (1,))])
scores = measure.scores(gains)
ties = under_ties(measure, gains, scores.value)
for numbers in (scores.value, scores.lower, scores.upper, ties.worst, ties.expected, ties.best):
    print(*(f"{number:.4f}" for number in numbers))
print(measure.modules[0], "LinearP" in REGISTRY)
for text in ("LinearP(on=understandability, gain=graded)@5", "uLinearP@10",
             "H(LinearP@10, topicality=1, understandability=1)"):
    print(parse(text, dimensions=["topicality", "understandability"]).name)
"""


def test_the_example_of_a_new_measure_works(tmp_path: Path) -> None:
    """The module from the documentation, in a copy of the library, is all it takes."""
    text = HOW_TO.read_text(encoding="utf-8").partition("## In the library")[2]
    source = re.search(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    assert source
    for folder in ("pipeline", "tests"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignore)
    (tmp_path / "pipeline" / "measures" / "standard" / "linear_precision.py").write_text(source[1])
    done = subprocess.run(
        [sys.executable, "-c", TRY],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [
        # weights 3, 2, 1 of 6; ranks 1 and 3 are relevant, rank 2 is open and tied with rank 1
        f"{4 / 6:.4f} 0.0000",
        f"{4 / 6:.4f} 0.0000",
        f"{6 / 6:.4f} 0.0000",
        f"{2 / 6:.4f} 0.0000",
        f"{2.5 / 6 + 0.5 / 6:.4f} 0.0000",
        f"{4 / 6:.4f} 0.0000",
        "pipeline.measures.standard.linear_precision True",
        "LinearP(gain=graded, on=understandability)@5",
        "uLinearP@10",
        "H(LinearP@10, topicality=1, understandability=1)",
    ], done.stderr[-2000:]
