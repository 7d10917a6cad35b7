"""Judgements by subtopic: what they become, and what is wrong with files that are none."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.labels.subtopics import read_intents
from pipeline.labels.tables import subtopics_of, tabulate
from pipeline.measures import parse
from pipeline.storage import arrow
from tests.builders import read_files

BINARY = Scale(0, 1, "high", 1, None, ())
SPAM = Scale(-2, 4, "high", 1, {-2: 0, 0: 0, 1: 0.25, 2: 0.5, 3: 0.75, 4: 1}, (-9,))


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_the_best_label_and_those_of_each_subtopic(tmp_path: Path) -> None:
    qrels = write(tmp_path / "q", "1 2 a 1\n1 0 b 0\n1 10 a 1\n1 10 c 1\n2 1 a 1\n")
    out = tmp_path / "t.parquet"
    tabulate([qrels], out=out, scale=BINARY, subtopics=True)
    table = arrow.read(out)
    assert subtopics_of(table) == {"1": {"2": None, "10": None}, "2": {"1": None}}
    assert table["document"].to_pylist() == ["a", "b", "c", "a"]
    assert table["binary"].to_pylist() == [1, 0, 1, 1]
    assert table["binary_by_subtopic"].to_pylist() == [[1, 1], [0, 0], [0, 1], [1]]


def test_graded_labels_with_spam_and_codes(tmp_path: Path) -> None:
    """As from 2011 on: a line for every subtopic, -2 for spam; and a code for 'cannot judge'."""
    qrels = write(tmp_path / "q", "7 1 a 4\n7 2 a -2\n7 1 b -2\n7 2 b -2\n7 1 c -9\n7 2 c 2\n")
    table = tabulate([qrels], scale=SPAM, subtopics=True)
    assert table["label"].to_pylist() == [4, -2, 2]
    assert table["gain_by_subtopic"].to_pylist() == [[1, 0], [0, 0], [0, 0.5]]
    run = write(tmp_path / "r", "7 Q0 b 1 3 t\n7 Q0 c 2 2 t\n7 Q0 a 3 1 t\n")
    gains = read_files([run], labels={"topicality": table})
    found = parse("ERR-IA@3", dimensions=["topicality"]).value(gains)
    assert found == pytest.approx([(1 / 2 + 1 / 3) / 2 / (1 + 1 / 4 + 1 / 12)])
    graded = parse("D-nDCG@3", dimensions=["topicality"]).value(gains)
    best = 0.5 + 0.25 / np.log2(3)
    assert graded == pytest.approx([(0.25 / np.log2(3) + 0.5 / 2) / best])


def test_weights(tmp_path: Path) -> None:
    qrels = write(tmp_path / "q", "1 1 a 1\n1 2 b 1\n")
    intents = write(tmp_path / "w", "1 1 0.25\n1 2 0.5\n1 3 0.25\n9 1 1\n")
    table = tabulate([qrels], scale=BINARY, subtopics=True, intents=intents)
    assert subtopics_of(table) == {"1": {"1": 0.25, "2": 0.5, "3": 0.25}}
    run = write(tmp_path / "r", "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n")
    gains = read_files([run], labels={"topicality": table})
    assert parse("RR-IA", dimensions=["topicality"]).value(gains) == pytest.approx([0.5])
    assert parse("strec@2", dimensions=["topicality"]).value(gains) == pytest.approx([2 / 3])


# Text of the file: line of the problem, what it names, a part of the fix.
Case = tuple[int | None, tuple[str, ...], str]
WRONG: dict[str, Case] = {
    "1 0 a 1\n": (1, ("label 1", "subtopic '0'"), "second column"),
    "1 1 a 1\n1 Q0 b 0\n": (2, ("'Q0'",), "subtopics of the dimension to false"),
    "1 0 a 0\n2 0 b 0\n": (None, ("'0'",), "topic subtopic document label"),
    "1 1 a 1\n1 1 a 0\n": (
        2,
        ("'a'", "topic '1'", "subtopic '1'", "label 0", "line 1"),
        "conflict",
    ),
    "1 1 1 a 1\n": (1, ("5 fields", "topic 0 document label"), "correct"),
    "1 1 a 3\n": (1, ("label 3", "0 to 1"), "cannot_judge"),
}
WEIGHTS: dict[str, Case] = {
    "1 1 0.5\n1 2 0.4\n": (1, ("topic '1'", "0.9"), "sum to 1"),
    "1 1 0.5\n1 1 0.5\n": (2, ("subtopic '1'", "topic '1'"), "remove one"),
    "1 1 2\n": (1, ("'2'",), "from 0 to 1"),
    "1 1 x\n": (1, ("'x'",), "from 0 to 1"),
    "1 1\n": (1, ("2 fields", "topic subtopic weight"), "correct"),
    "2 1 1\n": (None, ("topic '1'",), "add its subtopics"),
    "1 1 1\n": (None, ("subtopic '2'", "topic '1'", "'b'"), "add it"),
}


def refused(path: Path, case: Case, **given: Any) -> None:
    """The one problem that reading judgements by subtopic has with a file."""
    with pytest.raises(InputError) as caught:
        tabulate([path.parent / "q"], scale=BINARY, subtopics=True, **given)
    (found,) = caught.value.problems
    line, named, fix = case
    assert (found.where, found.line) == (path, line)
    assert all(name in found.what for name in named)
    assert fix in found.fix


@pytest.mark.parametrize("text", WRONG)
def test_no_judgements_by_subtopic(tmp_path: Path, text: str) -> None:
    refused(write(tmp_path / "q", text), WRONG[text])


@pytest.mark.parametrize("text", WEIGHTS)
def test_wrong_weights(tmp_path: Path, text: str) -> None:
    write(tmp_path / "q", "1 1 a 1\n1 2 b 1\n")
    intents = write(tmp_path / "w", text)
    refused(intents, WEIGHTS[text], intents=intents)


def test_three_digits_of_a_third_are_enough(tmp_path: Path) -> None:
    found = read_intents(write(tmp_path / "w", "1 1 0.333\n1 2 0.333\n1 3 0.333\n"))
    assert sum(found["1"].values()) == pytest.approx(0.999)
