"""People's answers as they are handed in: what is read, and every sentence on what is not."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.errors import InputError
from pipeline.people.reading import Known, pairs_of, read_preferences, read_ratings

KNOWN = Known.of(topics=["1", "2"], runs=["ann_a", "bob_b", "cat_c"])


def written(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{place}.txt" for place in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def refusal(folder: Path, kind: str, *texts: str) -> list[str]:
    read = {"preferences": read_preferences, "satisfaction": read_ratings}[kind]
    with pytest.raises(InputError) as caught:
        read(written(folder, *texts), known=KNOWN)
    return str(caught.value).replace(f"{folder}/", "").splitlines()


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
    assert refusal(tmp_path, "preferences", text) == [
        "0.txt, line 2: has 2 columns; write 'topic run_a run_b preferred', and the person if you "
        "like",
        "0.txt, line 3: the topic '3' is none that counts in this campaign; remove the line",
        "0.txt, line 4: the run 'bob_x' is not in this campaign; did you mean 'bob_b'?",
        "0.txt, line 5: run 'ann_a' is compared with itself; name two runs",
        "0.txt, line 6: the preferred 'both' is neither 'ann_a' nor 'bob_b'; write one of the two, "
        "or 'tie'",
        "0.txt, line 7: 'bob_b' contradicts 'ann_a' in line 1; keep one of them, or name the "
        "people in one more column",
        "0.txt, line 9: the same as line 8; keep one of them, or name the people in one more "
        "column",
        "0.txt, line 10: the run 'zebra' is not in this campaign; write the name of its file "
        "without .gz",
    ]


def test_wrong_ratings(tmp_path: Path) -> None:
    first = "1 ann_a 3\n1 bob_b good\n1 cat_c nan\n1 ann_a 4 5 6\n2 bob_b 1 me\n2 bob_b 1 me\n"
    assert refusal(tmp_path, "satisfaction", first, "1 ann_a 2\n2 bob_b 2 me\n") == [
        "0.txt, line 2: the rating 'good' is not a number; correct it",
        "0.txt, line 3: the rating 'nan' is not a number; correct it",
        "0.txt, line 4: has 5 columns; write 'topic run rating', and the person if you like",
        "0.txt, line 6: the same by 'me' as line 5; keep one of them",
        "1.txt, line 1: 2 contradicts 3 in 0.txt, line 1; keep one of them, or name the people in "
        "one more column",
        "1.txt, line 2: 2 by 'me' contradicts 1 in 0.txt, line 5; keep one of them",
    ]


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        (
            "preferences", "1 ann_a bob_b tie\n",
            "0.txt: every preference is a tie, so there is nothing to agree with; take the file "
            "out of the config",
        ),
        (
            "satisfaction", "1 ann_a 3\n1 bob_b 3\n2 cat_c 1\n",
            "0.txt: no topic has two runs with different ratings, so there is nothing to agree "
            "with; rate several runs on the same topic",
        ),
        (
            "satisfaction", "",
            "0.txt: the file is empty; a satisfaction file has lines of 'topic run rating'",
        ),
    ],
)  # fmt: skip
def test_nothing_to_agree_with(tmp_path: Path, kind: str, text: str, told: str) -> None:
    assert refusal(tmp_path, kind, text) == [told]


def test_a_file_of_another_kind_is_not_told_line_by_line_for_ever(tmp_path: Path) -> None:
    told = refusal(tmp_path, "preferences", "".join(f"{n} x\n" for n in range(99)))
    assert len(told) == 26
    assert told[-1] == "and 74 more; correct these first"
