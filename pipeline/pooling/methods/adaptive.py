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
from pipeline.runs.fusion.declaration import fuse
from pipeline.storage.arrays import Floats

Rankings = Sequence[Sequence[int]]  # for each run the topic's documents, best first
Judged = Mapping[int, bool]  # whether a document is relevant
# Which run is judged next, of those with a document left: by how many documents of each that were
# judged are relevant, and how many are not.
Choice = Callable[[Floats, Floats, np.random.Generator], int]


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
        documents, _ = fuse(number, score, documents=ranked.documents, fusion=fusion)
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


def replay(offer: Offer, choose: Choice) -> Floats:
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
        order = judging_order(rankings, good, choose, generator(plan.seed, topic))
        chance[here] = np.isin(documents, list(islice(order, plan.size)))
    return chance


def judging_order(
    rankings: Rankings, good: Judged, choose: Choice, random: np.random.Generator
) -> Iterator[int]:
    """All documents as they are judged: each time the first one left of the run that is chosen."""
    left = [deque(ranking) for ranking in rankings]
    judged: set[int] = set()
    relevant, misses = np.zeros(len(left)), np.zeros(len(left))
    while True:
        for ranking in left:
            while ranking and ranking[0] in judged:
                ranking.popleft()
        runs = np.array([run for run, ranking in enumerate(left) if ranking], np.int64)
        if not len(runs):
            return
        run = runs[choose(relevant[runs], misses[runs], random)]
        document = left[run].popleft()
        judged.add(document)
        yield document
        (relevant if good[document] else misses)[run] += 1


def fewest_misses(_: Floats, misses: Floats, __: np.random.Generator) -> int:
    """The local variant of move-to-front: the run with the fewest irrelevant documents.

    So a run continues while its documents are relevant. Ties go by the order of the runs.
    """
    return int(np.argmin(misses))


def thompson(relevant: Floats, misses: Floats, random: np.random.Generator) -> int:
    """Thompson sampling from the Beta distribution of each run, which begins as Beta(1, 1)."""
    return int(np.argmax(random.beta(relevant + 1, misses + 1)))
