"""The board: the means of every run, with ranks, bounds, intervals, significance and swaps."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from pipeline.measures.score_table import ScoreTable
from pipeline.report.wording import short_names
from pipeline.runs.teams import is_baseline
from pipeline.statistics.letters import split_letters
from pipeline.statistics.means import Means
from pipeline.statistics.ranks import EXACT, ranks_of
from pipeline.storage import arrow, sheets
from pipeline.storage.arrays import Bools, Floats
from pipeline.storage.text import natural

T = TypeVar("T")
NO_TEAM = "no team"
FEW = 3  # with so few runs the report has no leader, regression line, median or correlation
ENDS = ("lower", "upper", "unjudged_lower", "unjudged_upper")


class Cell(NamedTuple):
    """The mean of a run under one measure, and its bounds; None if they are unknown."""

    value: float
    best: bool
    lower: float | None = None  # if all unjudged documents in the rankings had no gain
    upper: float | None = None  # if all had full gain
    past_end: float | None = None  # what ranks after the end of the rankings could add


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
        """The group with one colour in charts: a team, the baselines, or runs without a team."""
        return "baseline" if self.baseline else self.team or NO_TEAM

    @property
    def climb(self) -> int:
        """Ranks gained from the first contrasted measure to the second; negative when lost."""
        return self.ranks[0] - self.ranks[1]


class Topic(NamedTuple):
    """One topic: its text and the mean over runs of the two contrasted measures."""

    id: str
    text: str
    means: tuple[float, float]


@dataclass(frozen=True)
class Board:
    """The results of a campaign; rows by rank under the first contrasted measure."""

    measures: tuple[str, ...]
    contrast: tuple[str, str]
    teams: tuple[str, ...]  # includes '' if a submitted run has no team
    rows: tuple[Row, ...]
    topics: tuple[Topic, ...]

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of runs in the order of the colours, teams first."""
        teams = [team or NO_TEAM for team in self.teams]
        return (*teams, *sorted({row.group for row in self.rows} - set(teams)))

    @cached_property
    def short(self) -> dict[str, str]:
        return short_names(self.measures)

    @property
    def runs(self) -> list[str]:
        return [row.run for row in self.rows]

    def values(self, measure: str) -> Floats:
        """The mean of every run under one measure, in the order of the rows."""
        return np.array([cell.value for cell in self.cells(measure).values()])

    def ranks(self, measure: str) -> list[int]:
        """The rank of every run under one measure, in the order of the rows."""
        return ranks_of(self.values(measure))

    def points(self, first: str, second: str) -> list[dict[str, Any]]:
        """Every run in the plane of two measures, in the order of the rows."""
        means = zip(self.values(first).tolist(), self.values(second).tolist(), strict=True)
        points = zip(self.rows, means, strict=True)
        return [{"run": row.run, "team": row.group, "x": x, "y": y} for row, (x, y) in points]

    def cells(self, measure: str) -> dict[str, Cell]:
        at = self.measures.index(measure)
        return {row.run: row.cells[at] for row in self.rows}

    def in_order(self, scores: ScoreTable) -> Floats:
        """The scores [run, topic] in the order of the board."""
        row, column = ({n: at for at, n in enumerate(s)} for s in (scores.runs, scores.topics))
        place = [row[run] for run in self.runs], [column[topic.id] for topic in self.topics]
        return np.asarray(scores.values[np.ix_(*place)])


def furthest(rows: Sequence[T], climb: Callable[[T], int]) -> dict[str, list[T]]:
    """The rows with the largest climb ("up") and fall ("down"), including ties."""
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
    """Join means, scores and bounds; `texts` are the texts of the topics."""
    bounds = {name: _read_bounds(path) for name, path in overall.items()}
    first_ranks, second_ranks = (ranks_of(means.column(name)) for name in contrast)
    level = np.round(means.values, EXACT)  # as for ranks: all ties are best
    values, best = means.values.tolist(), (level == level.max(axis=0)).tolist()
    rows = []
    for at, run in enumerate(means.runs):
        columns = zip(means.measures, values[at], best[at], strict=True)
        cells = (Cell(value, top, *bounds.get(m, {}).get(run, ())) for m, value, top in columns)
        rows.append(Row(run, means.teams[at], (first_ranks[at], second_ranks[at]), tuple(cells)))
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
    """By run: the bounds of the mean, and what ranks after the end could add."""
    columns = (column.to_pylist() for column in arrow.read(path, ["run", *ENDS]).columns)
    return {
        run: (low, high, None if None in ends else max(0.0, ends[1] - ends[0] - (high - low)))
        for run, *ends, low, high in zip(*columns, strict=True)
    }


