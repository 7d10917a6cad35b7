"""Relevant documents that only one team shows first, or that no other run found at any rank."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.pooling.statistics import numbers_of, read_judged
from pipeline.report.board import Board
from pipeline.report.lists import Labels, label_of, read_labels
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage.arrays import Bools, Ints

FIRST = 10  # ranks that count as shown first, as in judged@10
NOWHERE = np.iinfo(np.int64).max


@dataclass(frozen=True)
class Document:
    """A relevant document, the run of the team that has it highest, and its labels."""

    topic: str
    document: str
    run: str
    rank: int
    elsewhere: int | None  # the best rank in all other runs; None: none of them has it
    labels: tuple[float | int | None, ...]  # of each dimension


@dataclass(frozen=True)
class Unique:
    """What each team alone found; `relevant` counts what is judged relevant in `dimension`.

    That is what no other run has within the first ranks while the team has, or has at all.
    """

    dimension: str
    dimensions: tuple[str, ...]
    relevant: int
    of: Mapping[str, tuple[Document, ...]]  # by team, those ranked best first


def read_unique(
    rankings: Path, *, labels: Mapping[str, Path], dimension: str, board: Board
) -> Unique | None:
    """Look for the relevant documents of `dimension` in every ranking; None: none is relevant."""
    topics = [topic.id for topic in board.topics]
    relevant = read_judged(labels[dimension]).relevant
    pairs = [(t, d) for t, topic in enumerate(topics) for d in sorted(relevant.get(topic, ()))]
    if not pairs:
        return None
    runs, ranks = _ranks(rankings, topics=topics, pairs=pairs)
    team = {row.run: row.team for row in board.rows if not row.baseline}
    known = {name: read_labels(path) for name, path in labels.items()}
    places = [(topics[t], document) for t, document in pairs]
    return Unique(
        dimension=dimension,
        dimensions=tuple(known),
        relevant=len(pairs),
        of={
            name: _documents(
                runs, ranks, own=np.array([team.get(run) == name for run in runs]),
                pairs=places, known=known,
            )
            for name in board.teams
        },
    )  # fmt: skip


def _ranks(
    path: Path, *, topics: Sequence[str], pairs: Sequence[tuple[int, str]]
) -> tuple[list[str], Ints]:
    """The runs, and [run, pair] the rank at which each has a document for a topic, or NOWHERE."""
    ranked = read_rankings(path, topics=topics)
    size = np.int64(len(ranked.documents) + 1)
    number = numbers_of(ranked, [document for _, document in pairs])
    found = np.full((len(ranked.runs), len(pairs)), NOWHERE)
    wanted = np.array([topic for topic, _ in pairs], np.int64) * size + number
    order = np.argsort(wanted)
    order = order[number[order] >= 0]
    if not len(order):  # nobody found any
        return ranked.runs, found
    inside = wanted[order]
    base = np.arange(len(topics), dtype=np.int64)[:, None] * size
    for at in range(len(ranked.runs)):  # a run at a time: all of them would not fit at once
        lists = ranked.number[at * len(topics) : (at + 1) * len(topics)]
        held = np.where(lists >= 0, base + lists, -1)
        place = np.minimum(np.searchsorted(inside, held), len(inside) - 1)
        row, column = np.nonzero(inside[place] == held)
        found[at, order[place[row, column]]] = column + 1
    return ranked.runs, found


def _documents(
    runs: Sequence[str],
    ranks: Ints,
    *,
    own: Bools,
    pairs: Sequence[tuple[str, str]],
    known: Mapping[str, Labels],
) -> tuple[Document, ...]:
    ours, others = (ranks[which].min(axis=0, initial=NOWHERE) for which in (own, ~own))
    alone = (ours < NOWHERE) & ((others == NOWHERE) | ((ours <= FIRST) & (others > FIRST)))
    made = []
    for pair in sorted(np.flatnonzero(alone).tolist(), key=lambda at: ours[at]):
        topic, document = pairs[pair]
        first = int(np.argmin(np.where(own, ranks[:, pair], NOWHERE)))
        made.append(
            Document(
                topic=topic,
                document=document,
                run=runs[first],
                rank=int(ours[pair]),
                elsewhere=None if others[pair] == NOWHERE else int(others[pair]),
                labels=tuple(label_of(one, topic, document, 0) for one in known.values()),
            )
        )
    return tuple(made)
