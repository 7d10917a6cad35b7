"""The rankings of all runs, as a table and as arrays.

The document column of `rankings.parquet` is dictionary-encoded: its codes are the document numbers
that later steps use. This module does not import the reader of run files, so later steps do not
depend on its code.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline.errors import InputError, Problem
from pipeline.storage import arrow
from pipeline.storage.arrow import CODED, array, coded, numbers, strings
from pipeline.storage.atomic import atomic, write_text
from pipeline.storage.expressions import search
from pipeline.storage.text import natural

DICTIONARIES = ["run", "topic", "document"]
SCHEMA = pa.schema(
    [(name, CODED) for name in ("run", "topic")]
    + [("rank", pa.int32()), ("document", CODED), ("score", pa.float64())]
)
Ranking = tuple[NDArray[np.int32], NDArray[np.float64]]  # numbers of documents, and their scores


def tabulate(
    rankings: Mapping[tuple[int, int], Ranking],
    *,
    runs: Sequence[str],
    topics: Sequence[str],
    documents: Sequence[str] | pa.Array,
) -> pa.Table:
    """A table of rankings, from a mapping of (run, topic) positions to rankings."""
    size = np.array([len(number) for number, _ in rankings.values()])
    columns = {
        "run": coded(np.repeat([run for run, _ in rankings], size), runs),
        "topic": coded(np.repeat([topic for _, topic in rankings], size), topics),
        "rank": numbers(ranks(size)),
        "document": coded(np.concatenate([number for number, _ in rankings.values()]), documents),
        "score": numbers(np.concatenate([score for _, score in rankings.values()])),
    }
    return pa.table(columns, schema=SCHEMA)


def ranks(sizes: NDArray[np.int64]) -> NDArray[np.int32]:
    """1, 2, 3, ... for each ranking."""
    longest = np.arange(1, int(sizes.max(initial=0)) + 1, dtype=np.int32)
    values = np.empty(int(sizes.sum()), np.int32)
    for size, end in zip(sizes.tolist(), np.cumsum(sizes).tolist(), strict=True):
        values[end - size : end] = longest[:size]  # avoids an array of a wider type
    return values


def merge(tables: Sequence[pa.Table]) -> pa.Table:
    """Merge tables: rows by run, topic and rank, with one numbering of documents."""
    tables = [table for table in tables if len(table)]
    if not tables:
        what = "the run files have no rankings"
        raise InputError(Problem("runs.files", what, "check the pattern"))
    if len(tables) == 1:  # its runs are sorted
        return tables[0]
    whole = pa.concat_tables(tables).unify_dictionaries()
    places = np.concatenate([array(chunk.indices) for chunk in whole["run"].chunks])
    names = whole["run"].chunk(0).dictionary.to_pylist()
    first = [0, *(np.flatnonzero(np.diff(places)) + 1).tolist(), len(places)]
    blocks = sorted(pairwise(first), key=lambda block: names[places[block[0]]])
    return pa.concat_tables([whole.slice(a, b - a) for a, b in blocks]).combine_chunks()


def write(table: pa.Table, out: Path) -> None:
    """Write rankings; reading them back gives the same document numbers."""
    # One row group and no limit on the dictionary page keep the document numbers as they are.
    with atomic(out) as draft:
        pq.write_table(
            table,
            draft,
            compression="snappy",
            use_dictionary=[*DICTIONARIES, "rank"],
            dictionary_pagesize_limit=1 << 30,
            row_group_size=1 << 26,
            write_statistics=False,
        )


def facts_of_system(
    run: str, file: str, *, tag: str, topics: Sequence[str], lines: int, tied: int = 0
) -> dict[str, Any]:
    """The facts about a run that Fathom generates, which has no faults."""
    faults = dict.fromkeys(("duplicates", "bad_scores", "top10_differs"), 0)
    names = {"run": run, "file": file, "tag": tag, "made": True, "topics": topics}
    return {**names, "lines": lines, "tied": tied, **faults}


def write_facts(facts: Sequence[Mapping[str, Any]], out: Path) -> None:
    """Write the facts about runs."""
    write_text(out, json.dumps(facts, indent=1))


@dataclass(frozen=True)
class Rankings:
    """Rankings as arrays of document numbers: one row per run and topic, one column per rank."""

    runs: list[str]
    topics: list[str]
    documents: pa.Array
    number: NDArray[np.int32]  # [run x topic, depth]; -1 beyond the end of a ranking
    length: NDArray[np.int32]  # [run x topic]
    score: NDArray[np.float64] | None  # as `number`; NaN beyond the end; None if not read

    def find(self, names: Sequence[str]) -> NDArray[np.int64]:
        """The numbers of documents; -1 for a document that no run retrieves."""
        import pyarrow.compute as pc  # slow to import, and rarely used

        places = pc.index_in(strings(names), value_set=self.documents)
        return array(places, missing=-1).astype(np.int64)


def matching_runs(runs: Sequence[str], *, pattern: str | None, where: str) -> list[int]:
    """The indices of runs whose name matches; all runs, if `pattern` is None."""
    places = [i for i, run in enumerate(runs) if pattern is None or search(pattern, run, key=where)]
    if not places:
        what = f"'{pattern}' matches none of the {len(runs)} runs, for example '{runs[0]}'"
        raise InputError(Problem(where, what, "correct the expression"))
    return places


def read(path: Path, *, topics: Sequence[str], scores: bool = False) -> Rankings:
    """Read `rankings.parquet` for these topics, in their order."""
    layout = _Layout(arrow.read(path, ["run", "topic"], codes=DICTIONARIES), topics)
    columns = ["document", *(["score"] if scores else [])]  # separately, to save memory
    return layout.rankings(arrow.read(path, columns, codes=DICTIONARIES))


def arrange(table: pa.Table, *, topics: Sequence[str], scores: bool = False) -> Rankings:
    """The rankings of a table as arrays; each ranking must be one block of rows."""
    return _Layout(table, topics).rankings(table if scores else table.select(DICTIONARIES))


class _Layout:
    """The position of each ranking in a table, and in an array [run x topic]."""

    def __init__(self, table: pa.Table, topics: Sequence[str]) -> None:
        run, topic = (table[name].chunk(0) for name in ("run", "topic"))
        names: list[str] = run.dictionary.to_pylist()
        self._runs, self._topics = sorted(names), list(topics)
        run_place = np.argsort(sorted(range(len(names)), key=names.__getitem__)).astype(np.int64)
        column = {name: place for place, name in enumerate(topics)}
        topic_place = np.array([column.get(t, -1) for t in topic.dictionary.to_pylist()], np.int64)

        run_of, topic_of = array(run.indices), array(topic.indices)
        change = np.flatnonzero((np.diff(run_of) != 0) | (np.diff(topic_of) != 0)) + 1
        first = np.concatenate([[0], change])
        size = np.diff(np.concatenate([first, [len(run_of)]]))
        place = topic_place[topic_of[first]]
        counts = place >= 0
        self._first, self._size = first[counts], size[counts]
        self._row = run_place[run_of[self._first]] * len(topics) + place[counts]
        self._length = np.zeros(len(names) * len(topics), np.int32)
        self._length[self._row] = self._size

    def rankings(self, table: pa.Table) -> Rankings:
        """The rankings in a table with the same rows."""
        document, scores = table["document"].chunk(0), "score" in table.column_names
        return Rankings(
            runs=self._runs,
            topics=self._topics,
            documents=document.dictionary,
            number=self._fill(array(document.indices), np.int32(-1)),
            length=self._length,
            score=self._fill(array(table["score"]), np.nan) if scores else None,
        )

    def _fill(self, values: NDArray[Any], padding: Any) -> NDArray[Any]:
        """A column of the table as [run x topic, rank], with padding beyond the end."""
        filled = np.full((len(self._length), self._size.max(initial=0)), padding)
        blocks = (self._row.tolist(), self._first.tolist(), self._size.tolist())
        for row, first, size in zip(*blocks, strict=True):
            filled[row, :size] = values[first : first + size]
        return filled


def topics_of(path: Path) -> list[str]:
    """All topics that a run answers, in natural order."""
    column = arrow.read(path, ["topic"], codes=["topic"])["topic"].chunk(0)
    return sorted(column.dictionary.to_pylist(), key=natural)
