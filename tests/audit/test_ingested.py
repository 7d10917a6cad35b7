"""The campaign's own rankings in another order: as reading the files again gives them."""

from pathlib import Path

import pytest

from pipeline.audit.policies import Ingested
from pipeline.runs.rank import rank_files
from pipeline.runs.rankings import Rankings, arrange
from pipeline.runs.reader import Policies
from tests.builders import ranked_files

TOPICS = ["1", "2"]
CLOSE = 1 + 1e-12  # differs from 1 in 64 bits, not in 32
FILES = {
    "close": f"1 Q0 a 1 1 t\n1 Q0 b 2 {CLOSE!r} t\n1 Q0 c 3 {CLOSE!r} t\n1 Q0 d 4 5 t\n"
    "2 Q0 a 1 1 t\n",
    "plain": "2 Q0 x 1 -1 t\n2 Q0 y 2 -2 t\n2 Q0 z 3 -2 t\n3 Q0 z 1 1 t\n",
    "zeros": "1 Q0 a 1 0 t\n1 Q0 b 2 -0.0 t\n1 Q0 c 3 1e-60 t\n",
}


def lists(ranked: Rankings) -> dict[tuple[str, str], list[str]]:
    """The documents of every run and topic, by name."""
    names = ranked.documents.to_pylist()
    rows = iter(zip(ranked.number.tolist(), ranked.length.tolist(), strict=True))
    found = {}
    for run in ranked.runs:
        for topic in ranked.topics:
            number, length = next(rows)
            assert set(number[length:]) <= {-1}
            found[run, topic] = [names[n] for n in number[:length]]
    return found


def read_again(folder: Path, order: str, runs: list[str]) -> Rankings:
    files = [folder / "runs" / run for run in runs]
    table = rank_files(files, policies=Policies(order=order)).table
    return arrange(table.combine_chunks(), topics=TOPICS)


@pytest.mark.parametrize("order", ["score", "score32", "score64"])
@pytest.mark.parametrize("runs", [sorted(FILES), ["close", "zeros"]])
def test_as_the_files_say(tmp_path: Path, order: str, runs: list[str]) -> None:
    small = ranked_files(tmp_path, FILES)
    own = Ingested(small.rankings, small.facts, "score")
    found = own.ranked(runs, order=order, topics=TOPICS)
    assert found is not None
    assert lists(found) == lists(read_again(tmp_path, order, runs))
    expected = ["d", "c", "b", "a"]
    assert lists(found)["close", "1"] == expected
    assert lists(found)["zeros", "1"] == (["c", "b", "a"])


def test_the_two_orders_differ(tmp_path: Path) -> None:
    files = {"one": f"1 Q0 a 1 {CLOSE!r} t\n1 Q0 b 2 1 t\n2 Q0 a 1 1 t\n"}
    small = ranked_files(tmp_path, {**files, "two": "1 Q0 a 1 1 t\n"})
    own = Ingested(small.rankings, small.facts, "score")
    found = {
        order: own.ranked(["one"], order=order, topics=TOPICS) for order in ("score", "score64")
    }
    assert found["score"] is not None
    assert found["score64"] is not None
    assert lists(found["score"])["one", "1"] == ["b", "a"]
    assert lists(found["score64"])["one", "1"] == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "policies"),
    [
        ("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n", {"depth": 2}),  # what was cut off may tie
        (
            "1 Q0 a 1 3 t\n1 Q0 a 2 2 t\n",
            {"duplicates": "first"},
        ),  # which one stays, the order says
        ("1 Q0 a 1 nan t\n1 Q0 b 2 2 t\n", {"bad_scores": "last"}),
    ],
)
def test_what_is_not_whole_is_read_again(
    tmp_path: Path, text: str, policies: dict[str, object]
) -> None:
    small = ranked_files(tmp_path, {"odd": text, "plain": FILES["plain"]}, **policies)
    own = Ingested(small.rankings, small.facts, "score")
    assert own.ranked(["odd", "plain"], order="score64", topics=TOPICS) is None
    assert own.ranked(["odd", "plain"], order="score", topics=TOPICS) is not None
    assert (own.ranked(["plain"], order="score64", topics=TOPICS) is None) == (
        policies == {"depth": 2}
    )


def test_ranks_are_not_kept_and_scores_do_not_follow_from_them(tmp_path: Path) -> None:
    small = ranked_files(tmp_path, FILES, order="rank")
    own = Ingested(small.rankings, small.facts, "rank")
    for order in ("rank", "score", "score64"):
        assert own.ranked(sorted(FILES), order=order, topics=TOPICS) is None
