"""The drill-down: one topic, one system, two systems, made by the page's script from the numbers.

The numbers are compact: whole numbers in arrays, each name once. Scores and p are in
ten-thousandths, effects in hundredths, which is what the page prints. Runs are in the leaderboard's
order, pairs of runs are the upper triangle row by row, and what is not known is null.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.report.board import Cell
from pipeline.report.certainty import read_pairs
from pipeline.report.lists import read_lists
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.report.wording import SIGNS, TOLD
from pipeline.statistics.letters import stretch
from pipeline.statistics.ranks import ranks_of
from pipeline.storage.arrays import Floats

UNIT = 10_000
UNITS = {"effect": 100}  # printed with two decimals: rounded once, here
MOST = 1_000_000  # tested pairs on a page: some 25 MB of it, which a browser still opens at once


@section("explore", place=80, template="explore.html.j2", title="Look closer")
def explore(results: Results) -> Content | None:
    """The numbers behind the drill-down, where there are topics to look at."""
    if not results.board.topics:
        return None
    numbers = block(results)
    told = {"left_out": left_out(results), "unreached": unreached(numbers)}
    return Content(told, data={"numbers": numbers})


def left_out(results: Results) -> int:
    """How many tested pairs of runs are in their files alone: all, if a page cannot hold them."""
    runs = len(results.board.rows)
    every = runs * (runs - 1) // 2 * len(results.files.pairs)
    return every if every > MOST else 0


def unreached(numbers: dict[str, Any]) -> bool:
    """Whether Holm's correction of the permutation test was left out for the number of runs."""
    tested = [measure["pairs"] for measure in numbers["measure"] if measure["pairs"]]
    return any(_given(pairs["t"]) and not _given(pairs["permutation"]) for pairs in tested)


def _given(p: Sequence[int | None]) -> bool:
    return any(one is not None for one in p)


def block(results: Results) -> dict[str, Any]:
    """What the page's drill-down reads."""
    board = results.board
    runs = [row.run for row in board.rows]
    places = {team: number for number, team in enumerate(board.groups)}
    return {
        "unit": UNIT,
        "runs": runs,
        "teams": list(board.groups),
        "team": [places[row.group] for row in board.rows],
        "topics": [[topic.id, topic.text] for topic in board.topics],
        "measures": list(board.measures),
        "contrast": [board.measures.index(name) for name in board.contrast],
        "measure": [_measure(results, at) for at in range(len(board.measures))],
        "lists": _lists(results),
        "signs": SIGNS,
        "told": TOLD,
    }


def _lists(results: Results) -> dict[str, Any] | None:
    if not results.files.top_documents:
        return None
    return read_lists(
        results.files.top_documents,
        labels=results.files.labels,
        runs=[row.run for row in results.board.rows],
        topics=[topic.id for topic in results.board.topics],
    )


def _measure(results: Results, at: int) -> dict[str, Any]:
    board, standings, pairs = results.board, results.standings, results.files.pairs
    name = board.measures[at]
    cells = [row.cells[at] for row in board.rows]
    stands = [standings.get((name, row.run)) for row in board.rows]
    shown = name in pairs and not left_out(results)
    tested = read_pairs(pairs[name], runs=[r.run for r in board.rows]) if shown else None
    given = results.scores.of.get(name)
    return {
        "scores": None if given is None else fixed(given.ravel()),
        "means": fixed([cell.value for cell in cells]),
        "ranks": ranks_of(np.array([cell.value for cell in cells])),
        **{
            end: fixed([_known(cell, end) for cell in cells])
            for end in ("lower", "upper", "past_end")
        },
        "t_lower": fixed([stand.lower if stand else math.nan for stand in stands]),
        "t_upper": fixed([stand.upper if stand else math.nan for stand in stands]),
        "letters": [stretch(stand.letters) if stand else "" for stand in stands],
        "from_best": [results.from_best[name].get(row.run) for row in board.rows],
        "pairs": tested
        and {key: fixed(values, UNITS.get(key, UNIT)) for key, values in tested.items()},
    }


def _known(cell: Cell, end: str) -> float:
    value: float | None = getattr(cell, end)
    return math.nan if value is None else value


def fixed(values: Sequence[float] | Floats, unit: int = UNIT) -> list[int | None]:
    """Numbers as ten-thousandths, or another part of one; null where there is none."""
    array = np.asarray(values, np.float64)
    known = np.isfinite(array)
    whole = np.round(np.where(known, array, 0) * unit).astype(np.int64).tolist()
    if known.all():
        return list(whole)
    return [value if is_known else None for value, is_known in zip(whole, known, strict=True)]
