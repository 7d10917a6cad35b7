"""The step: the same pages by every way to cleanse and to count, in one pass.

It takes far longer than one way does (docs/cleansing.md), so a campaign asks for it, and only for
the documents that decide the ranking.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from math import nan
from pathlib import Path
from typing import Any

from pipeline.pages.cleanse import batched, told
from pipeline.pages.cleanse.pool import Page, answer_all
from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import INDICES
from pipeline.pages.readability.ways import Way, ways
from pipeline.storage.atomic import atomic

_COUNTS = len(Counts._fields)


def try_all(
    pages: Iterable[Page],
    *,
    chosen: Way,
    language: str | None,
    out: Path,
    threads: int = 1,
    seconds: float = 10.0,
    log: Path | None = None,
) -> None:
    """Write document, method, sentence_ends, engine, each index and reason of every page by each.

    A page takes at most `seconds` for each way.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    every = ways(chosen)
    task = json.dumps({"chosen": asdict(chosen), "language": language})
    answers = answer_all(
        pages,
        ("pipeline.pages.readability.ways_worker", task),
        workers=threads,
        seconds=seconds * len(every),
    )
    schema = pa.schema(
        [
            *(("document", pa.string()), ("method", pa.string())),
            *(("sentence_ends", pa.bool_()), ("engine", pa.string())),
            *((name, pa.float64()) for name in INDICES),
            ("reason", pa.string()),
        ]
    )
    with atomic(out) as draft, pq.ParquetWriter(draft, schema) as writer:
        for batch in batched(told(answers, log=log)):
            rows = [row for answer in batch for row in _rows(answer, every)]
            columns = [list(column) for column in zip(*rows, strict=True)]
            writer.write_table(pa.table(columns, schema=schema))


def _rows(answer: tuple[str, bytes, str], every: list[Way]) -> Iterator[tuple[Any, ...]]:
    document, content, lost = answer
    nothing = [*[nan] * len(INDICES), lost]  # the page took too long, or the parser died of it
    given = [one[_COUNTS:] for one in json.loads(content)] if content else [nothing] * len(every)
    for way, values in zip(every, given, strict=True):
        yield document, way.method, way.sentence_ends, way.engine, *values
