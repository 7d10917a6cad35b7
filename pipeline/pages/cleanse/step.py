"""The step: the text of every page, or the reason why it has none, a batch at a time."""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from pipeline.errors import InputError
from pipeline.pages.cleanse.method import DEFAULT, METHODS
from pipeline.pages.cleanse.pool import Page, clean_all
from pipeline.pages.cleanse.worker import Task
from pipeline.storage.atomic import atomic

T = TypeVar("T")
AnyTask = TypeVar("AnyTask", bound=Task)
_EVERY = 10.0  # seconds between two lines of progress


def cleanse(
    pages: Iterable[Page],
    *,
    out: Path,
    facts: Path | None = None,
    notes: Sequence[str] = (),
    method: str = DEFAULT,
    sentence_ends: bool = True,
    language: str | None = None,
    threads: int = 1,
    seconds: float = 10.0,
    log: Path | None = None,
) -> None:
    """Clean `(document, page)` pairs and write document, text, reason to `out`, in their order.

    A page takes at most `seconds`. `facts` gets what the shard amounted to: pages by reason, and
    the reader's `notes` (which may still grow while the pages are read).
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from pipeline.storage import arrow

    task = ready(Task(method=method, sentence_ends=sentence_ends, language=language))
    rows = clean_all(pages, task=task, workers=threads, seconds=seconds)
    schema = pa.schema([(name, pa.string()) for name in ("document", "text", "reason")])
    reasons: Counter[str] = Counter()
    with atomic(out) as draft, pq.ParquetWriter(draft, schema, compression="zstd") as writer:
        for batch in batched(told(rows, log=log)):
            parts = [arrow.strings(column) for column in zip(*batch, strict=True)]
            writer.write_table(pa.table(parts, schema=schema))
            reasons.update(parts[2].to_pylist())
    if facts is not None:
        write_facts(facts, reasons=reasons, notes=notes)


def ready(task: AnyTask) -> AnyTask:
    """The task, if there is such a method; where it is not compiled, that is said."""
    if task.method not in METHODS:
        raise InputError(METHODS.unknown(task.method))
    if task.method == DEFAULT:
        from pipeline.pages.cleanse.methods.blocks import say_if_not_compiled

        say_if_not_compiled()
    return task


def write_facts(facts: Path, *, reasons: Counter[str], notes: Sequence[str]) -> None:
    """Write what a shard amounted to."""
    with atomic(facts) as draft:
        found = {"pages": reasons.total(), "reasons": dict(sorted(reasons.items()))}
        draft.write_text(json.dumps({**found, "notes": list(notes)}, indent=1))


def told(rows: Iterator[T], *, log: Path | None) -> Iterator[T]:
    """The rows as they come, with a line of progress now and then for those who wait."""
    begin = last = time.monotonic()
    done = 0
    for done, row in enumerate(rows, 1):
        yield row
        now = time.monotonic()
        if now - last > _EVERY:
            last = now
            line = f"cleanse: {done:,} pages so far, {done / (now - begin):,.0f} a second"
            print(line, file=sys.stderr, flush=True)
            if log:
                with log.open("a", encoding="utf-8") as file:
                    print(line, file=file)


def batched(rows: Iterable[T], size: int = 512) -> Iterator[list[T]]:
    """Rows in lists of `size`, so that a large collection never sits in memory whole."""
    every = iter(rows)
    while batch := list(islice(every, size)):
        yield batch