PAIR = {"half": "lower", "effect": "effect"}  # "half": half the width of the t interval
PAIR |= {"t": "p_t", "permutation": "p_permutation_holm", "tukey": "p_tukey"}


class Standing(NamedTuple):
    """A run under one measure: the t interval of its mean, and its significance groups."""

    lower: float
    upper: float
    letters: str

    def shares(self, other: "Standing") -> bool:
        """Whether both are in one group: they do not differ significantly."""
        return not set(split_letters(self.letters)).isdisjoint(split_letters(other.letters))


class Swap(NamedTuple):
    """Two runs that the contrasted measures rank in opposite order; `share`: bootstrap support."""

    run_a: str
    run_b: str
    difference_a: float
    difference_b: float
    share: float


Standings = Mapping[tuple[str, str], Standing]  # by measure and run


def read_standings(files: Mapping[str, Path]) -> dict[tuple[str, str], Standing]:
    """Read significance/runs/<measure>.csv of every measure."""
    return {
        (measure, row["run"]): Standing(float(lower), float(upper), row["letters"])
        for measure, path in files.items()
        for row in sheets.read(path)
        if (lower := row["t_lower"]) and (upper := row["t_upper"])
    }


def from_best(board: Board, standings: Standings) -> dict[str, dict[str, str]]:
    """By measure and tested run: "best", "alike", or "apart" (significantly different)."""
    relations: dict[str, dict[str, str]] = {}
    for measure in board.measures:
        cells, sides = board.cells(measure), relations.setdefault(measure, {})
        heads = [run for run, cell in cells.items() if cell.best]
        if (first := standings.get((measure, heads[0]))) and first.letters:
            sides |= dict.fromkeys(heads, "best")
            for run in cells:
                stand = standings.get((measure, run))
                if run not in sides and stand and stand.letters:
                    sides[run] = "alike" if first.shares(stand) else "apart"
    return relations


def read_pairs(path: Path, *, runs: Sequence[str]) -> dict[str, Floats]:
    """Read significance/<measure>.csv into upper triangles [run, run] of the earlier run first."""
    number = {run: at for at, run in enumerate(runs)}
    matrices = {name: np.full((len(runs), len(runs)), np.nan) for name in PAIR}
    rows = sheets.lines(path)
    header = next(rows, [])
    a, b, difference, *columns = map(header.index, ("run_a", "run_b", "difference", *PAIR.values()))
    for row in rows:
        pair = number[row[a]], number[row[b]]
        at = min(pair), max(pair)
        for values, column in zip(matrices.values(), columns, strict=True):
            values[at] = float(row[column] or "nan")
        matrices["half"][at] = float(row[difference]) - matrices["half"][at]
        matrices["effect"][at] *= 1 if pair == at else -1
    return matrices


def read_swaps(path: Path, *, contrast: tuple[str, str]) -> list[Swap]:
    """The swaps of the two contrasted measures, by bootstrap support."""
    table, swaps = arrow.read(path, codes=("measure_a", "measure_b")).combine_chunks(), []

    def has(name: str, measure: str) -> Bools:  # Arrow's own filters would load pandas
        column = table[name].chunk(0)
        code = {value: at for at, value in enumerate(column.dictionary.to_pylist())}
        return np.asarray(arrow.array(column.indices) == code.get(measure, -1))

    for order in (contrast, contrast[::-1]) if len(table) else ():
        chosen = np.flatnonzero(has("measure_a", order[0]) & has("measure_b", order[1]))
        for row in table.take(arrow.numbers(chosen)).to_pylist():
            runs, by = (row["run_a"], row["run_b"]), (row["difference_a"], row["difference_b"])
            if order != contrast:  # the file has the measures in the other order
                runs, by = runs[::-1], (-by[1], -by[0])
            swaps.append(Swap(*runs, *by, np.nan if row["share"] is None else row["share"]))
    return sorted(
        swaps,
        key=lambda s: (-np.nan_to_num(s.share), -min(s.difference_a, -s.difference_b), s.run_a),
    )
