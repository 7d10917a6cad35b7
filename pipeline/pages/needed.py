"""Which documents' pages a campaign needs: those its runs retrieved, or those in its pool."""

import csv
from pathlib import Path

import numpy as np

from pipeline.storage import arrow
from pipeline.storage.atomic import atomic


def want(source: Path, *, documents: str, depth: int, out: Path) -> None:
    """Write the ids of the documents needed to `out`, one a line, sorted.

    `source` is rankings.parquet for `retrieved` (down to rank `depth`), pool.tsv for `pooled`.
    """
    found = _retrieved(source, depth=depth) if documents == "retrieved" else _pooled(source)
    with atomic(out) as draft:
        lines = "".join(f"{document}\n" for document in sorted(found))
        draft.write_text(lines, encoding="utf-8", newline="\n")


def read(path: Path) -> set[str]:
    """The ids in such a file."""
    return set(path.read_text(encoding="utf-8").splitlines())


def _retrieved(rankings: Path, *, depth: int) -> set[str]:
    table = arrow.read(rankings, ["rank", "document"], codes=["document"])
    document = table["document"].chunk(0)
    numbers = arrow.array(document.indices)[arrow.array(table["rank"]) <= depth]
    names: list[str] = document.dictionary.take(
        arrow.numbers(np.unique(numbers).astype(np.int64))
    ).to_pylist()
    return set(names)


def _pooled(pool: Path) -> set[str]:
    with pool.open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {row["document"] for row in rows}
