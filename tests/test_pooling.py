"""Pooling: depth@k by hand, and against the obvious loop."""

import random
from pathlib import Path

import pytest

from pipeline.pooling import pool
from tests.builders import ranked, ranked_files, run_text


def pooled(folder: Path, runs: dict, depth: int) -> str:
    small = ranked_files(folder, {run: run_text(lists) for run, lists in runs.items()})
    pool(small.rankings, depth=depth, out=folder / "pool.tsv")
    return (folder / "pool.tsv").read_text(encoding="utf-8")


def test_by_hand(tmp_path: Path) -> None:
    runs = {
        "r": {"10": ranked("a b c"), "2": ranked("x")},
        "s": {"10": ranked("d b a")},
        "t": {"2": ranked("y x z")},
    }
    assert pooled(tmp_path, runs, 2) == (
        "topic\tdocument\truns\tbest_rank\n"
        "2\tx\t2\t1\n2\ty\t1\t1\n"
        "10\ta\t1\t1\n10\tb\t2\t2\n10\td\t1\t1\n"
    )


@pytest.mark.parametrize("depth", [1, 3, 10, 500])
def test_as_the_obvious_loop(tmp_path: Path, depth: int) -> None:
    chance = random.Random(depth)
    runs = {
        f"r{r}": {
            f"t{t}": ranked(" ".join(chance.sample([f"d{d}" for d in range(30)], 15)))
            for t in chance.sample(range(12), 9)
        }
        for r in range(6)
    }
    found: dict[tuple[int, str], list[int]] = {}
    for lists in runs.values():
        for topic, documents in lists.items():
            for rank, document in enumerate(list(documents)[:depth], 1):
                found.setdefault((int(topic[1:]), document), []).append(rank)
    expected = [
        f"t{t}\t{document}\t{len(ranks)}\t{min(ranks)}"
        for (t, document), ranks in sorted(found.items())
    ]
    assert pooled(tmp_path, runs, depth).splitlines()[1:] == expected


def test_ids_with_quotes(tmp_path: Path) -> None:
    text = pooled(tmp_path, {"r": {"1": ranked("""http://x/?q="a",b'c' é""")}}, 5)
    assert text.splitlines()[1:] == ["""1\thttp://x/?q="a",b'c'\t1\t1""", "1\té\t1\t2"]
