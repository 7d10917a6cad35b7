"""The board: what every run scores under every measure, with ranks, bounds and topics."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.report.names import short_names
from pipeline.runs.teams import is_baseline
from pipeline.statistics.correlation.means import Means
from pipeline.statistics.ranks import EXACT, ranks_of
from pipeline.storage.text import natural

NO_TEAM = "no team"
FEW = 3  # with so few runs nobody "leads", and no line, median or correlation says anything


@dataclass(frozen=True)
class Cell:
    """A run's mean under one measure; lower and upper bound it whatever the unjudged are.

    None where nobody knows what bounds it.
    """

    value: float
    lower: float | None
    upper: float | None
    past_end: float | None  # how much more the ranks past the end of its lists leave open
    best: bool

    @property
    def unjudged(self) -> float | None:
        """How much unjudged documents leave open."""
        return None if self.lower is None or self.upper is None else self.upper - self.lower


@dataclass(frozen=True)
class Row:
    """One run of the leaderboard; `ranks` are its ranks under the two contrasted measures."""

    run: str
    team: str
    ranks: tuple[int, int]
    cells: tuple[Cell, ...]

    @property
    def baseline(self) -> bool:
        """Whether it was made here from the pages: marked as such, and no team's."""
        return is_baseline(self.run)

    @property
    def group(self) -> str:
        """What charts tell runs apart by: the team, or that it is a baseline or nobody's."""
        return "baseline" if self.baseline else self.team or NO_TEAM

    @property
    def climb(self) -> int:
        """Places won from the first contrasted measure to the second; negative when lost."""
        return self.ranks[0] - self.ranks[1]


@dataclass(frozen=True)
class Topic:
    """One topic: its text and the mean over runs of the two contrasted measures."""

    id: str
    text: str
    means: tuple[float, float]


@dataclass(frozen=True)
class Board:
    """The campaign's results; rows by rank under the first contrasted measure."""

    measures: tuple[str, ...]
    contrast: tuple[str, str]
    teams: tuple[str, ...]  # '' among them if a submitted run has none
    rows: tuple[Row, ...]
    topics: tuple[Topic, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """What charts tell runs apart by, in the order of the colours: the teams come first."""
        teams = [team or NO_TEAM for team in self.teams]
        return (*teams, *sorted({row.group for row in self.rows} - set(teams)))

    @cached_property
    def short(self) -> dict[str, str]:
        """The measures by as little of their names as tells them apart, for heads and axes."""
        return short_names(self.measures)

    def cell(self, row: Row, which: int) -> Cell:
        """A run's cell under the first (0) or second (1) contrasted measure."""
        return row.cells[self.measures.index(self.contrast[which])]


ENDS = ("lower", "upper", "unjudged_lower", "unjudged_upper")
Ends = tuple[float | None, float | None, float | None]  # lower, upper and what is past the end


def read_board(
    *,
    means: Means,
    source: Path,
    scores: Sequence[Path],
    overall: Sequence[Path] = (),
    contrast: tuple[str, str],
    topics: Mapping[str, str],
) -> Board:
    """Join means, scores and bounds; `source` is the file of the means, for messages."""
    for name in contrast:
        if name not in means.measures:
            near = get_close_matches(name, means.measures, n=1, cutoff=0)
            raise InputError(
                f"report.scatter: {name!r} is not a measure of {source}; "
                f"add it to measures or use another, such as {near[0]!r}."
            )
    found, ends = _read_topics(scores), _read_ends(overall)
    ranks = [ranks_of(means.column(name)) for name in contrast]
    level = np.round(means.values, EXACT)  # as for ranks: all who are tied are the best
    best = level == level.max(axis=0)
    rows = []
    for i, run in enumerate(means.runs):
        cells = []
        for j, measure in enumerate(means.measures):
            value = float(means.values[i, j])
            open_ = ends.get((measure, run), (None, None, None))
            cells.append(Cell(value, *open_, best=bool(best[i, j])))
        pair = (int(ranks[0][i]), int(ranks[1][i]))
        rows.append(Row(run=run, team=means.teams[i], ranks=pair, cells=tuple(cells)))
    return Board(
        measures=means.measures,
        contrast=contrast,
        teams=tuple(sorted({row.team for row in rows if not row.baseline}, key=natural)),
        rows=tuple(sorted(rows, key=lambda row: (row.ranks[0], row.ranks[1], natural(row.run)))),
        topics=_topics(found, contrast=contrast, texts=topics),
    )


def _read_topics(paths: Sequence[Path]) -> dict[tuple[str, str], float]:
    """The mean over runs, by measure and topic."""
    topics: dict[tuple[str, str], float] = {}
    columns = ["run", "topic", "measure", "value"]
    for path in paths:
        table = _read(path, columns)
        for name in columns:
            if table[name].null_count:
                raise InputError(f"{path}: column {name!r} has a blank; every score is needed.")
        topics |= _mean_by(table, ("measure", "topic"), "value")
    return topics


def _read_ends(paths: Sequence[Path]) -> dict[tuple[str, str], Ends]:
    """What bounds each run's mean, by measure and run."""
    found: dict[tuple[str, str], Ends] = {}
    for path in paths:
        table = _read(path, ["run", "measure", *ENDS])
        names = zip(table["measure"].to_pylist(), table["run"].to_pylist(), strict=True)
        ends = zip(*(table[end].to_pylist() for end in ENDS), strict=True)
        for key, (lower, upper, low, high) in zip(names, ends, strict=True):
            known = lower is not None and upper is not None
            past = max(0.0, upper - lower - (high - low)) if known else None
            found[key] = (low, high, past)
    return found


def _read(path: Path, columns: list[str]) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    # pq.read_table, Table.group_by and to_numpy would each import pandas: half a second.
    try:
        table = pq.ParquetFile(path).read(columns=columns)
    except pa.ArrowInvalid as error:
        raise InputError(f"{path}: this is not a Parquet file.") from error
    if table.column_names != columns:
        raise InputError(f"{path}: not a scores table, which has {', '.join(columns)}.")
    return table


def _mean_by(table: Any, keys: tuple[str, str], column: str) -> dict[tuple[str, str], float]:
    """The mean of a column for each pair of the two key columns that occurs."""
    outer, inner = (table[key].combine_chunks().dictionary_encode() for key in keys)
    outers, inners = outer.dictionary.to_pylist(), inner.dictionary.to_pylist()
    rows = np.asarray(np.from_dlpack(outer.indices), dtype=np.int64)
    group = rows * len(inners) + np.asarray(np.from_dlpack(inner.indices), dtype=np.int64)
    values = np.asarray(np.from_dlpack(table[column].combine_chunks()), dtype=np.float64)
    count = np.bincount(group)
    total = np.bincount(group, weights=values)
    return {
        (outers[at // len(inners)], inners[at % len(inners)]): float(total[at] / count[at])
        for at in np.flatnonzero(count)
    }


def _topics(
    means: Mapping[tuple[str, str], float], *, contrast: tuple[str, str], texts: Mapping[str, str]
) -> tuple[Topic, ...]:
    ids = {topic for measure, topic in means if measure == contrast[0]}
    return tuple(
        Topic(
            id=topic,
            text=texts.get(topic, ""),
            means=(
                means[contrast[0], topic],
                means.get((contrast[1], topic), math.nan),
            ),
        )
        for topic in sorted(ids, key=natural)
    )
