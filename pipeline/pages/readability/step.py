"""The step: the counts and indices of every page that has text.

Where the text was kept, from the text; else straight from the pages, each cleansed and counted by
the same worker, so that a million pages do not cost a second copy.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.pages.cleanse.pool import Page, answer_all
from pipeline.pages.cleanse.step import batched, ready, write_facts
from pipeline.pages.cleanse.step import told as telling
from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.engine import ENGINES, Engine
from pipeline.pages.readability.index import INDICES
from pipeline.pages.readability.row import row, unpack
from pipeline.pages.readability.worker import CountingTask
from pipeline.storage.atomic import atomic


def measure(
    pages: Iterable[Page],
    *,
    out: Path,
    facts: Path,
    notes: Sequence[str] = (),
    task: CountingTask,
    threads: int = 1,
    seconds: float = 10.0,
    log: Path | None = None,
) -> None:
    """Write the counts and indices of every page to `out`, in their order, without its text.

    A page takes at most `seconds`. `facts` gets what the shard amounted to: pages by reason, and
    the reader's `notes` (which may still grow while the pages are read).
    """
    import pyarrow.parquet as pq

    if task.engine not in ENGINES:
        raise InputError(ENGINES.unknown(task.engine))
    command = ("pipeline.pages.readability.worker", ready(task).to_text())
    answers = answer_all(pages, command, workers=threads, seconds=seconds)
    reasons: Counter[str] = Counter()
    with atomic(out) as draft, pq.ParquetWriter(draft, _schema()) as writer:
        for batch in batched(telling(answers, log=log), size=1024):
            reasons.update(reason for _, _, reason in batch)
            rows = [(document, *unpack(packed), reason) for document, packed, reason in batch]
            writer.write_table(_table(rows))
    write_facts(facts, reasons=reasons, notes=notes)


def estimate(
    text: Path,
    *,
    out: Path,
    engine: str = "fathom",
    told: Path | None = None,
    facts: Path | None = None,
) -> None:
    """Write the counts and indices of every document of a text.parquet to `out`.

    What cleansing `told` of the shard goes on to `facts`.

    A document without words keeps its row, with NaN indices and the reason.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if engine not in ENGINES:
        raise InputError(ENGINES.unknown(engine))
    needed = ["document", "text", "reason"]
    try:
        source = pq.ParquetFile(text)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{text}: not a readable parquet file; run cleansing again.") from error
    if missing := [name for name in needed if name not in source.schema_arrow.names]:
        raise InputError(f"{text}: the column {missing[0]} is missing; run cleansing again.")
    measured = ENGINES[engine]
    with atomic(out) as draft, pq.ParquetWriter(draft, _schema()) as writer:
        for batch in source.iter_batches(batch_size=1024, columns=needed):
            given = zip(*(batch[name].to_pylist() for name in needed), strict=True)
            writer.write_table(_table(list(_rows(given, measured))))
    if told is not None and facts is not None:
        with atomic(facts) as draft:
            draft.write_bytes(told.read_bytes())


def _schema() -> Any:
    import pyarrow as pa

    return pa.schema(
        [("document", pa.string())]
        + [(name, pa.int64()) for name in Counts._fields]
        + [(name, pa.float64()) for name in INDICES]
        + [("reason", pa.string())]
    )


def _rows(given: Iterator[tuple[str, str, str]], measured: Engine) -> Iterator[tuple[Any, ...]]:
    for document, text, reason in given:
        yield document, *row(text, reason, measured)


def _table(rows: Sequence[tuple[Any, ...]]) -> Any:
    import numpy as np
    import pyarrow as pa

    from pipeline.storage import arrow

    schema = _schema()
    made = [
        arrow.strings(values)
        if field.type == pa.string()
        else arrow.numbers(np.array(values, field.type.to_pandas_dtype()))
        for field, values in zip(schema, zip(*rows, strict=True), strict=True)
    ]
    return pa.table(made, schema=schema)
