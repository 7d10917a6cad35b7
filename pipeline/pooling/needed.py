"""Which documents' pages a campaign needs: those its runs retrieved, or those in its pool."""

from pathlib import Path

import numpy as np

from pipeline.pages.needed import write
from pipeline.pooling.files import read as read_pool
from pipeline.storage import arrow


def want(source: Path, *, documents: str, depth: int, out: Path) -> None:
    """Write the ids of the documents needed to `out`.

    `source` is rankings.parquet for `retrieved` (down to rank `depth`), pool.tsv for `pooled`.
    """
    write(out, _retrieved(source, depth=depth) if documents == "retrieved" else _pooled(source))


def _retrieved(rankings: Path, *, depth: int) -> set[str]:
    table = arrow.read(rankings, ["rank", "document"], codes=["document"])
    document = table["document"].chunk(0)
    numbers = arrow.array(document.indices)[arrow.array(table["rank"]) <= depth]
    names: list[str] = document.dictionary.take(
        arrow.numbers(np.unique(numbers).astype(np.int64))
    ).to_pylist()
    return set(names)


def _pooled(pool: Path) -> set[str]:
    return {document for documents in read_pool(pool).values() for document in documents}
