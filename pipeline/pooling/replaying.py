"""Adaptive pools: what to judge next follows from what the last judgements were.

The methods replay the judgements there are; a document nobody judged is taken for not relevant
and is what assessors should see next. Judging in rounds is running the campaign again after each.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from pipeline.pooling.candidates import names
from pipeline.pooling.declaration import Offer
from pipeline.pooling.sampling import generator
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats

Lists = Sequence[Sequence[int]]  # for each run the topic's documents, best first
Judged = Mapping[int, bool]  # whether a document is relevant
Order = Callable[[Lists, Judged, np.random.Generator], Iterator[int]]


def read(labels: Path) -> dict[str, dict[str, bool]]:
    """Topic -> document -> whether it is relevant; a document-keyed table holds for topic ''."""
    table = arrow.read(labels, ["topic", "document", "binary"]).to_pydict()
    found: dict[str, dict[str, bool]] = {}
    for topic, document, value in zip(
        table["topic"], table["document"], table["binary"], strict=True
    ):
        if value == value:  # NaN: nobody was able to judge
            found.setdefault(topic or "", {})[document] = value > 0
    return found


def replay(offer: Offer, order: Order) -> Floats:
    """Choose `size` documents a topic, one after the other: the first of an order of judging."""
    ranked, found, plan = offer.ranked, offer.candidates, offer.plan
    chance = np.zeros(len(found.topic))
    stride = len(ranked.topics)
    for t, topic in enumerate(ranked.topics):
        here = found.rows(t)
        documents = found.document[here]
        known = {**offer.relevant.get("", {}), **offer.relevant.get(topic, {})}
        good = {
            document: known.get(name, False)
            for document, name in zip(documents.tolist(), names(ranked, documents), strict=True)
        }
        rows = ranked.number[np.array(offer.runs) * stride + t]
        lists = [row[row >= 0].tolist() for row in rows]
        judged = order(lists, good, generator(plan.seed, topic))
        taken = [document for document, _ in zip(judged, range(plan.size), strict=False)]
        chance[here] = np.isin(documents, taken)
    return chance


class Heads:
    """The first document of each run that was not judged yet."""

    def __init__(self, lists: Lists) -> None:
        self._lists = lists
        self._at = [0] * len(lists)
        self._seen: set[int] = set()

    def alive(self) -> list[int]:
        """The runs that still have a document to give."""
        return [run for run in range(len(self._lists)) if self.has(run)]

    def has(self, run: int) -> bool:
        """Whether a run still has one, past what was judged."""
        documents = self._lists[run]
        while self._at[run] < len(documents) and documents[self._at[run]] in self._seen:
            self._at[run] += 1
        return self._at[run] < len(documents)

    def take(self, run: int) -> int:
        """The next document of a run that has one."""
        document = self._lists[run][self._at[run]]
        self._seen.add(document)
        return document
