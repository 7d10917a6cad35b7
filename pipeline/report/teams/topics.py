"""Where a team wins and loses, topic by topic."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.report.board import Board, Row
from pipeline.report.topic_scores import TopicScores
from pipeline.statistics.ranks import EXACT


@dataclass(frozen=True)
class TopicLine:
    """One topic: the spread of all runs in percent, and the scores of the team's runs."""

    place: int
    id: str
    text: str
    low: float
    median: float
    high: float
    best: float
    scores: tuple[float, ...]
    lead: float  # the best of the team's runs over the median of all
    first: bool  # nobody does better, and not all runs are level
    alone: bool  # and no other run does as well


def lines(
    board: Board, mine: Sequence[Row], scores: TopicScores, *, measure: str
) -> tuple[TopicLine, ...]:
    """The topics under one measure, those on which the team is furthest ahead first."""
    values = np.round(scores.of[measure], EXACT)
    own = np.isin([row.run for row in board.rows], [row.run for row in mine])
    ours, others = values[own], values[~own]
    top = float(values.max(initial=0.0)) or 1.0
    median = np.round(np.median(values, axis=0), EXACT)
    high, low, best = values.max(axis=0), values.min(axis=0), ours.max(axis=0)
    rival = others.max(axis=0, initial=-np.inf)
    made = [
        TopicLine(
            place=at,
            id=topic.id,
            text=topic.text,
            low=100 * float(low[at]) / top,
            median=100 * float(median[at]) / top,
            high=100 * float(high[at]) / top,
            best=100 * float(best[at]) / top,
            scores=tuple(ours[:, at].tolist()),
            lead=round(float(best[at] - median[at]), EXACT),
            first=bool(best[at] >= rival[at] and high[at] > low[at]),
            alone=bool(best[at] > rival[at]),
        )
        for at, topic in enumerate(board.topics)
    ]
    return tuple(sorted(made, key=lambda line: (-line.lead, line.place)))
