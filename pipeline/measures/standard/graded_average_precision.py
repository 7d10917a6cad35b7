"""Average precision of graded labels, after two models of a user; with binary gains both are AP."""

import numpy as np

from pipeline.gains.gains import View, running
from pipeline.measures.declaration import measure
from pipeline.measures.standard.recall import share
from pipeline.storage.arrays import Floats


def _all_gain(view: View) -> Floats:
    """[row]: the gain of all a topic's judged documents, as far as the scenario goes.

    Lower: every unjudged document of the list might have full gain. Upper: none has, but one where
    an unjudged document could be the only one with any.
    """
    total = np.asarray(view.ideal.sum(axis=1)[view.topic])
    if view.scenario == "lower":
        return np.asarray(total + view.best * view.unjudged)
    if view.scenario == "upper":
        return np.where((total == 0) & (view.unjudged > 0), view.best, total)
    return total


@measure(
    "GAP",
    title="Graded average precision",
    formula="sum_k (1/k) sum_(m<=k) min(g(m), g(k)) / sum of g over all judged documents",
    citation="Robertson, Kanoulas & Yilmaz, SIGIR 2010; g(k): the chance that a user counts "
    "the document at rank k as relevant, rising with its label",
    cutoff="optional",
    gain="gain",
)
def graded_average_precision(view: View) -> Floats:
    """Average precision of users who differ in the least label that is relevant to them.

    min(g(m), g(k)) is the share of users to whom both documents are relevant. It is added up from
    one label to the next: between two, the same users count the same documents.
    """
    row, rank = view.hits
    gain = view.gain[row, rank]
    total = np.zeros(len(view.topic))
    below = 0.0
    for level in np.unique(gain).tolist():
        counts = gain >= level
        at, place = row[counts], rank[counts]
        precisions = running(at, np.ones(len(at), bool)) / (place + 1)
        total += (level - below) * view.sums(at, precisions)
        below = level
    return _at_most_one(share(total, _all_gain(view)))


@measure(
    "PAP",
    title="Probabilistic average precision",
    formula="1/R * sum_k g(k)/k (1 + g(1) + ... + g(k-1)), R: judged documents with any gain",
    citation="after Dupret & Piwowarski, SIGIR 2010: the user wants n clicks, n from 1 to R alike, "
    "clicks on the document at rank k with chance g(k), and has the precision at the n-th click",
    cutoff="optional",
    gain="gain",
)
def probabilistic_average_precision(view: View) -> Floats:
    """The clicks per document seen when the user has those she wants; 0 if she never has.

    Summed over n, the n-th click at rank k is worth n/k: the clicks before it and itself.
    """
    before = np.cumsum(view.gain, axis=1) - view.gain
    total = (view.gain * (1 + before) / np.arange(1, view.depth + 1)).sum(axis=1)
    return _at_most_one(share(np.asarray(total), view.relevant))


def _at_most_one(value: Floats) -> Floats:
    """The upper scenario finds more than it takes to be there."""
    return np.minimum(value, 1.0)
