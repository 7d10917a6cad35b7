"""Labels: direction, threshold, gain map, codes for "cannot judge", contradictions, keys."""

import math
import random
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from pipeline.config.scale import Scale
from pipeline.errors import InputError
from pipeline.labels.tables import tabulate, topics_of
from pipeline.storage.text import natural

NAN = math.nan
MAP = {0.0: 0.0, 1.0: 0.4, 2.0: 0.8, 3.0: 1.0}

# scale; labels; their binary gains; their gains
READINGS = {
    "high is better": (Scale(0, 2, "high", 1, None, ()), [0, 1, 2], [0, 1, 1], [0, 0.5, 1]),
    "low is better": (Scale(0, 2, "low", 1, None, ()), [0, 1, 2], [1, 1, 0], [1, 0.5, 0]),
    "2016: 0 is easiest": (
        Scale(0, 100, "low", 40, None, ()), [0, 40, 41, 100], [1, 1, 0, 0], [1, 0.6, 0.59, 0],
    ),
    "a scale from 1": (Scale(1, 5, "high", 4, None, ()), [1, 3, 4, 5], [0, 0, 1, 1],
                       [0, 0.5, 0.75, 1]),
    "below 0": (Scale(-2, 2, "high", 0.5, None, ()), [-2, 0, 1], [0, 0, 1], [0, 0.5, 0.75]),
    "gain map": (Scale(0, 3, "high", 2, MAP, ()), [0, 1, 2, 3], [0, 0, 1, 1], [0, 0.4, 0.8, 1]),
    "gain map, low is better": (
        Scale(0, 2, "low", 0, {0.0: 1.0, 1.0: 0.3, 2.0: 0.0}, ()), [0, 1, 2], [1, 0, 0],
        [1, 0.3, 0],
    ),
    "cannot judge, below the scale": (
        Scale(0, 2, "low", 1, None, (-1,)), [-1, 0, 2], [NAN, 1, 0], [NAN, 1, 0],
    ),
    "cannot judge, above the scale": (
        Scale(0, 2, "high", 1, None, (9, 8)), [9, 8, 2], [NAN, NAN, 1], [NAN, NAN, 1],
    ),
    "cannot judge, within the scale": (
        Scale(0, 4, "high", 2, None, (4,)), [4, 2, 1], [NAN, 1, 0], [NAN, 0.5, 0.25],
    ),
    "cannot judge, beside the map": (
        Scale(0, 3, "high", 2, MAP, (7,)), [7, 3], [NAN, 1], [NAN, 1],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("scale", "given", "binary", "gain"), READINGS.values(), ids=READINGS)
def test_readings(tmp_path: Path, scale: Scale, given: list, binary: list, gain: list) -> None:
    table = made(tmp_path, scale, "".join(f"1 0 d{n} {v}\n" for n, v in enumerate(given)))
    assert table["label"].to_pylist() == given
    np.testing.assert_array_equal(table["binary"].to_numpy(), binary)
    np.testing.assert_allclose(table["gain"].to_numpy(), gain, rtol=1e-12)


def made(folder: Path, scale: Scale, *texts: str, key: str = "topic", conflict: str = "error"):
    paths = []
    for n, text in enumerate(texts, 1):
        paths.append(folder / f"{n}.qrels")
        paths[-1].write_text(text)
    tabulate(paths, out=folder / "l.parquet", scale=scale, key=key, conflict=conflict)
    return pq.read_table(folder / "l.parquet")


# ---- contradictions -------------------------------------------------------------------------

HIGH, LOW = Scale(0, 3, "high", 2, None, (9,)), Scale(0, 3, "low", 1, None, (9,))
CONFLICTS = {
    "first": (HIGH, "first", [1, 3, 0], 1),
    "max": (HIGH, "max", [1, 3, 0], 3),
    "max is the best, where low is better": (LOW, "max", [1, 3, 0], 0),
    "mean": (HIGH, "mean", [1, 3, 0, 1], 1.25),
    "max never takes cannot judge": (HIGH, "max", [1, 9, 0], 1),
    "mean never counts cannot judge": (HIGH, "mean", [9, 3, 0], 1.5),
    "nobody could judge": (HIGH, "mean", [9, 9], 9),
    "equal labels are no contradiction": (HIGH, "error", [2, 2, 2], 2),
}


@pytest.mark.parametrize(("scale", "rule", "given", "stands"), CONFLICTS.values(), ids=CONFLICTS)
@pytest.mark.parametrize("files", [1, 2])
def test_conflicts(
    tmp_path: Path, scale: Scale, rule: str, given: list, stands: float, files: int
) -> None:
    lines = [f"1 0 d {value}\n" for value in given]
    texts = ["".join(lines)] if files == 1 else [lines[0], "".join(lines[1:])]
    assert made(tmp_path, scale, *texts, conflict=rule)["label"].to_pylist() == [stands]


def test_the_mean_of_two_labels_is_judged_under_a_gain_map(tmp_path: Path) -> None:
    scale = Scale(0, 3, "high", 2, MAP, ())
    table = made(tmp_path, scale, "1 0 d 1\n1 0 d 2\n", conflict="mean")
    assert table["label"].to_pylist() == [1.5]
    assert table["gain"].to_pylist() == pytest.approx([0.6])  # between 0.4 and 0.8


# ---- keys and order -------------------------------------------------------------------------


def test_by_topic_labels_are_apart_and_in_natural_order(tmp_path: Path) -> None:
    text = "q.10 0 b 1\nq.2 0 b 0\nq.2 0 a 2\nq.10 0 a 3\n"
    table = made(tmp_path, HIGH, text)
    assert table["topic"].to_pylist() == ["q.2", "q.2", "q.10", "q.10"]
    assert table["document"].to_pylist() == ["a", "b", "a", "b"]
    assert table["label"].to_pylist() == [2, 0, 3, 1]
    assert topics_of(tmp_path / "l.parquet") == ["q.2", "q.10"]


def test_by_document_the_topic_is_nothing(tmp_path: Path) -> None:
    table = made(tmp_path, HIGH, "2 0 d 3\n1 0 d 1\n1 0 e 0\n", key="document", conflict="first")
    assert table["topic"].to_pylist() == [None, None]
    assert table["document"].to_pylist() == ["d", "e"]
    assert table["label"].to_pylist() == [3, 0]
    assert topics_of(tmp_path / "l.parquet") == []


def test_natural_order() -> None:
    expected = ["", "1", "2", "10", "101", "qtest.1", "qtest.2", "qtest.2a", "qtest.10", "é"]
    shuffled = random.Random(3).sample(expected, len(expected))
    assert sorted(shuffled, key=natural) == expected


# ---- labels that cannot be ------------------------------------------------------------------

FIX = "correct the label or the scale, or list the code in cannot_judge"
GRADES = Scale(0, 3, "high", 2, MAP, ())
SOME = Scale(0, 3, "high", 2, {0.0: 0.0, 3.0: 1.0}, (7,))
RULE = "remove one, or set conflict to first, max or mean"
OUTSIDE = "{0}/1.qrels, line 2: the label %s is outside the scale 0 to 3; " + FIX
UNMAPPED = "{0}/1.qrels, line 2: the label %s is outside the gain map (%s); " + FIX
BAD_LABELS = {
    "above the scale": (HIGH, ["1 0 a 3\n1 0 b 4\n"], "topic", OUTSIDE % 4),
    "below the scale": (LOW, ["1 0 a 3\n1 0 b -1\n"], "topic", OUTSIDE % -1),
    "a fraction above": (HIGH, ["1 0 a 3\n1 0 b 3.5\n"], "topic", OUTSIDE % 3.5),
    "not in the gain map": (SOME, ["1 0 a 7\n1 0 b 2\n"], "topic", UNMAPPED % (2, "0, 3")),
    "between two grades": (
        GRADES, ["1 0 a 1\n1 0 b 1.5\n"], "topic", UNMAPPED % (1.5, "0, 1, 2, 3"),
    ),
    "outside the scale of the map": (
        GRADES, ["1 0 a 1\n1 0 b 4\n"], "topic", UNMAPPED % (4, "0, 1, 2, 3"),
    ),
    "contradiction in one file": (
        HIGH, ["1 0 a 1\n2 0 a 2\n1 0 a 2\n"], "topic",
        "{0}/1.qrels, line 3: document 'a' in topic '1' has the label 2, but 1 in "
        "{0}/1.qrels, line 1; " + RULE,
    ),
    "contradiction in two files": (
        HIGH, ["1 0 b 1\n1 0 a 1\n", "1 0 b 1\n\n1 0 a 9\n"], "topic",
        "{0}/2.qrels, line 3: document 'a' in topic '1' has the label 9, but 1 in "
        "{0}/1.qrels, line 2; " + RULE,
    ),
    "contradiction between topics": (
        HIGH, ["1 0 a 1\n2 0 a 2\n"], "document",
        "{0}/1.qrels, line 2: document 'a' has the label 2, but 1 in {0}/1.qrels, line 1; " + RULE,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("scale", "texts", "key", "message"), BAD_LABELS.values(), ids=BAD_LABELS)
def test_bad_labels(tmp_path: Path, scale: Scale, texts: list[str], key: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        made(tmp_path, scale, *texts, key=key)
    assert str(caught.value) == message.format(tmp_path)
    assert not (tmp_path / "l.parquet").exists()
