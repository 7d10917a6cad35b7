"""Pools of a fixed size: the best of a fusion, or in the order of what judging found so far.

Adaptive methods replay the judgements there are. A document without one counts as not relevant and
is what assessors should see next; judging in rounds is running the campaign again after each.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from pipeline.pooling.candidates import names
from pipeline.pooling.declaration import Offer, generator, pooling
from pipeline.runs.fusion.declaration import fused
from pipeline.storage.arrays import Floats

Rankings = Sequence[Sequence[int]]  # for each run the topic's documents, best first
Judged = Mapping[int, bool]  # whether a document is relevant
Order = Callable[[Rankings, Judged, np.random.Generator], Iterator[int]]


@pooling(
    "take",
    order=2,
    title="the best of a fusion of the runs",
    citation="Lipani, Losada, Zuccon & Lupu, TKDE 2021",
    reads=("size", "by", "norm", "k", "p"),
    scores=True,
)
def take(offer: Offer) -> Floats:
    """The first `size` documents of each topic in the fusion."""
    ranked, found = offer.ranked, offer.candidates
    assert ranked.score is not None
    chance = np.zeros(len(found.topic))
    for t in range(len(ranked.topics)):
        rows = offer.rows(t)
        number, score, fusion = ranked.number[rows], ranked.score[rows], offer.plan.fusion
        documents, _ = fused(number, score, documents=ranked.documents, fusion=fusion)
        here = found.rows(t)
        chance[here] = np.isin(found.document[here], documents[: offer.plan.size])
    return chance


@pooling(
    "move_to_front",
    order=5,
    title="adaptive, replaying the labels there are: on with a run that finds relevant documents",
    citation="Cormack, Palmer & Clarke, SIGIR 1998",
    reads=("size", "labels"),
)
def move_to_front(offer: Offer) -> Floats:
    """The first `size` documents judged."""
    return replay(offer, fewest_misses)


@pooling(
    "bandit",
    order=6,
    title="adaptive, replaying the labels there are: runs drawn by what they found so far",
    citation="Losada, Parapar & Barreiro, SAC 2016",
    reads=("size", "labels"),
)
def bandit(offer: Offer) -> Floats:
    """The first `size` documents judged; each run is an arm, drawn more often the more it finds."""
    return replay(offer, thompson)


def replay(offer: Offer, order: Order) -> Floats:
    """The first `size` documents of each topic in an order of judging."""
    ranked, found, plan = offer.ranked, offer.candidates, offer.plan
    chance = np.zeros(len(found.topic))
    for t, topic in enumerate(ranked.topics):
        here = found.rows(t)
        documents = found.document[here]
        known = {**offer.relevant.get("", {}), **offer.relevant.get(topic, {})}
        good = {
            document: known.get(name, False)
            for document, name in zip(documents.tolist(), names(ranked, documents), strict=True)
        }
        rankings = [row[row >= 0].tolist() for row in ranked.number[offer.rows(t)]]
        judged = order(rankings, good, generator(plan.seed, topic))
        chance[here] = np.isin(documents, list(islice(judged, plan.size)))
    return chance


def fewest_misses(rankings: Rankings, good: Judged, _: np.random.Generator) -> Iterator[int]:
    """The local variant: a run continues while its documents are relevant.

    After one that is not, the run with the fewest such documents is next (ties: run order).
    """
    heads = Heads(rankings)
    misses = [0] * len(rankings)
    while alive := heads.alive():
        run = min(alive, key=lambda r: (misses[r], r))
        while heads.next(run) is not None:
            document = heads.take(run)
            yield document
            if not good[document]:
                misses[run] += 1
                break


def thompson(rankings: Rankings, good: Judged, random: np.random.Generator) -> Iterator[int]:
    """Thompson sampling from the Beta distribution of each run.

    Every run begins with Beta(1, 1); a judgement counts for the run that gave the document.
    """
    heads = Heads(rankings)
    wins, losses = np.ones(len(rankings)), np.ones(len(rankings))
    while alive := heads.alive():
        run = alive[int(np.argmax(random.beta(wins[alive], losses[alive])))]
        document = heads.take(run)
        yield document
        (wins if good[document] else losses)[run] += 1


class Heads:
    """The rankings of runs, without the documents that were judged."""

    def __init__(self, rankings: Rankings) -> None:
        self._left = [deque(ranking) for ranking in rankings]
        self._judged: set[int] = set()

    def alive(self) -> list[int]:
        """The runs that still have a document to give."""
        return [run for run in range(len(self._left)) if self.next(run) is not None]

    def next(self, run: int) -> int | None:
        """The first document of a run that was not judged yet."""
        left = self._left[run]
        while left and left[0] in self._judged:
            left.popleft()
        return left[0] if left else None

    def take(self, run: int) -> int:
        """The next document of a run that has one, which is now judged."""
        self._judged.add(self._left[run][0])
        return self._left[run].popleft()
