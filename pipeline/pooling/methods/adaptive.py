"""Pools of a fixed size: the top documents of a fusion, and adaptive pooling.

Adaptive methods replay existing judgements. An unjudged document counts as not relevant, and is
among the next to judge. To judge in rounds, rerun the campaign after each round.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from pipeline.pooling.candidates import names
from pipeline.pooling.declaration import PoolInputs, generator, pooling
from pipeline.runs.fusion.declaration import fuse
from pipeline.storage.arrays import Floats

Rankings = Sequence[Sequence[int]]  # for each run the topic's documents, best first
# Chooses the next run to judge, from the numbers of relevant and not relevant documents judged so
# far in each run that has documents left.
Choice = Callable[[Floats, Floats, np.random.Generator], int]


@pooling(
    "take",
    order=2,
    title="the top documents of a fusion of the runs",
    citation="Lipani, Losada, Zuccon & Lupu, TKDE 2021",
    reads=("size", "by", "norm", "k", "p"),
    scores=True,
)
def take(inputs: PoolInputs) -> Floats:
    """The first `size` documents of each topic in the fusion."""
    ranked, candidates = inputs.ranked, inputs.candidates
    assert ranked.score is not None
    chance = np.zeros(len(candidates.topic))
    for t in range(len(ranked.topics)):
        rankings, rows = inputs.rows(t), candidates.rows(t)
        number, score, fusion = ranked.number[rankings], ranked.score[rankings], inputs.plan.fusion
        documents, _ = fuse(number, score, documents=ranked.documents, fusion=fusion)
        chance[rows] = np.isin(candidates.document[rows], documents[: inputs.plan.size])
    return chance


@pooling(
    "move_to_front",
    order=5,
    title="adaptive, replays existing labels: continues with runs that find relevant documents",
    citation="Cormack, Palmer & Clarke, SIGIR 1998",
    reads=("size", "labels"),
)
def move_to_front(inputs: PoolInputs) -> Floats:
    """The first `size` documents judged."""
    return replay(inputs, fewest_misses)


@pooling(
    "bandit",
    order=6,
    title="adaptive, replays existing labels: draws runs by the relevant documents found so far",
    citation="Losada, Parapar & Barreiro, SAC 2016",
    reads=("size", "labels"),
)
def bandit(inputs: PoolInputs) -> Floats:
    """The first `size` documents judged; runs are arms of a bandit with Thompson sampling."""
    return replay(inputs, thompson)


def replay(inputs: PoolInputs, choose: Choice) -> Floats:
    """The first `size` documents of each topic in judging order."""
    ranked, candidates, plan = inputs.ranked, inputs.candidates, inputs.plan
    chance = np.zeros(len(candidates.topic))
    for t, topic in enumerate(ranked.topics):
        rows = candidates.rows(t)
        documents = candidates.document[rows]
        judgements = {**inputs.relevant.get("", {}), **inputs.relevant.get(topic, {})}
        labels = (judgements.get(name, False) for name in names(ranked, documents))
        relevance = dict(zip(documents.tolist(), labels, strict=True))
        rankings = [row[row >= 0].tolist() for row in ranked.number[inputs.rows(t)]]
        order = judging_order(rankings, relevance, choose, generator(plan.seed, topic))
        chance[rows] = np.isin(documents, list(islice(order, plan.size)))
    return chance


def judging_order(
    rankings: Rankings, relevance: Mapping[int, bool], choose: Choice, random: np.random.Generator
) -> Iterator[int]:
    """All documents in judging order: always the first unjudged document of the chosen run."""
    queues = [deque(ranking) for ranking in rankings]
    judged: set[int] = set()
    relevant, misses = np.zeros(len(queues)), np.zeros(len(queues))
    while True:
        for ranking in queues:
            while ranking and ranking[0] in judged:
                ranking.popleft()
        runs = np.array([run for run, ranking in enumerate(queues) if ranking], np.int64)
        if not len(runs):
            return
        run = runs[choose(relevant[runs], misses[runs], random)]
        document = queues[run].popleft()
        judged.add(document)
        yield document
        (relevant if relevance[document] else misses)[run] += 1


def fewest_misses(_: Floats, misses: Floats, __: np.random.Generator) -> int:
    """Local move-to-front: the first run with the fewest documents judged not relevant."""
    return int(np.argmin(misses))


def thompson(relevant: Floats, misses: Floats, random: np.random.Generator) -> int:
    """Thompson sampling from a Beta distribution for each run, with the prior Beta(1, 1)."""
    return int(np.argmax(random.beta(relevant + 1, misses + 1)))
