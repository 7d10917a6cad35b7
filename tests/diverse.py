"""Tiny campaigns judged by subtopic, in memory: what each document is to each subtopic."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from pipeline.gains.dimension import Dimension
from pipeline.gains.gains import Gains

Document = tuple[int, ...]  # 1 for each subtopic it is relevant to


@dataclass(frozen=True)
class Case:
    """One list: documents (None: not judged), what else was judged, and groups of ties."""

    found: tuple[Document | None, ...]
    others: tuple[Document, ...] = ()
    groups: tuple[int, ...] = ()

    @property
    def judged(self) -> list[Document]:
        return [one for one in (*self.found, *self.others) if one is not None]


def gains_of(
    cases: Sequence[Case],
    *,
    subtopics: int,
    chances: Sequence[float] | None = None,
    depth: int | None = None,
) -> Gains:
    """The cases as topics of one run; `chances` are the subtopics' weights in all of them."""
    every = [*product((0, 1), repeat=subtopics)]
    number = {one: place + 2 for place, one in enumerate(every)}
    depth = depth or max(1, *(len(case.found) for case in cases))
    codes = np.zeros((len(cases), depth), np.int32)
    tie = np.tile(np.arange(depth), (len(cases), 1))
    judged: list[tuple[int, str, int]] = []
    for row, case in enumerate(cases):
        for rank, one in enumerate(case.found):
            codes[row, rank] = 1 if one is None else number[one]
        if case.groups:
            tie[row, : len(case.groups)] = case.groups
            tie[row, len(case.groups) :] = np.arange(depth - len(case.groups)) + 100
        judged += [(row, f"d{n:02}", number[one]) for n, one in enumerate(case.judged)]
    labels = np.array(every, float)
    each = np.concatenate([np.zeros((1, subtopics)), np.full((1, subtopics), np.nan), labels])
    best = each.max(axis=1)
    dimension = Dimension(
        codes=codes,
        worth=np.repeat(best[:, None], 3, axis=1),
        scale=np.array([0.0, 1.0, 1.0]),
        judged_topic=np.array([topic for topic, _, _ in judged], np.int64),
        judged_document=np.array([document for _, document, _ in judged], str),
        judged_level=np.array([level for _, _, level in judged], np.int64),
        subtopics=np.repeat(each[:, :, None], 3, axis=2),
        chances=np.tile(
            np.full(subtopics, np.nan) if chances is None else np.array(chances), (len(cases), 1)
        ),
    )
    return Gains(
        runs=("run",),
        topics=tuple(f"t{row}" for row in range(len(cases))),
        topic=np.arange(len(cases)),
        length=np.array([len(case.found) for case in cases], np.int64),
        dimensions={"topicality": dimension},
        tie=tie,
    )
