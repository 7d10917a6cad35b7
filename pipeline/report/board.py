"""The board: what every run scores under every measure, with ranks, bounds and topics."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from pipeline.measures.score_table import ScoreTable
from pipeline.report.wording import short_names
from pipeline.runs.teams import is_baseline
from pipeline.statistics.means import Means
from pipeline.statistics.ranks import EXACT, ranks_of
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats
from pipeline.storage.text import natural

T = TypeVar("T")
NO_TEAM = "no team"
FEW = 3  # with so few runs none "leads", and no line, median or correlation says anything
ENDS = ("lower", "upper", "unjudged_lower", "unjudged_upper")


class Cell(NamedTuple):
    """A run's mean under one measure, and its bounds, which are None where they are unknown."""

    value: float
    best: bool
    lower: float | None = None  # if every unjudged document of the rankings were useless,
    upper: float | None = None  # or perfect
    past_end: float | None = None  # by how much more the ranks past the end could raise it


@dataclass(frozen=True)
class Row:
    """One run of the leaderboard; `ranks` are its ranks under the two contrasted measures."""

    run: str
    team: str
    ranks: tuple[int, int]
    cells: tuple[Cell, ...]

    @property
    def baseline(self) -> bool:
        return is_baseline(self.run)

    @property
    def group(self) -> str:
        """What has a colour in charts: a team, all baselines, or all runs without a team."""
        return "baseline" if self.baseline else self.team or NO_TEAM

    @property
    def climb(self) -> int:
        """Places won from the first contrasted measure to the second; negative when lost."""
        return self.ranks[0] - self.ranks[1]


class Topic(NamedTuple):
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
        """The groups of runs, in the order of the colours: the teams come first."""
        teams = [team or NO_TEAM for team in self.teams]
        return (*teams, *sorted({row.group for row in self.rows} - set(teams)))

    @cached_property
    def short(self) -> dict[str, str]:
        """The measures by their short names, for heads and axes."""
        return short_names(self.measures)

    @property
    def runs(self) -> list[str]:
        return [row.run for row in self.rows]

    def values(self, measure: str) -> Floats:
        """The mean of every run under one measure, in order of the rows."""
        return np.array([cell.value for cell in self.cells(measure).values()])

    def ranks(self, measure: str) -> list[int]:
        """The rank of every run under one measure, in order of the rows."""
        return ranks_of(self.values(measure))

    def plane(self, first: str, second: str) -> list[tuple[float, float]]:
        """The means of every run under two measures, in order of the rows."""
        return [*zip(self.values(first).tolist(), self.values(second).tolist(), strict=True)]

    def cells(self, measure: str) -> dict[str, Cell]:
        """Every run's cell under one measure, by run."""
        at = self.measures.index(measure)
        return {row.run: row.cells[at] for row in self.rows}

    def in_order(self, scores: ScoreTable) -> Floats:
        """The scores of every run (a row) on every topic (a column), as on the board."""
        runs, topics = (
            {name: at for at, name in enumerate(names)} for names in (scores.runs, scores.topics)
        )
        rows, columns = [runs[run] for run in self.runs], [topics[t.id] for t in self.topics]
        return np.asarray(scores.values[np.ix_(rows, columns)])


def furthest(rows: Sequence[T], climb: Callable[[T], int]) -> dict[str, list[T]]:
    """The rows that climb furthest ("up") and fall furthest ("down"), all that tie; if any do."""
    climbs = [0, *map(climb, rows)]
    ends = {"up": max(climbs), "down": min(climbs)}
    return {way: [row for row in rows if climb(row) == end] for way, end in ends.items() if end}


def read_board(
    means: Means,
    *,
    scores: Mapping[str, ScoreTable],
    overall: Mapping[str, Path],
    contrast: tuple[str, str],
    texts: Mapping[str, str],
) -> Board:
    """Join means, scores and bounds; `texts` are those of the topics."""
    bounds = {name: _read_bounds(path) for name, path in overall.items()}
    ranks = zip(*(ranks_of(means.column(name)) for name in contrast), strict=True)
    level = np.round(means.values, EXACT)  # as for ranks: all that tie are the best
    best = level == level.max(axis=0)
    rows = [
        Row(
            run,
            team,
            (first, second),
            tuple(
                Cell(value, is_best, *bounds.get(measure, {}).get(run, ()))
                for measure, value, is_best in zip(means.measures, values, bests, strict=True)
            ),
        )
        for run, team, (first, second), values, bests in zip(
            means.runs, means.teams, ranks, means.values.tolist(), best.tolist(), strict=True
        )
    ]
    first, second = (
        dict(zip(table.topics, table.values.mean(axis=0).tolist(), strict=True)) if table else {}
        for table in map(scores.get, contrast)
    )
    return Board(
        measures=means.measures,
        contrast=contrast,
        teams=tuple(sorted({row.team for row in rows if not row.baseline}, key=natural)),
        rows=tuple(sorted(rows, key=lambda row: (*row.ranks, natural(row.run)))),
        topics=tuple(
            Topic(topic, texts.get(topic, ""), (first[topic], second.get(topic, math.nan)))
            for topic in sorted(first, key=natural)
        ),
    )


def _read_bounds(path: Path) -> dict[str, tuple[float | None, ...]]:
    """The bounds of each run's mean: lower, upper, and what ranks past the end could add."""
    found: dict[str, tuple[float | None, ...]] = {}
    for row in arrow.read(path, ["run", *ENDS]).to_pylist():
        lower, upper, low, high = (row[end] for end in ENDS)
        known = lower is not None and upper is not None
        found[row["run"]] = low, high, max(0.0, upper - lower - (high - low)) if known else None
    return found
