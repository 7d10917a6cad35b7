"""Where a team's runs are among all, measure by measure."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.report.board import Board, Row
from pipeline.statistics.ranks import ranks_of


@dataclass(frozen=True)
class Strip:
    """One measure: where all runs and the team's runs lie between its least and largest mean."""

    measure: str
    others: tuple[float, ...]  # percent
    ours: tuple[tuple[float, str], ...]  # percent and run
    best: tuple[Row, ...]  # of the team's runs; several are tied
    rank: int
    value: float


def runs_of(board: Board, team: str) -> list[Row]:
    """The team's runs; a baseline is nobody's, also where other runs have no team."""
    return [row for row in board.rows if row.team == team and not row.baseline]


def strip(board: Board, mine: Sequence[Row], at: int) -> Strip:
    """Where the team stands under one measure."""
    values = np.array([row.cells[at].value for row in board.rows])
    low, width = float(values.min()), float(np.ptp(values)) or 1.0

    def place(row: Row) -> float:
        return round(100 * (row.cells[at].value - low) / width, 1)

    rank = dict(zip((row.run for row in board.rows), ranks_of(values), strict=True))
    best = min(rank[row.run] for row in mine)
    first = tuple(row for row in mine if rank[row.run] == best)
    return Strip(
        measure=board.measures[at],
        others=tuple(sorted({place(row) for row in board.rows if row not in mine})),
        ours=tuple((place(row), row.run) for row in mine),
        best=first,
        rank=best,
        value=first[0].cells[at].value,
    )
