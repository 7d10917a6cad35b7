"""All the numbers behind the drill-down, compact: whole numbers in arrays, names said once.

Scores and p are in ten-thousandths, which is what the page prints. Runs are in the leaderboard's
order, pairs of runs are the upper triangle row by row, and what is not known is null.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.report.certainty import Standings, read_pairs
from pipeline.report.data import Board
from pipeline.statistics.ranks import ranks_of
from pipeline.statistics.score_table import read
from pipeline.storage.arrays import Floats

UNIT = 10_000


@dataclass(frozen=True)
class Scores:
    """Every score by measure: one row a run (as on the board), one column a topic (likewise)."""

    of: Mapping[str, Floats]

    def order(self, measure: str) -> tuple[list[int], list[int]]:
        """Runs from best to worst and topics from hard to easy."""
        values = self.of[measure]
        runs = np.argsort(-values.mean(axis=1), kind="stable")
        return runs.tolist(), np.argsort(np.median(values, axis=0), kind="stable").tolist()


def read_scores(paths: Sequence[Path], *, board: Board) -> Scores:
    """Read scores/<measure>.parquet into the board's order."""
    found = {}
    for path in paths:
        table = read(path)
        runs = {run: row for row, run in enumerate(table.runs)}
        topics = {topic: column for column, topic in enumerate(table.topics)}
        try:
            rows = [runs[row.run] for row in board.rows]
            columns = [topics[topic.id] for topic in board.topics]
        except KeyError as error:
            raise InputError(f"{path}: there is no score of {error}; make it again.") from error
        found[table.measure] = table.values[np.ix_(rows, columns)]
    return Scores(found)


def block(
    *,
    board: Board,
    scores: Scores,
    standings: Standings,
    pairs: Mapping[str, Path],
    lists: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """What the page's drill-down reads."""
    runs = [row.run for row in board.rows]
    places = {team: number for number, team in enumerate(board.teams)}
    return {
        "unit": UNIT,
        "runs": runs,
        "teams": list(board.teams),
        "team": [places[row.team] for row in board.rows],
        "topics": [[topic.id, topic.text] for topic in board.topics],
        "measures": list(board.measures),
        "contrast": [board.measures.index(name) for name in board.contrast],
        "measure": [
            _measure(board, at, scores=scores, standings=standings, pairs=pairs)
            for at in range(len(board.measures))
        ],
        "lists": lists,
    }


def _measure(
    board: Board,
    at: int,
    *,
    scores: Scores,
    standings: Standings,
    pairs: Mapping[str, Path],
) -> dict[str, Any]:
    name = board.measures[at]
    cells = [row.cells[at] for row in board.rows]
    stands = [standings.get((name, row.run)) for row in board.rows]
    tested = read_pairs(pairs[name], runs=[r.run for r in board.rows]) if name in pairs else None
    given = scores.of.get(name)
    return {
        "scores": None if given is None else fixed(given.ravel()),
        "means": fixed([cell.value for cell in cells]),
        "ranks": ranks_of(np.array([cell.value for cell in cells])),
        "lower": fixed([math.nan if cell.lower is None else cell.lower for cell in cells]),
        "upper": fixed([math.nan if cell.upper is None else cell.upper for cell in cells]),
        "t_lower": fixed([stand.lower if stand else math.nan for stand in stands]),
        "t_upper": fixed([stand.upper if stand else math.nan for stand in stands]),
        "letters": [stretch(stand.letters) if stand else "" for stand in stands],
        "pairs": tested and {key: fixed(values) for key, values in tested.items()},
    }


def fixed(values: Sequence[float] | Floats) -> list[int | None]:
    """Numbers as ten-thousandths; null where there is none."""
    array = np.asarray(values, np.float64)
    known = np.isfinite(array)
    whole = np.round(np.where(known, array, 0) * UNIT).astype(np.int64).tolist()
    if known.all():
        return list(whole)
    return [value if is_known else None for value, is_known in zip(whole, known, strict=True)]


def stretch(letters: str) -> str:
    """The letters of a run are neighbours: more than three are written as a stretch, b-j."""
    marks = letters.split() if " " in letters else list(letters)
    return f"{marks[0]}–{marks[-1]}" if len(marks) > 3 else letters  # noqa: RUF001


def shown_intervals(board: Board, standings: Standings, *, measure: str) -> list[dict[str, Any]]:
    """The rows of the chart of intervals, best first; the page's script makes the same."""
    at = board.measures.index(measure)
    rows = []
    for row in sorted(board.rows, key=lambda row: -row.cells[at].value):
        cell, stand = row.cells[at], standings.get((measure, row.run))
        lower, upper = cell.lower, cell.upper
        ends = [x for x in (cell.value, upper, stand.upper if stand else None) if x is not None]
        rows.append(
            {
                "run": row.run,
                "mean": cell.value,
                "lower": lower,
                "upper": upper,
                "t_lower": stand.lower if stand else None,
                "t_upper": stand.upper if stand else None,
                "letters": stretch(stand.letters) if stand else "",
                "reach": max(ends),
            }
        )
    return rows


def shown_topics(board: Board, scores: Scores, *, measure: str) -> list[dict[str, Any]]:
    """The columns of the chart of topics, hard first; the page's script makes the same."""
    values = scores.of[measure]
    low, median, high = np.quantile(values, (0.25, 0.5, 0.75), axis=0)
    return [
        {
            "topic": board.topics[at].id,
            "worst": float(values[:, at].min()),
            "low": float(low[at]),
            "median": float(median[at]),
            "high": float(high[at]),
            "best": float(values[:, at].max()),
        }
        for at in scores.order(measure)[1]
    ]


def shown_scores(board: Board, scores: Scores, *, measure: str) -> list[dict[str, Any]]:
    """The cells of the heat map; the page's script makes the same."""
    values = scores.of[measure]
    runs, topics = scores.order(measure)
    return [
        {
            "run": board.rows[run].run,
            "topic": board.topics[topic].id,
            "value": round(float(values[run, topic]), 4),
        }
        for run in runs
        for topic in topics
    ]
