"""Subtopic precision: how soon a ranking covers a share of the subtopics, relative to the ideal."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, Param, measure
from pipeline.measures.diversity.coverage import has_subtopic
from pipeline.measures.diversity.greedy import ideal
from pipeline.storage.arrays import Floats, Ints

RECALL = Param(1.0, low=0, high=1, open_low=True, meaning="share of the subtopics to cover")


def required(view: View, recall: float) -> Ints:
    """[row]: the number of subtopics in the share; 0 if the topic has none."""
    # 0.29 * 100 is a little above 29 in floating point.
    return np.asarray(np.ceil(has_subtopic(view).sum(axis=1) * recall - 1e-9), np.int64)


def rank_of_list(view: View, count: Ints) -> Floats:
    """[row]: the rank, from 1, at which `count` subtopics are covered; infinite if never."""
    exists = has_subtopic(view)
    covered = np.zeros((len(count), max(view.depth, 1)), np.int64)
    for place, part in enumerate(view.subtopics):
        relevant = (part.gain > 0) & exists[:, place, None]
        covered[:, : view.depth] += np.maximum.accumulate(relevant, axis=1)
    return _reached(covered, count)


def rank_of_ideal(view: View, count: Ints) -> Floats:
    """[row]: the same for the greedy ranking, which adds most new subtopics at each rank."""
    added = np.round(ideal(view.at(None), alpha=1.0, depth=None, alike=True)).astype(np.int64)
    return _reached(np.cumsum(np.pad(added, ((0, 0), (0, 1))), axis=1)[view.topic], count)


def _reached(covered: Ints, count: Ints) -> Floats:
    reached = covered >= count[:, None]
    rank = np.where(reached.any(axis=1), reached.argmax(axis=1) + 1.0, np.inf)
    return np.where(count > 0, rank, np.inf)


def _ratio(above: Floats, below: Floats) -> Floats:
    finite = np.isfinite(above) & np.isfinite(below)
    return np.minimum(np.divide(above, below, out=np.zeros_like(above), where=finite), 1.0)


def bounds(view: View, *, recall: float) -> Bounds:
    """One unjudged document may cover all subtopics; the ideal needs at most one per subtopic."""
    count = required(view, recall)
    upper = view.under("upper").at(view.cut)
    value = subtopic_precision(view, recall=recall)
    low = _ratio(np.ones_like(value), rank_of_list(view, count))
    high = _ratio(np.maximum(count, 1).astype(float), rank_of_list(upper, count))
    certain = view.unjudged == 0
    return np.where(certain, value, np.minimum(low, value)), np.where(certain, value, high)


@measure(
    "StPrec",
    diverse=True,
    title="Subtopic precision",
    graded=False,
    formula="least rank at which the greedy ranking covers the share of the subtopics / that of "
    "this ranking; 0 if it never does, and never above 1",
    citation="Zhai, Cohen & Lafferty, SIGIR 2003: S-precision",
    params={"recall": RECALL},
    bounds=bounds,
)
def subtopic_precision(view: View, *, recall: float) -> Floats:
    """How close the ranking is to the shortest one that covers as many subtopics."""
    count = required(view, recall)
    return _ratio(rank_of_ideal(view, count), rank_of_list(view, count))
