"""Tiny campaigns in memory: lists of labels, without files, for tests that try thousands."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.gains.dimension import NOTHING, UNJUDGED, Dimension
from pipeline.gains.gains import Gains

LABELS = (0, 1, 2)  # relevant from 1, linear gain
WORTH = [[0, 0, 0], [np.nan] * 3, *([float(n >= 1), n / 2, n] for n in LABELS)]


@dataclass(frozen=True)
class Case:
    """One list: the label at each rank (None: not judged), and what else was judged."""

    labels: tuple[int | None, ...]
    others: tuple[int, ...] = ()
    groups: tuple[int, ...] = ()  # number of the group of tied documents, at each rank

    @property
    def gains(self) -> list[float]:
        return [(n or 0) / 2 for n in self.labels]

    @property
    def judged(self) -> list[int]:
        return [n for n in (*self.labels, *self.others) if n is not None]


def gains_of(cases: Sequence[Case], *, depth: int | None = None) -> Gains:
    """The cases as topics of one run."""
    depth = depth or max(1, *(len(case.labels) for case in cases))
    codes = np.full((len(cases), depth), NOTHING, np.uint8)
    tie = np.tile(np.arange(depth), (len(cases), 1))
    score = np.full((len(cases), depth), np.nan)
    judged: list[tuple[int, str, int]] = []
    for row, case in enumerate(cases):
        place = len(case.labels)
        for rank, label in enumerate(case.labels):
            codes[row, rank] = UNJUDGED if label is None else label + 2
            if label is not None:
                judged.append((row, f"d{rank}", label + 2))
        judged += [(row, f"e{n}", label + 2) for n, label in enumerate(case.others)]
        if case.groups:
            tie[row, :place] = case.groups
            tie[row, place:] = np.arange(depth - place) + 100
        score[row, :place] = 1 / (1.0 + tie[row, :place])
    dimension = Dimension(
        codes=codes,
        worth=np.array(WORTH, float),
        scale=np.array([0.0, 2.0, 1.0]),
        judged_topic=np.array([topic for topic, _, _ in judged], np.int64),
        judged_document=np.array([document for _, document, _ in judged], str),
        judged_level=np.array([level for _, _, level in judged], np.int64),
    )
    return Gains(
        runs=("run",),
        topics=tuple(f"t{row}" for row in range(len(cases))),
        topic=np.arange(len(cases)),
        length=np.array([len(case.labels) for case in cases], np.int64),
        dimensions={"topicality": dimension},
        score=score,
        tie=tie,
    )
