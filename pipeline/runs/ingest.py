"""Run files read and ranked, in batches (a job each)."""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.runs.batch import read as read_batch
from pipeline.runs.batch import twins
from pipeline.runs.rankings import SCHEMA, write
from pipeline.runs.reading import ORDERS
from pipeline.runs.trec import Run, names, run_name
from pipeline.storage import arrow
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.atomic import atomic


def batch_of(path: Path, *, batches: int) -> int:
    """The batch a run file belongs to: fixed by its name, so that a new run moves no other."""
    return zlib.crc32(run_name(path).encode()) % batches


def ingest(
    files: Sequence[Path],
    *,
    out: Path,
    facts: Path,
    order: str,
    depth: int,
    duplicates: str,
    bad_scores: str,
    form: str = "trec",
) -> None:
    """Read and rank a batch of run files; `facts` keeps what `checks.csv` will tell of them."""
    table, runs, topics = rank(
        files, order=order, depth=depth, duplicates=duplicates, bad_scores=bad_scores, form=form
    )
    told = [_facts(run, topics) | {"lost_order": lost_order(run, order=order)} for run in runs]
    del runs  # their rows are in the table
    write(table, out)
    with atomic(facts) as draft:
        draft.write_text(json.dumps(told, indent=1))


def rank(
    files: Sequence[Path],
    *,
    order: str,
    depth: int,
    duplicates: str,
    bad_scores: str,
    form: str = "trec",
    ranks: bool = False,
) -> tuple[pa.Table, list[Run], list[str]]:
    """Read and rank run files: their rankings as one table, the runs, and the topics they name.

    `form` is the format the files are in; `ranks` asks for the ranks that stand in them, too.
    """
    found = read_batch(
        sorted(files, key=run_name),
        order=order,
        depth=depth,
        duplicates=duplicates,
        bad_scores=bad_scores,
        form=form,
        told=twins(files),
        ranks=ranks,
    )
    table = _table(found.runs, topics=found.topics, documents=_strings(*found.documents))
    return table, found.runs, found.topics


def _strings(starts: NDArray[np.int64], text: bytes) -> pa.Array:
    """Ids as an Arrow array over the reader's own bytes, checked to be UTF-8."""
    if not text.isascii():  # names the id that is not, in our words
        names(starts, text, where="runs")
    return arrow.text(starts, text)


def _table(runs: Sequence[Run], *, topics: Sequence[str], documents: pa.Array) -> pa.Table:
    """One run's rows are taken as they are, not copied: there may be a hundred million."""

    def column(name: str) -> NDArray[Any]:
        parts = [getattr(run.rows, name) for run in runs]
        return parts[0] if len(parts) == 1 else np.concatenate(parts or [np.empty(0, np.int32)])

    places = np.arange(len(runs), dtype=np.int32)
    return pa.table(
        {
            "run": coded(
                np.repeat(places, [len(run.rows.document) for run in runs]),
                [run.name for run in runs],
            ),
            "topic": coded(column("topic"), topics),
            "rank": numbers(_ranks(column("group_size"))),
            "document": coded(column("document"), documents),
            "score": numbers(column("score").astype(np.float64, copy=False)),
        },
        schema=SCHEMA,
    )


def _ranks(sizes: NDArray[np.int64]) -> NDArray[np.int32]:
    """1, 2, 3, ... for each list."""
    ranks = np.empty(int(sizes.sum()), np.int32)
    longest = np.arange(1, int(sizes.max(initial=0)) + 1, dtype=np.int32)
    at = 0
    for size in sizes.tolist():
        ranks[at : at + size] = longest[:size]
        at += size
    return ranks


def lost_order(run: Run, *, order: str) -> int:
    """Neighbours of the ranking that differ in score, but tie as the 32-bit floats compared."""
    if ORDERS[order] != "score32" or not len(run.rows.score):
        return 0
    score, topic = run.rows.score, run.rows.topic
    with np.errstate(over="ignore", invalid="ignore"):
        small = score.astype(np.float32)
    same = (topic[1:] == topic[:-1]) & (small[1:] == small[:-1]) & (score[1:] != score[:-1])
    return int(same.sum())


def _facts(run: Run, topics: Sequence[str]) -> dict[str, Any]:
    summary = run.summary
    return {
        "run": run.name,
        "file": str(run.path),
        "tag": run.tag,
        "lines": summary.lines,
        "comments": run.comments,
        "topics": [topics[t] for t in run.rows.group_topic.tolist()],
        "duplicates": summary.duplicates,
        "bad_scores": summary.bad_scores,
        "tied": summary.tied,
        "top10_differs": summary.top10_differs,
    }
