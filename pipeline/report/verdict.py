"""The verdict: who is ahead in each dimension and in all together, and how sure that is.

Only facts are found here; the words are in the summary's template.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.measures import parse
from pipeline.report.board import Board
from pipeline.report.certainty import Standings, told_apart
from pipeline.report.pooled import read_pooled
from pipeline.report.provenance import Provenance
from pipeline.report.related import planes
from pipeline.report.results import Results
from pipeline.statistics.ranks import ranks_of
from pipeline.storage import sheets


@dataclass(frozen=True)
class Alone:
    """The leading run, had its team not taken part: what the pool would lack, and its rank."""

    team: str
    documents: int  # judged, that only the team brought in
    rank: int


@dataclass(frozen=True)
class Claim:
    """Who is ahead under one measure."""

    dimension: str  # what the measure reads; empty: several dimensions together
    measure: str
    heads: tuple[str, ...]  # the runs with the largest mean
    value: float
    runs: int
    alike: int | None  # of the other runs, how many nothing tells apart from it
    alone: Alone | None

    @property
    def level(self) -> bool:
        """Whether all runs have the same mean."""
        return len(self.heads) == self.runs


def claims(results: Results) -> list[Claim]:
    """A claim for each dimension, then one for all together, as far as measures were taken."""
    board = results.board
    asked = telling(board, dimensions=list(results.provenance.dimensions))
    left_out = _left_out(results)
    return [
        _claim(board, dimension, measure, results.standings, left_out)
        for dimension, measure in asked
    ]


@dataclass(frozen=True)
class Open:
    """What bounds a measure's means: how far apart at most, and of which runs that is so."""

    measure: str
    unjudged: float  # by documents of the lists that nobody judged
    unjudged_of: tuple[str, ...]
    past_end: float  # and by ranks past the end of a list
    past_end_of: tuple[str, ...]


def left_open(board: Board) -> Iterator[Open]:
    """What the labels leave open of the contrasted measures, where that is known."""
    for measure in dict.fromkeys(board.contrast):
        at = board.measures.index(measure)
        cells = [(row.run, row.cells[at]) for row in board.rows]
        unjudged = {run: cell.unjudged for run, cell in cells if cell.unjudged is not None}
        past = {run: cell.past_end for run, cell in cells if cell.past_end is not None}
        if len(unjudged) == len(past) == len(cells):
            yield Open(measure, *_widest(unjudged), *_widest(past))


def _widest(width: Mapping[str, float]) -> tuple[float, tuple[str, ...]]:
    most = max(width.values())
    return most, tuple(run for run, one in width.items() if math.isclose(one, most, abs_tol=1e-12))


@dataclass(frozen=True)
class Lacking:
    """Files of a source that are not at hand: how many there are, of how many; 0: none at all."""

    source: str
    files: str
    here: int = 0
    whole: int = 0


def lacking(provenance: Provenance) -> Iterator[Lacking]:
    """What the sources lack: figures from a part of the runs are not those of the campaign."""
    for name, given in provenance.sources.items():
        missing = given.get("missing") if isinstance(given, Mapping) else None
        if isinstance(missing, str):  # the policy of that name is not what is meant
            continue
        for one in missing or ():
            if part := re.fullmatch(r"(.*) \((\d+) of (\d+)\)", one):
                yield Lacking(name, part[1], int(part[2]), int(part[3]))
            else:
                yield Lacking(name, one)


def telling(board: Board, *, dimensions: Sequence[str]) -> list[tuple[str, str]]:
    """Which measure speaks for each dimension, and which for several together (named "").

    The contrasted measures come first, and for further dimensions the first one's counterparts.
    Where the first measure of several dimensions leaves some out, the first that reads most of them
    speaks, too.
    """
    known = dict(_dimensions(board.measures, dimensions=dimensions))
    if not known:  # nothing is known of the measures: those contrasted speak for themselves
        return [("", measure) for measure in dict.fromkeys(board.contrast)]
    preferred = [*board.contrast]
    preferred += [
        one.measure
        for one in planes(board.measures, dimensions=dimensions)
        if one.base == board.contrast[0]
    ]
    ordered = list(dict.fromkeys([*preferred, *board.measures]))
    found = []
    for dimension in dimensions:
        mine = next((name for name in ordered if known.get(name) == (dimension,)), None)
        if mine:
            found.append((dimension, mine))
    several = [name for name in ordered if len(known.get(name, ())) > 1]
    most = max(several, key=lambda name: len(known[name]), default=None)  # the first of equals
    return [*found, *(("", name) for name in dict.fromkeys([*several[:1], most]) if name)]


def _dimensions(
    measures: Sequence[str], *, dimensions: Sequence[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name in measures if dimensions else ():
        try:
            yield name, parse(name, dimensions=dimensions).dimensions
        except InputError:  # not one of our measures
            continue


def _claim(
    board: Board,
    dimension: str,
    measure: str,
    standings: Standings,
    left_out: Mapping[tuple[str, str], Alone],
) -> Claim:
    at = board.measures.index(measure)
    values = np.array([row.cells[at].value for row in board.rows])
    ranks = ranks_of(values)
    heads = tuple(row.run for row, rank in zip(board.rows, ranks, strict=True) if rank == 1)
    others = [row.run for row in board.rows if row.run not in heads]
    apart = told_apart(standings, measure=measure, best=heads[0], runs=others)
    return Claim(
        dimension=dimension,
        measure=measure,
        heads=heads,
        value=float(values.max()),
        runs=len(board.rows),
        alike=None if apart is None else sum(not told for told in apart.values()),
        alone=left_out.get((measure, heads[0])) if len(heads) == 1 else None,
    )


def _left_out(results: Results) -> dict[tuple[str, str], Alone]:
    """Each run without what only its team brought in, where the pool is the one judged."""
    path: Path | None = results.files.tables.get("reusability/runs.csv")
    if path is None or not read_pooled(results.files).trusted:
        return {}
    return {
        (row["measure"], row["run"]): Alone(
            row["left_out"], int(row["unique_judged"]), int(row["rank_out"])
        )
        for row in sheets.read(path)
        if row["kind"] == "team"
    }
