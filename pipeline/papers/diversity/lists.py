"""The lists of a topic's judged documents, by richness, evenness and relevance.

Documents that are relevant to the same subtopics have the same *signature*, and a list is described
by its number of documents per signature. A *state* is the number of relevant documents per subtopic
and in all. Dynamic programming over the signatures counts the lists of every state exactly;
sampling goes back through the counts. Rejection sampling never ends: some conditions hold for one
list in 10^12.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.storage.arrays import Floats, Ints

FACTORS = ("richness", "evenness", "relevance")
LEVELS = ("low", "medium", "high")
BOUNDARIES = ("above", "below")
Condition = tuple[int, ...]  # the level of each factor
MOST = 2**62  # states are 64-bit numbers


@dataclass(frozen=True)
class JudgedTopic:
    """A topic's judged documents by signature."""

    topic: str
    signature: Ints  # [signature, subtopic]: 0 or 1, never all 0
    count: Ints  # [signature]: documents
    others: int  # documents relevant to no subtopic
    subtopics: int  # N of the topic


@dataclass(frozen=True)
class Layer:
    """The states of lists of the first signatures, ascending, and the number of such lists."""

    state: Ints
    ways: Floats


@dataclass(frozen=True)
class TopicLists:
    """All states of a topic's lists of one depth, with their factors."""

    topic: JudgedTopic
    depth: int
    layers: Sequence[Layer]
    ways: Floats  # [state]: number of lists, including documents relevant to no subtopic
    values: Floats  # [state, factor]; NaN for lists without a relevant document

    def cells(
        self, bounds: Sequence[float], *, boundary: str, empty: bool = False
    ) -> dict[Condition, Ints]:
        """The states of each condition that the topic can meet.

        A value equal to a bound belongs to the range `above` or `below` it. Lists without a
        relevant document have the evenness 0/0 and are left out; with `empty`, it is 0.
        """
        value = np.round(self.values, 9)
        if empty:
            value = np.nan_to_num(value, nan=0.0)
        levels = np.searchsorted(bounds, value, side="right" if boundary == "above" else "left")
        possible = (self.ways > 0) & ~np.isnan(value).any(axis=1)
        number = np.where(possible, levels @ (9, 3, 1), -1)
        cells = enumerate(product(range(3), repeat=3))
        return {cell: np.flatnonzero(number == n) for n, cell in cells if (number == n).any()}


def steps(topic: JudgedTopic, depth: int) -> Ints:
    """What a document of each signature adds to a state: a digit per subtopic and one for all."""
    base = depth + 1
    digits = topic.signature.shape[1] + 1
    if base**digits > MOST:
        what = f"topic '{topic.topic}' has too many subtopics ({digits - 1}) for lists of {depth}"
        raise InputError(Problem("documents", what, "make it smaller"))
    powers = base ** np.arange(digits, dtype=np.int64)
    return np.asarray(topic.signature @ powers[:-1] + powers[-1])


def lists(topic: JudgedTopic, *, depth: int) -> TopicLists:
    """Count the lists of a topic."""
    from scipy.special import comb  # late: parsing the workflow imports all papers

    layers = [Layer(np.zeros(1, np.int64), np.ones(1))]
    base, subtopics = depth + 1, topic.signature.shape[1]
    for step, count in zip(steps(topic, depth).tolist(), topic.count.tolist(), strict=True):
        before = layers[-1]
        used = before.state // base**subtopics
        parts, ways = [], []
        for number in range(min(count, depth) + 1):
            fits = used + number <= depth
            parts.append(before.state[fits] + number * step)
            ways.append(before.ways[fits] * comb(count, number))
        state, place = np.unique(np.concatenate(parts), return_inverse=True)
        layers.append(Layer(state, np.bincount(place, weights=np.concatenate(ways)).astype(float)))
    last = layers[-1]
    relevant = last.state // base**subtopics
    per_subtopic = last.state[:, None] // base ** np.arange(subtopics, dtype=np.int64) % base
    covered = (per_subtopic > 0).sum(axis=1)
    with np.errstate(invalid="ignore"):  # 0/0 without a relevant document
        even = per_subtopic.sum(axis=1) ** 2 / (covered * (per_subtopic**2).sum(axis=1))
    values = np.column_stack([covered / topic.subtopics, even, relevant / depth])
    ways = last.ways * comb(topic.others, depth - relevant)
    return TopicLists(topic, depth, layers, ways, values)


def draw(topic_lists: TopicLists, states: Ints, random: np.random.Generator) -> Ints:
    """Random lists with these states, all equally likely: number of documents [list, signature]."""
    from scipy.special import comb

    drawn = np.zeros((len(states), len(topic_lists.topic.count)), np.int64)
    state = topic_lists.layers[-1].state[states]
    step = steps(topic_lists.topic, topic_lists.depth)
    for place in range(len(topic_lists.topic.count) - 1, -1, -1):
        before, count = topic_lists.layers[place], int(topic_lists.topic.count[place])
        options = np.arange(min(count, topic_lists.depth) + 1)
        earlier = state[:, None] - options * step[place]
        at = np.minimum(np.searchsorted(before.state, earlier), len(before.state) - 1)
        possible = before.state[at] == earlier
        chance = np.where(possible, before.ways[at] * comb(count, options), 0.0)
        chance = np.cumsum(chance / chance.sum(axis=1, keepdims=True), axis=1)
        chosen = np.minimum((random.random((len(state), 1)) > chance).sum(axis=1), options[-1])
        drawn[:, place] = chosen
        state = state - chosen * step[place]
    return drawn


@dataclass(frozen=True)
class Sample:
    """Random lists: topic, levels, and the signature at each rank (-1: of no subtopic)."""

    topic: Ints
    levels: Ints  # [list, factor]
    signature: Ints  # [list, rank]


def sample(
    topics: Sequence[TopicLists],
    *,
    each: int,
    bounds: Sequence[float],
    boundary: str,
    conditions: Sequence[Condition] = (),
    random: np.random.Generator,
) -> Sample:
    """`each` random lists per topic and condition it can meet, or per one of `conditions`."""
    topic, levels, signature = [], [], []
    for number, topic_lists in enumerate(topics):
        for cell, states in topic_lists.cells(bounds, boundary=boundary).items():
            if conditions and cell not in conditions:
                continue
            chance = topic_lists.ways[states] / topic_lists.ways[states].sum()
            counts_drawn = draw(topic_lists, random.choice(states, size=each, p=chance), random)
            rows = np.full((each, topic_lists.depth), -1)
            for row, counts in enumerate(counts_drawn):
                ranked = np.repeat(np.arange(len(counts)), counts)
                rows[row, : len(ranked)] = ranked
            signature.append(random.permuted(rows, axis=1))
            topic += [number] * each
            levels += [cell] * each
    return Sample(np.array(topic), np.array(levels), np.concatenate(signature))


def pairs(
    topics: Sequence[TopicLists], bounds: Sequence[float], *, boundary: str, empty: bool = False
) -> dict[Condition, int]:
    """The number of topics that can meet each condition."""
    by_topic = (topic.cells(bounds, boundary=boundary, empty=empty) for topic in topics)
    return dict(sorted(Counter(cell for cells in by_topic for cell in cells).items()))
