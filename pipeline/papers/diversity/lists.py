"""Which lists of a topic's judged documents there are, by richness, evenness and relevance.

Documents that are relevant to the same subtopics are alike, so a list is known by how many it has
of each such *signature*. A dynamic programme over the signatures counts exactly, for every number
of documents found for each subtopic, the lists that have it; drawing goes back through the counts.
Drawing lists until one fits would never end: some conditions hold for one list in 10^12.
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
Condition = tuple[int, ...]  # a level of each factor
MOST = 2**62  # states are numbered with 64 bits


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
    """What the first signatures can make up: states, ascending, and in how many ways."""

    state: Ints
    ways: Floats


@dataclass(frozen=True)
class TopicLists:
    """Every state of a topic's lists of one depth, with what it is worth."""

    judged: JudgedTopic
    depth: int
    layers: Sequence[Layer]
    ways: Floats  # [state]: lists, also counting the documents relevant to nothing
    values: Floats  # [state, factor]; NaN for lists without any relevant document

    def cells(
        self, bounds: Sequence[float], *, boundary: str, empty: bool = False
    ) -> dict[Condition, Ints]:
        """The states of each cell that the topic can fill.

        A value on a bound belongs to the range `above` it, or to the one `below` it. Lists without
        any relevant document, whose evenness is 0/0, are left out, unless `empty` takes it for 0.
        """
        value = np.round(self.values, 9)
        if empty:
            value = np.nan_to_num(value, nan=0.0)
        levels = np.searchsorted(bounds, value, side="right" if boundary == "above" else "left")
        possible = (self.ways > 0) & ~np.isnan(value).any(axis=1)
        number = np.where(possible, levels @ (9, 3, 1), -1)
        cells = enumerate(product(range(3), repeat=3))
        return {cell: np.flatnonzero(number == n) for n, cell in cells if (number == n).any()}


def steps(judged: JudgedTopic, depth: int) -> Ints:
    """What one document of each signature adds to a state: a digit a subtopic, one for itself."""
    base = depth + 1
    digits = judged.signature.shape[1] + 1
    if base**digits > MOST:
        what = f"{digits - 1} subtopics are too many to count its lists of {depth}"
        raise InputError(Problem(f"topic '{judged.topic}'", what, "make documents smaller"))
    powers = base ** np.arange(digits, dtype=np.int64)
    return np.asarray(judged.signature @ powers[:-1] + powers[-1])


def lists(judged: JudgedTopic, *, depth: int) -> TopicLists:
    """Count a topic's lists."""
    from scipy.special import comb  # late: every start of the workflow looks for papers here

    layers = [Layer(np.zeros(1, np.int64), np.ones(1))]
    base, subtopics = depth + 1, judged.signature.shape[1]
    for step, count in zip(steps(judged, depth).tolist(), judged.count.tolist(), strict=True):
        before = layers[-1]
        used = before.state // base**subtopics
        parts, ways = [], []
        for taken in range(min(count, depth) + 1):
            fits = used + taken <= depth
            parts.append(before.state[fits] + taken * step)
            ways.append(before.ways[fits] * comb(count, taken))
        state, place = np.unique(np.concatenate(parts), return_inverse=True)
        total = np.bincount(place, weights=np.concatenate(ways)).astype(float)
        layers.append(Layer(state, total))
    last = layers[-1]
    relevant = last.state // base**subtopics
    found = last.state[:, None] // base ** np.arange(subtopics, dtype=np.int64) % base
    covered = (found > 0).sum(axis=1)
    with np.errstate(invalid="ignore"):  # of no relevant document at all there is no evenness
        even = found.sum(axis=1) ** 2 / (covered * (found**2).sum(axis=1))
    values = np.column_stack([covered / judged.subtopics, even, relevant / depth])
    return TopicLists(
        judged, depth, layers, last.ways * comb(judged.others, depth - relevant), values
    )


def draw(found: TopicLists, states: Ints, random: np.random.Generator) -> Ints:
    """[list, signature]: how many documents of each signature, for lists of the given states.

    Every list of documents with that state is as likely as every other.
    """
    from scipy.special import comb

    taken = np.zeros((len(states), len(found.judged.count)), np.int64)
    state = found.layers[-1].state[states]
    step = steps(found.judged, found.depth)
    for place in range(len(found.judged.count) - 1, -1, -1):
        before, count = found.layers[place], int(found.judged.count[place])
        options = np.arange(min(count, found.depth) + 1)
        earlier = state[:, None] - options * step[place]
        at = np.minimum(np.searchsorted(before.state, earlier), len(before.state) - 1)
        known = before.state[at] == earlier
        chance = np.where(known, before.ways[at] * comb(count, options), 0.0)
        chance = np.cumsum(chance / chance.sum(axis=1, keepdims=True), axis=1)
        chosen = np.minimum((random.random((len(state), 1)) > chance).sum(axis=1), options[-1])
        taken[:, place] = chosen
        state = state - chosen * step[place]
    return taken


@dataclass(frozen=True)
class Sample:
    """Drawn lists: the topic, its levels, and the signature at each rank (-1: of no subtopic)."""

    topic: Ints
    levels: Ints  # [list, factor]
    signature: Ints  # [list, rank]


def sample(
    topics: Sequence[TopicLists],
    *,
    each: int,
    bounds: Sequence[float],
    boundary: str,
    wanted: Sequence[Condition] = (),
    random: np.random.Generator,
) -> Sample:
    """So many lists for each topic and cell that it can fill, in random order of documents.

    If cells are `wanted`, then of these alone.
    """
    topic, levels, signature = [], [], []
    for number, found in enumerate(topics):
        for cell, states in found.cells(bounds, boundary=boundary).items():
            if wanted and cell not in wanted:
                continue
            chance = found.ways[states] / found.ways[states].sum()
            taken = draw(found, random.choice(states, size=each, p=chance), random)
            rows = np.full((each, found.depth), -1)
            for row, counts in enumerate(taken):
                ranked = np.repeat(np.arange(len(counts)), counts)
                rows[row, : len(ranked)] = ranked
            signature.append(random.permuted(rows, axis=1))
            topic += [number] * each
            levels += [cell] * each
    return Sample(np.array(topic), np.array(levels), np.concatenate(signature))


def pairs(
    topics: Sequence[TopicLists], bounds: Sequence[float], *, boundary: str, empty: bool = False
) -> dict[Condition, int]:
    """How many topics can fill each cell that any can."""
    each = (one.cells(bounds, boundary=boundary, empty=empty) for one in topics)
    return dict(sorted(Counter(cell for cells in each for cell in cells).items()))
