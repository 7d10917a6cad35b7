"""Which documents' pages are needed: retrieved down to a depth, or pooled."""

from pathlib import Path

import pytest

from pipeline.pages.needed import read
from pipeline.pooling.needed import want
from pipeline.runs.ingest import ingest
from pipeline.runs.rankings import merge

RUNS = {
    "a": "1 Q0 x 1 9 a\n1 Q0 y 2 8 a\n1 Q0 z 3 7 a\n2 Q0 w 1 9 a\n",
    "b": "1 Q0 y 1 9 b\n1 Q0 v 2 8 b\n",
}


@pytest.fixture
def rankings(tmp_path: Path) -> Path:
    for name, text in RUNS.items():
        (tmp_path / name).write_text(text)
    ingest(
        [tmp_path / name for name in RUNS],
        out=tmp_path / "part.parquet",
        facts=tmp_path / "part.json",
        order="score",
        depth=1000,
        duplicates="error",
        bad_scores="error",
    )
    merge([tmp_path / "part.parquet"], out=tmp_path / "rankings.parquet")
    return tmp_path / "rankings.parquet"


@pytest.mark.parametrize(("depth", "expected"), [(1, "wxy"), (2, "vwxy"), (3, "vwxyz")])
def test_retrieved(rankings: Path, tmp_path: Path, depth: int, expected: str) -> None:
    out = tmp_path / "wanted.txt"
    want(rankings, documents="retrieved", depth=depth, out=out)
    assert out.read_text() == "".join(f"{document}\n" for document in expected)
    assert read(out) == set(expected)


def test_pooled(tmp_path: Path) -> None:
    pool = tmp_path / "pool.tsv"
    pool.write_text('topic\tdocument\truns\tbest_rank\n1\t"x\t2\t1\n1\ty\t1\t1\n2\ty\t1\t3\n')
    want(pool, documents="pooled", depth=1000, out=tmp_path / "wanted.txt")
    assert read(tmp_path / "wanted.txt") == {'"x', "y"}
