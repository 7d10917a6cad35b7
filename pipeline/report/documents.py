"""Documents of the rankings: the first of each run with their labels, and those of one team alone.

A relevant document is a team's alone if only its runs show it first, or have it at any rank.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pipeline.pooling.statistics import read_judged
from pipeline.report.report import Report
from pipeline.runs.rankings import Rankings
from pipeline.storage import arrow
from pipeline.storage.arrays import Bools, Ints

FIRST = 10  # ranks that count as shown first, as in judged@10
NOWHERE = np.iinfo(np.int64).max
Label = tuple[float | None, int | None]  # as written, gain in hundredths; None: not judged
Labels = dict[tuple[str | None, str], Label]  # by topic (or none) and document


def first_documents(report: Report) -> dict[str, Any]:
    """The first documents of every run on every topic, each document's labels once for a topic.

    A topic has its documents, for each dimension their labels as written (null: not judged) and
    gains in hundredths, and for each run the numbers of the documents it put first.
    """
    ranked, board = report.rankings, report.board
    shape = len(ranked.runs), len(board.topics), -1
    rows = [ranked.runs.index(run) for run in board.runs]
    first = ranked.number[:, :FIRST].reshape(shape)[rows]  # [run, topic, rank]
    judged = {name: read_labels(path) for name, path in report.labels.items()}
    topics = []
    for at, topic in enumerate(board.topics):
        number: dict[int, int] = {}  # of a document in the rankings -> in the topic
        lists = [
            [number.setdefault(one, len(number)) for one in row if one >= 0]
            for row in first[:, at].tolist()
        ]
        documents = ranked.documents.take(arrow.numbers(np.array([*number], np.int64))).to_pylist()
        each = [[label_of(known, topic.id, d) for d in documents] for known in judged.values()]
        labels, gains = ([[label[part] for label in row] for row in each] for part in (0, 1))
        topics.append({"documents": documents, "labels": labels, "gains": gains, "runs": lists})
    return {"dimensions": list(judged), "topics": topics}


def read_labels(path: Path) -> Labels:
    """The labels by topic and document, or by document alone; judged only."""
    columns = ("topic", "document", "label", "gain")
    cells = (column.to_pylist() for column in arrow.read(path, columns).columns)
    return {
        (topic, document): (int(shown) if shown.is_integer() else shown, round(100 * gain))
        for topic, document, label, gain in zip(*cells, strict=True)
        if label is not None and gain is not None and isfinite(label) and isfinite(gain)
        for shown in [float(f"{label:.4g}")]
    }


def label_of(known: Labels, topic: str, document: str) -> Label:
    """The label of a document: by topic, else by document alone."""
    return known.get((topic, document)) or known.get((None, document)) or (None, None)


class Document(NamedTuple):
    """A relevant document, the run of the team that has it highest, and its labels."""

    topic: str
    document: str
    run: str
    rank: int
    elsewhere: int | None  # the best rank in all other runs; None: none of them has it
    labels: tuple[float | None, ...]  # of each dimension


class Unique(NamedTuple):
    """What each team alone retrieved; `relevant` counts the judged relevant in `dimension`."""

    dimension: str
    dimensions: tuple[str, ...]
    relevant: int
    of: Mapping[str, list[Document]]  # by team, those ranked best first


def read_unique(report: Report) -> Unique | None:
    """Look for the relevant documents in every ranking; None: none is relevant, or known to be."""
    board, labels, dimension = report.board, report.labels, report.relevant
    if dimension is None or not report.has(report.results.rankings):
        return None
    topics = [topic.id for topic in board.topics]
    judged = read_judged(labels[dimension])
    pairs = [
        (t, document)
        for t, topic in enumerate(topics)
        for document, relevant in sorted(judged.get(topic, {}).items())
        if relevant
    ]
    if not pairs:
        return None
    runs, ranks = report.rankings.runs, _ranks(report.rankings, pairs)
    team = {row.run: row.team for row in board.rows if not row.baseline}
    known = {name: read_labels(path) for name, path in labels.items()}

    def documents(own: Bools) -> list[Document]:
        ours, others = (ranks[which].min(axis=0, initial=NOWHERE) for which in (own, ~own))
        alone = (ours < NOWHERE) & ((others == NOWHERE) | ((ours <= FIRST) & (others > FIRST)))
        found = []
        for at in sorted(np.flatnonzero(alone).tolist(), key=lambda at: ours[at]):
            topic, document = topics[pairs[at][0]], pairs[at][1]
            run = runs[int(np.argmin(np.where(own, ranks[:, at], NOWHERE)))]
            elsewhere = None if others[at] == NOWHERE else int(others[at])
            labelled = tuple(label_of(one, topic, document)[0] for one in known.values())
            found.append(Document(topic, document, run, int(ours[at]), elsewhere, labelled))
        return found

    owns = {name: np.array([team.get(run) == name for run in runs]) for name in board.teams}
    found = {name: documents(own) for name, own in owns.items()}
    return Unique(dimension, tuple(known), len(pairs), found)


def _ranks(ranked: Rankings, pairs: Sequence[tuple[int, str]]) -> Ints:
    """[run, pair] the rank at which each run has a document for a topic, or NOWHERE."""
    topic, number = np.array([t for t, _ in pairs]), ranked.find([name for _, name in pairs])
    lists = ranked.number.reshape(len(ranked.runs), len(ranked.topics), -1)
    found = np.full((len(ranked.runs), len(pairs)), NOWHERE)
    place = np.full(len(ranked.documents) + 1, -1)  # of a document's pair; the last: none
    for at in np.unique(topic):
        own = np.flatnonzero((topic == at) & (number >= 0))
        place[number[own]] = own
        pair = place[lists[:, at]]
        run, rank = np.nonzero(pair >= 0)
        found[run, pair[run, rank]] = rank + 1
        place[number[own]] = -1
    return found
