"""People's answers as they are handed in: what is read, and every sentence on what is not."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import InputError, Problem
from pipeline.people.reading import KnownNames, pairs_of, read_preferences, read_ratings

KNOWN = KnownNames(topics=["1", "2"], runs=["ann_a", "bob_b", "cat_c"])


def written(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{place}.txt" for place in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def refusal(folder: Path, kind: str, *texts: str) -> list[Problem]:
    read = {"preferences": read_preferences, "satisfaction": read_ratings}[kind]
    with pytest.raises(InputError) as caught:
        read(written(folder, *texts), known=KNOWN)
    return caught.value.problems


def matches(problems: list[Problem], *expected: tuple[str, int | None, str, str]) -> bool:
    """Whether the problems are those of file, line, and words of what is wrong and of its fix."""
    return len(problems) == len(expected) and all(
        (Path(one.where).name, one.line) == (name, line) and what in one.what and fix in one.fix
        for one, (name, line, what, fix) in zip(problems, expected, strict=True)
    )


def test_preferences(tmp_path: Path) -> None:
    text = "# topic a b preferred\n1 ann_a bob_b ann_a\n1\tann_a\tcat_c\tcat_c\n2 cat_c bob_b tie\n"
    found = read_preferences(written(tmp_path, text), known=KNOWN)
    assert found.topic.tolist() == [0, 0, 1]
    assert found.first.tolist() == [0, 0, 2]
    assert found.second.tolist() == [1, 2, 1]
    assert found.sign.tolist() == [1, -1, 0]


def test_several_people_may_disagree_when_they_are_named(tmp_path: Path) -> None:
    text = "1 ann_a bob_b ann_a p1\n1 ann_a bob_b bob_b p2\n1 bob_b ann_a tie p3\n"
    found = read_preferences(written(tmp_path, text), known=KNOWN)
    assert found.sign.tolist() == [1, -1, 0]
    rated = "1 ann_a 2 p1\n1 ann_a 4 p2\n1 bob_b 1 p1\n"
    ratings = read_ratings(written(tmp_path, rated), known=KNOWN)
    assert ratings[:2, 0].tolist() == [3, 1]


def test_ratings_and_their_pairs(tmp_path: Path) -> None:
    text = "1 ann_a 1\n1 bob_b 2.5\n2 ann_a 3\n2 bob_b 3\n2 cat_c -1e0\n"
    ratings = read_ratings(written(tmp_path, text), known=KNOWN)
    assert np.array_equal(ratings, [[1, 3], [2.5, 3], [np.nan, -1]], equal_nan=True)
    pairs = pairs_of(ratings)
    rows = zip(*(x.tolist() for x in vars(pairs).values()), strict=True)
    assert sorted(rows) == [(0, 0, 1, -1), (1, 0, 1, 0), (1, 0, 2, 1), (1, 1, 2, 1)]


def test_everything_wrong_is_told_at_once(tmp_path: Path) -> None:
    text = (
        "1 ann_a bob_b ann_a\n"
        "1 ann_a\n"
        "3 ann_a bob_b ann_a\n"
        "1 ann_a bob_x bob_x\n"
        "2 ann_a ann_a ann_a\n"
        "2 ann_a bob_b both\n"
        "1 bob_b ann_a bob_b\n"
        "2 cat_c bob_b tie\n"
        "2 bob_b cat_c tie\n"
        "1 zebra bob_b bob_b me\n"
    )
    found = refusal(tmp_path, "preferences", text)
    assert matches(
        found,
        ("0.txt", 2, "2 columns", "topic run_a run_b preferred"),
        ("0.txt", 3, "topic '3'", "remove"),
        ("0.txt", 4, "run 'bob_x'", "did you mean 'bob_b'"),
        ("0.txt", 5, "with itself", "two runs"),
        ("0.txt", 6, "'both' is neither 'ann_a' nor 'bob_b'", "'tie'"),
        ("0.txt", 7, "contradicts 'ann_a' in line 1", "name the people"),
        ("0.txt", 9, "same as line 8", "name the people"),
        ("0.txt", 10, "run 'zebra'", "without .gz"),
    ), found


def test_wrong_ratings(tmp_path: Path) -> None:
    first = "1 ann_a 3\n1 bob_b good\n1 cat_c nan\n1 ann_a 4 5 6\n2 bob_b 1 me\n2 bob_b 1 me\n"
    found = refusal(tmp_path, "satisfaction", first, "1 ann_a 2\n2 bob_b 2 me\n")
    assert matches(
        found,
        ("0.txt", 2, "'good' is not a number", "correct"),
        ("0.txt", 3, "'nan' is not a number", "correct"),
        ("0.txt", 4, "5 columns", "topic run rating"),
        ("0.txt", 6, "same by 'me' as line 5", "keep one"),
        ("1.txt", 1, f"contradicts '3' in {tmp_path}/0.txt, line 1", "name the people"),
        ("1.txt", 2, f"by 'me' contradicts '1' in {tmp_path}/0.txt, line 5", "keep one"),
    ), found


@pytest.mark.parametrize(
    ("kind", "text", "what"),
    [
        ("preferences", "1 ann_a bob_b tie\n", "every preference is a tie"),
        ("satisfaction", "1 ann_a 3\n1 bob_b 3\n2 cat_c 1\n", "two runs with different ratings"),
        ("satisfaction", "", "empty"),
    ],
)
def test_nothing_to_agree_with(tmp_path: Path, kind: str, text: str, what: str) -> None:
    found = refusal(tmp_path, kind, text)
    assert matches(found, ("0.txt", None, what, "")), found


def test_a_file_of_another_kind_has_a_bounded_number_of_problems(tmp_path: Path) -> None:
    found = refusal(tmp_path, "preferences", "".join(f"{n} x\n" for n in range(99)))
    assert len(found) == 26
    assert "74 more" in found[-1].what
