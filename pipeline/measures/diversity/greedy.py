"""The greedy ideal ranking of a topic with subtopics: each rank has the document that adds most.

The best ranking is NP-hard to find (it solves maximum coverage), so the ideal is greedy, as in
ndeval: of documents that add the same, the one with the largest id comes first.
"""

import numpy as np

from pipeline.gains.gains import View
from pipeline.storage.arrays import Floats

LEAST = 1 - 1 / np.e  # a greedy ranking has at least this share of the best score


def share(discount: Floats) -> float:
    """The share of the best score that the greedy ranking has at least, under a discount.

    The score is a submodular function of the documents, so the first k ranks of the greedy ranking
    have at least the share 1 - (1 - 1/k)^k (Nemhauser, Wolsey & Fisher, 1978). A discounted score
    is a weighted sum over its first k ranks for all k, and the best ones grow at most linearly in
    k; so the mean of the shares weighted by k is a lower bound.

    >>> share(np.ones(1)), round(share(np.ones(10)), 3), round(share(1 / np.arange(1, 11)), 3)
    (1.0, 0.651, 0.731)
    """
    rank = np.arange(1, len(discount) + 1)
    weight = -np.diff(discount, append=0.0) * rank
    return float(weight @ (1 - (1 - 1 / rank) ** rank) / weight.sum())


def relative(view: View) -> tuple[Floats, Floats]:
    """[topic, subtopic]: P(s) / maximum, so that equal sums are exactly equal; and the maximum."""
    greatest = view.chances.max(axis=1)
    return view.chances / np.maximum(greatest, 1e-300)[:, None], greatest


def ideal(view: View, *, alpha: float, depth: int | None, alike: bool = False) -> Floats:
    """[topic, rank]: what each rank of the ideal ranking adds, to `depth` or the last gain.

    Subtopics are weighted by relative probability, or equally with `alike`.
    """
    key = ("greedy", tuple(view.readings.items()), view.mix, alpha, alike)
    added: Floats | None = view.gains.cache.get(key)
    documents_key = ("documents", tuple(view.readings.items()), view.mix)
    gain = view.gains.compute_once(documents_key, lambda: _documents(view))
    ranks = gain.shape[1] if depth is None else min(depth, gain.shape[1])
    if added is None or added.shape[1] < ranks:
        chances = (view.chances > 0).astype(float) if alike else relative(view)[0]
        added = view.gains.cache[key] = _added(gain, chances, alpha=alpha, depth=ranks)
    return added[:, :ranks]


def _documents(view: View) -> Floats:
    """[topic, document, subtopic]: gains of judged documents with any gain, by descending id."""
    parts = [part.judgements for part in view.subtopics]
    topic, document, _ = parts[0]
    gain = np.stack([worth for _, _, worth in parts], axis=1)
    keep = (gain > 0).any(axis=1)
    topic, document, gain = topic[keep], document[keep], gain[keep]
    order = np.lexsort((document, topic))[::-1]
    topic, gain = topic[order], gain[order]
    size = np.bincount(topic, minlength=len(view.gains.topics))
    place = np.arange(len(topic)) - np.searchsorted(-topic, -topic)
    table = np.zeros((len(size), int(size.max(initial=0)), gain.shape[1]))
    table[topic, place] = gain
    return table


def _added(gain: Floats, chances: Floats, *, alpha: float, depth: int) -> Floats:
    gain, novelty = gain.copy(), chances.copy()
    topics = np.arange(len(gain))
    added = np.zeros((len(gain), depth))
    for rank in range(depth):
        worth = np.einsum("tds,ts->td", gain, novelty)
        best = worth.argmax(axis=1)
        added[:, rank] = worth[topics, best]
        novelty *= 1 - alpha * gain[topics, best]
        gain[topics, best] = 0.0
    return added
