"""Judgements by subtopic: what they become, and what is wrong with files that are none."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import InputError
from pipeline.gains.from_files import read as read_gains
from pipeline.labels.scale import Scale
from pipeline.labels.subtopics import read_intents
from pipeline.labels.tables import label, subtopics_of, tabulate
from pipeline.measures import parse
from pipeline.storage import arrow

BINARY = Scale(0, 1, "high", 1, None, ())
SPAM = Scale(-2, 4, "high", 1, {-2: 0, 0: 0, 1: 0.25, 2: 0.5, 3: 0.75, 4: 1}, (-9,))


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_the_best_label_and_those_of_each_subtopic(tmp_path: Path) -> None:
    qrels = write(tmp_path / "q", "1 2 a 1\n1 0 b 0\n1 10 a 1\n1 10 c 1\n2 1 a 1\n")
    out = tmp_path / "t.parquet"
    label([qrels], out=out, scale=BINARY, subtopics=True)
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
    gains = read_gains([run], labels={"topicality": table})
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
    gains = read_gains([run], labels={"topicality": table})
    assert parse("RR-IA", dimensions=["topicality"]).value(gains) == pytest.approx([0.5])
    assert parse("strec@2", dimensions=["topicality"]).value(gains) == pytest.approx([2 / 3])


WRONG = {
    "1 0 a 1\n": (
        "{q}, line 1: the label 1 is relevant, but subtopic '0' means relevant to no subtopic; "
        "name the subtopic in the second column, or set the dimension's subtopics to false"
    ),
    "1 1 a 1\n1 Q0 b 0\n": (
        "{q}, line 2: 'Q0' is no subtopic; name the subtopic in the second column, or set the "
        "dimension's subtopics to false"
    ),
    "1 0 a 0\n2 0 b 0\n": (
        "{q}: no line has a subtopic in its second column, only '0'; give labels by subtopic "
        "('topic subtopic document label'), or set the dimension's subtopics to false"
    ),
    "1 1 a 1\n1 1 a 0\n": (
        "{q}, line 2: document 'a' in topic '1', subtopic '1', has the label 0, but 1 in {q}, line "
        "1; remove one, or set the dimension's conflict rule"
    ),
    "1 1 1 a 1\n": (
        "{q}, line 1: 5 fields where a qrels line has 4 ('topic 0 document label'); "
        "correct the line"
    ),
    "1 1 a 3\n": (
        "{q}, line 1: the label 3 is outside the scale 0 to 1; correct the label, the dimension's "
        "scale, or name the code under cannot_judge"
    ),
}


@pytest.mark.parametrize("text", WRONG)
def test_no_judgements_by_subtopic(tmp_path: Path, text: str) -> None:
    qrels = write(tmp_path / "q", text)
    with pytest.raises(InputError) as caught:
        tabulate([qrels], scale=BINARY, subtopics=True)
    assert str(caught.value) == WRONG[text].format(q=qrels)


WEIGHTS = {
    "1 1 0.5\n1 2 0.4\n": "{w}, line 1: the weights of topic '1' sum to 0.9; make them sum to 1",
    "1 1 0.5\n1 1 0.5\n": (
        "{w}, line 2: subtopic '1' of topic '1' has a weight already; remove one"
    ),
    "1 1 2\n": "{w}, line 1: '2' is no weight of a subtopic; it must be a number from 0 to 1",
    "1 1 x\n": "{w}, line 1: 'x' is no weight of a subtopic; it must be a number from 0 to 1",
    "1 1\n": (
        "{w}, line 1: 2 fields where an intents line has 3 ('topic subtopic weight'); "
        "correct the line"
    ),
    "2 1 1\n": "{w}: no weight for topic '1', which has labels; add its subtopics",
    "1 1 1\n": (
        "{w}: no weight for subtopic '2' of topic '1', to which document 'b' is relevant; add it "
        "(0 if it shall not count)"
    ),
}


@pytest.mark.parametrize("text", WEIGHTS)
def test_wrong_weights(tmp_path: Path, text: str) -> None:
    qrels = write(tmp_path / "q", "1 1 a 1\n1 2 b 1\n")
    intents = write(tmp_path / "w", text)
    with pytest.raises(InputError) as caught:
        tabulate([qrels], scale=BINARY, subtopics=True, intents=intents)
    assert str(caught.value) == WEIGHTS[text].format(w=intents)


def test_three_digits_of_a_third_are_enough(tmp_path: Path) -> None:
    found = read_intents(write(tmp_path / "w", "1 1 0.333\n1 2 0.333\n1 3 0.333\n"))
    assert sum(found["1"].values()) == pytest.approx(0.999)
