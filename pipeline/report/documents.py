"""The first documents of each run with labels, and relevant documents of one team alone."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pipeline.pooling.statistics import read_judged
from pipeline.report.report import Report
from pipeline.runs.rankings import Rankings
from pipeline.storage import arrow
from pipeline.storage.arrays import Ints

FIRST = 10  # ranks that count as high, as in judged@10
NOWHERE = np.iinfo(np.int64).max
Label = tuple[float | None, int | None]  # the label and its gain in hundredths; None: unjudged
Labels = dict[tuple[str | None, str], Label]  # by topic (or none) and document


def first_documents(report: Report) -> dict[str, Any]:
    """The first documents of every run on every topic, with the labels of each document once.

    Each topic has its documents, for each dimension their labels (null: unjudged) and gains in
    hundredths, and for each run the numbers of its first documents.
    """
    ranked, board = report.rankings, report.board
    shape = len(ranked.runs), len(board.topics), -1
    rows = [ranked.runs.index(run) for run in board.runs]
    first = ranked.number[:, :FIRST].reshape(shape)[rows]  # [run, topic, rank]
    judged = {name: read_labels(path) for name, path in report.labels.items()}
    topics = []
    for at, topic in enumerate(board.topics):
        number: dict[int, int] = {}  # of a document in the rankings -> in the topic
        rows_of_topic = first[:, at].tolist()
        runs = [[number.setdefault(d, len(number)) for d in row if d >= 0] for row in rows_of_topic]
        documents = ranked.documents.take(arrow.numbers(np.array([*number], np.int64))).to_pylist()
        cells = [[label_of(labels, topic.id, d) for d in documents] for labels in judged.values()]
        labels, gains = ([[label[part] for label in row] for row in cells] for part in (0, 1))
        topics.append({"documents": documents, "labels": labels, "gains": gains, "runs": runs})
    return {"dimensions": list(judged), "topics": topics}


def read_labels(path: Path) -> Labels:
    """The labels of judged documents, by topic and document, or by document alone."""
    columns = ("topic", "document", "label", "gain")
    cells = (column.to_pylist() for column in arrow.read(path, columns).columns)
    return {
        (topic, document): (int(value) if value.is_integer() else value, round(100 * gain))
        for topic, document, label, gain in zip(*cells, strict=True)
        if label is not None and gain is not None and isfinite(label) and isfinite(gain)
        for value in [float(f"{label:.4g}")]
    }


def label_of(labels: Labels, topic: str, document: str) -> Label:
    """The label of a document: by topic, else by document alone."""
    return labels.get((topic, document)) or labels.get((None, document)) or (None, None)


class UniqueDocument(NamedTuple):
    """A relevant document, the run of the team that ranks it highest, and its labels."""

    topic: str
    document: str
    run: str
    rank: int
    elsewhere: int | None  # the best rank in other runs; None: no other run retrieved it
    labels: tuple[float | None, ...]  # of each dimension


class UniqueDocuments(NamedTuple):
    """The documents of each team alone; `relevant` is the number of relevant ones in all."""

    dimension: str
    dimensions: tuple[str, ...]
    relevant: int
    by_team: Mapping[str, list[UniqueDocument]]  # those ranked best first


def read_unique(report: Report) -> UniqueDocuments | None:
    """The unique documents of each team; None without labels or relevant documents."""
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
    tables = {name: read_labels(path) for name, path in labels.items()}

    def documents(name: str) -> Iterator[UniqueDocument]:
        of_team = np.array([team.get(run) == name for run in runs])
        best, rival = (ranks[rows].min(axis=0, initial=NOWHERE) for rows in (of_team, ~of_team))
        alone = (best < NOWHERE) & ((rival == NOWHERE) | ((best <= FIRST) & (rival > FIRST)))
        for at in sorted(np.flatnonzero(alone).tolist(), key=lambda at: best[at]):
            topic, document = topics[pairs[at][0]], pairs[at][1]
            run = runs[int(np.argmin(np.where(of_team, ranks[:, at], NOWHERE)))]
            elsewhere = None if rival[at] == NOWHERE else int(rival[at])
            cells = tuple(label_of(table, topic, document)[0] for table in tables.values())
            yield UniqueDocument(topic, document, run, int(best[at]), elsewhere, cells)

    by_team = {name: list(documents(name)) for name in board.teams}
    return UniqueDocuments(dimension, tuple(tables), len(pairs), by_team)


def _ranks(ranked: Rankings, pairs: Sequence[tuple[int, str]]) -> Ints:
    """[run, pair]: the rank of each (topic, document) pair in each run, or NOWHERE."""
    topic, number = np.array([t for t, _ in pairs]), ranked.find([name for _, name in pairs])
    lists = ranked.number.reshape(len(ranked.runs), len(ranked.topics), -1)
    ranks = np.full((len(ranked.runs), len(pairs)), NOWHERE)
    place = np.full(len(ranked.documents) + 1, -1)  # by document number: its pair; the last: none
    for at in np.unique(topic):
        matches = np.flatnonzero((topic == at) & (number >= 0))
        place[number[matches]] = matches
        pair = place[lists[:, at]]
        run, rank = np.nonzero(pair >= 0)
        ranks[run, pair[run, rank]] = rank + 1
        place[number[matches]] = -1
    return ranks
