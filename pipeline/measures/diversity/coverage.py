"""How many of a topic's subtopics a ranking covers, and how evenly, regardless of the order.

Richness and evenness follow Kingrani, Levene & Zhang (ECIR 2018), who take them from ecology.
"""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, measure
from pipeline.measures.standard.precision import share, success_expected
from pipeline.storage.arrays import Bools, Floats, Ints

RICHNESS = "subtopics with a relevant document in the ranking / N, N: subtopics of the topic"


def has_subtopic(view: View) -> Bools:
    """[row, subtopic]: whether the topic has the subtopic."""
    return np.asarray((view.chances > 0)[view.topic])


def counts(view: View) -> Floats:
    """[row, subtopic]: the number of retrieved documents relevant to each subtopic."""
    relevant = np.stack([(part.gain > 0).sum(axis=1) for part in view.subtopics], axis=1)
    return np.where(has_subtopic(view), relevant, 0).astype(float)


def richness_expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: the mean of the probabilities that each subtopic is covered."""
    parts = [success_expected(part, tie) for part in view.subtopics]
    covered = np.where(has_subtopic(view), np.stack(parts, axis=1), 0.0).sum(axis=1)
    return share(covered, has_subtopic(view).sum(axis=1).astype(float))


def evenness_bounds(view: View) -> Bounds:
    """If an unjudged document could change the counts: from 1 / number of subtopics to 1."""
    value, relevant = evenness(view), counts(view)
    lowest = 1 / np.maximum(has_subtopic(view).sum(axis=1), 1) * (relevant.sum(axis=1) > 0)
    upper = view.under("upper").at(view.cut)
    highest = (counts(upper).sum(axis=1) > 0).astype(float)
    certain = np.all(counts(upper) == relevant, axis=1)
    return np.where(certain, value, lowest), np.where(certain, value, highest)


@measure(
    "Richness",
    diverse=True,
    title="Richness",
    graded=False,
    formula=RICHNESS,
    citation="Kingrani, Levene & Zhang, ECIR 2018, equation 3",
    cutoff="optional",
    expected=richness_expected,
)
@measure(
    "StRecall",
    diverse=True,
    title="Subtopic recall at k",
    graded=False,
    formula=RICHNESS,
    citation="Zhai, Cohen & Lafferty, SIGIR 2003; ndeval strec",
    cutoff="required",
    expected=richness_expected,
)
def subtopic_recall(view: View) -> Floats:
    """The share of the subtopics that the first k documents cover."""
    covered = (counts(view) > 0).sum(axis=1).astype(float)
    return share(covered, has_subtopic(view).sum(axis=1).astype(float))


@measure(
    "Evenness",
    diverse=True,
    title="Evenness",
    graded=False,
    formula="1 / (R sum_s p_s^2), p_s: the share of subtopic s in the relevant pairs of "
    "document and subtopic, R: subtopics covered; 0 if none is",
    citation="Kingrani, Levene & Zhang, ECIR 2018, equations 4 and 5; inverse Simpson: Hill, "
    "Ecology 54(2), 1973",
    cutoff="optional",
    rises=False,  # one more relevant document can make the subtopics less even
    bounds=evenness_bounds,
)
def evenness(view: View) -> Floats:
    """How evenly the ranking is spread over the subtopics that it covers."""
    relevant = counts(view)
    covered = (relevant > 0).sum(axis=1).astype(float)
    return share(relevant.sum(axis=1) ** 2, covered * (relevant**2).sum(axis=1))
