"""Average precision and its variants: graded, smoothed, inferred, interpolated."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.gains.places import Places, ordinal, running_count
from pipeline.measures.declaration import Bounds, Param, measure
from pipeline.measures.standard.precision import not_monotone, over_relevant, share
from pipeline.measures.tie_groups import groups
from pipeline.storage.arrays import Bools, Floats, Ints


def bounds(view: View) -> Bounds:
    """The exact lower and upper bound over all labels of the unjudged documents.

    More relevant documents also raise R, so "none relevant" and "all relevant" are not the bounds.
    With n more relevant documents, the sum of precisions is lowest if they are the n deepest
    unjudged ones and highest if they are the n shallowest. So all n are tried, by running sums over
    the ranks.
    """
    value, upper = view.at(None), view.under("upper")
    relevant = value.gain > 0
    unjudged = (upper.gain > 0) & ~relevant
    if view.cut is not None:  # documents past the cut can only raise R
        relevant[:, view.cut :] = False
    rank = np.arange(1, relevant.shape[1] + 1)
    inside = rank <= (view.cut or len(rank))
    hits = np.cumsum(relevant, axis=1)
    start = (relevant * hits / rank).sum(axis=1)
    relevant_count = (view.ideal > 0).sum(axis=1)[view.topic]

    def after(marked: Bools) -> Floats:
        """Sum of 1/rank over the marked ranks after each rank."""
        share = np.where(marked & inside, 1 / rank, 0.0)
        return np.asarray(share[:, ::-1].cumsum(axis=1)[:, ::-1] - share)

    deep = np.where(unjudged & inside, (hits + 1) / rank + after(relevant | unjudged), 0.0)
    deepest = deep[:, ::-1].cumsum(axis=1)[:, ::-1]
    added = np.cumsum(unjudged[:, ::-1], axis=1, dtype=np.int64)[:, ::-1]
    low = _least(start, relevant_count, deepest, added, unjudged)

    before = np.cumsum(unjudged, axis=1, dtype=np.int64)
    shallow = np.where(unjudged & inside, (hits + before) / rank + after(relevant), 0.0)
    high = -_least(-start, relevant_count, -shallow.cumsum(axis=1), before, unjudged & inside)
    return low, high


def _least(start: Floats, relevant: Ints, gains: Floats, added: Ints, candidates: Bools) -> Floats:
    """The minimum of (start + gains) / (relevant + added) over the candidates, or with none."""
    unchanged = share(start, relevant.astype(float))
    count = np.maximum(relevant[:, None] + added, 1)
    values = np.where(candidates, (start[:, None] + gains) / count, np.inf)
    return np.asarray(np.minimum(unchanged, values.min(axis=1, initial=np.inf)))


def expected(view: View, tie: Ints) -> Floats:
    """Exact under ties (McSherry & Najork, ECIR 2008, section 2.3).

    A rank in a group with s relevant of n documents has a relevant one with probability s/n; then
    each of the i ranks of the group before it does with probability (s - 1)/(n - 1).
    """
    relevant = (view.at(None).gain > 0).astype(float)
    ties = groups(view, tie)
    s, n = ties.total(relevant), ties.size
    before = ties.place * np.maximum(s - 1, 0) / np.maximum(n - 1, 1)
    precision = (ties.before(relevant) + 1 + before) / np.arange(1, relevant.shape[1] + 1)
    return share((s / n * precision)[:, : view.depth].sum(axis=1), view.relevant)


def _precisions(view: View) -> Places:
    """Row and rank of every relevant document, and the precision at its rank."""
    row, rank = view.hits
    return row, rank, ordinal(row) / (rank + 1)


@measure(
    "GMAP",
    title="Geometric mean average precision",
    graded=False,
    formula="exp(mean over topics of ln max(AP, 0.00001))",
    citation="Robertson, On GMAP and other transformations, CIKM 2006; floor as in trec_eval",
    cutoff="optional",
    aggregate="geometric",
    bounds=bounds,
    expected=expected,
    contributions=over_relevant(_precisions),
)
@measure(
    "AP",
    title="Average precision",
    graded=False,
    formula="1/R * sum_k g(k) P@k",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005",
    cutoff="optional",
    bounds=bounds,
    expected=expected,
    contributions=over_relevant(_precisions),
)
def average_precision(view: View) -> Floats:
    """Mean of the precision at each relevant document; unretrieved ones count as 0."""
    row, _, precision = _precisions(view)
    return share(view.sums(row, precision), view.relevant)


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
    """Average precision of users who differ in the lowest label that is relevant to them.

    min(g(m), g(k)) is the share of users for whom both documents are relevant. The sum goes from
    label to label, since between two labels the same documents are relevant.
    """
    row, rank = view.hits
    gain = view.gain[row, rank]
    total = np.zeros(len(view.topic))
    below = 0.0
    for level in np.unique(gain).tolist():
        counts = gain >= level
        rows, ranks = row[counts], rank[counts]
        precisions = running_count(rows, np.ones(len(rows), bool)) / (ranks + 1)
        total += (level - below) * view.sums(rows, precisions)
        below = level
    # In the upper scenario the sum can exceed the assumed total.
    return np.minimum(share(total, view.bounded_sum(view.ideal, view.best)), 1.0)


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
    """Clicks per document read when the user has the number of clicks that they want.

    It is 0 if this number is never reached. Summed over n, the n-th click at rank k adds n/k.
    """
    before = np.cumsum(view.gain, axis=1) - view.gain
    total = (view.gain * (1 + before) / np.arange(1, view.depth + 1)).sum(axis=1)
    return np.minimum(share(np.asarray(total), view.relevant), 1.0)  # as in GAP


def _precision_sum(view: View) -> Floats:
    """[row]: the sum of the precisions at relevant documents."""
    row, _, precision = _precisions(view)
    relevant = view.relevant[row]
    return view.sums(row, precision / relevant * relevant)


def smoothed_bounds(view: View) -> Bounds:
    """Valid bounds: unjudged documents can only raise the sum and R, and the sum is at most R."""
    upper = view.under("upper")
    lowest, relevant = _precision_sum(view), view.relevant
    gain = upper.gain > 0
    precision = np.cumsum(gain, axis=1) / np.arange(1, upper.depth + 1)
    highest = np.where(gain, precision, 0.0).sum(axis=1)
    low = np.log((1 + lowest) / (1 + relevant + view.unjudged - lowest))
    high = np.log((1 + highest) / (1 + np.maximum(relevant - highest, 0)))
    certain = view.unjudged == 0
    value = smoothed_average_precision(view)
    return np.where(certain, value, low), np.where(certain, value, high)


@measure(
    "YAAP",
    title="Yet another average precision",
    graded=False,
    formula="ln((1 + s) / (1 + R - s)), s = sum over relevant documents of the precision there",
    citation="Robertson, On smoothing average precision, ECIR 2012; trec_eval yaap",
    range=(-np.inf, np.inf),
    unretrieved=None,
    bounds=smoothed_bounds,
)
def smoothed_average_precision(view: View) -> Floats:
    """The log odds of average precision, smoothed by one hit and one miss."""
    total = _precision_sum(view)
    return np.asarray(np.log((1 + total) / (1 + view.relevant - total)))


EPSILON = 1e-5  # trec_eval's


def _inferred_precisions(view: View) -> Places:
    """Row and rank of every relevant document, and the expected precision at its rank.

    Of the documents above it, those in the pool are relevant in the proportion of the judged ones,
    and those outside the pool are not relevant.
    """
    row, rank, gain = view.judged_places
    relevant = gain > 0
    # Above the document itself, where it is relevant.
    relevant_above = running_count(row, relevant) - 1
    nonrelevant_above = running_count(row, ~relevant)
    pooled = relevant_above + nonrelevant_above
    if view.gains.sampled is not None:
        pooled = pooled + np.cumsum(view.gains.sampled, axis=1)[row, rank]
    chance = (relevant_above + EPSILON) / (relevant_above + nonrelevant_above + 2 * EPSILON)
    above = np.divide(pooled, rank, out=np.zeros(len(rank)), where=rank > 0)
    expected = 1 / (rank + 1) + rank / (rank + 1) * above * chance
    return row[relevant], rank[relevant], np.where(rank == 0, 1.0, expected)[relevant]


@not_monotone(
    "InfAP",
    title="Inferred average precision",
    graded=False,
    formula="1/R * sum over relevant at rank k of 1/k + (k-1)/k * pooled/(k-1) * "
    "(relevant + e)/(judged + 2e), each counted above k",
    citation="Yilmaz & Aslam, Estimating average precision with incomplete and imperfect "
    "judgments, CIKM 2006; e = 0.00001 as in trec_eval",
    contributions=over_relevant(_inferred_precisions),
)
def inferred_average_precision(view: View) -> Floats:
    """An estimate of average precision if only a sample of the pool was judged."""
    row, _, added = _inferred_precisions(view)
    return share(view.sums(row, added), view.relevant)


ROUNDS = Param(
    "up",
    choices=("up", "nearest"),
    meaning="how the number of documents is rounded: floor(x + 0.9) as in trec_eval 9, or to the "
    "nearest whole number as in trec_eval 10",
)


def _best_precisions(view: View) -> Floats:
    """[row, n]: the best precision at or after the n-th relevant document; 0 in the last column.

    Precision falls between two relevant documents, so it is best at one of them.
    """

    def interpolated() -> Floats:
        row, rank = view.hits
        count = ordinal(row)
        precision = np.zeros((len(view.length), int(count.max(initial=0)) + 1))
        precision[row, count - 1] = count / (rank + 1)
        return np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]

    key = ("interpolated", tuple(view.readings.items()), view.mix, view.scenario, view.cut)
    return view.gains.compute_once(key, interpolated)  # shared by all recall points


def _precision_at(view: View, best: Floats, recall: float, rounds: str) -> Floats:
    exact = recall * view.relevant  # in double precision, as in trec_eval
    required = np.floor(exact + 0.9) if rounds == "up" else np.floor(exact + 0.5)
    # Column 0 also stands for no document, the last one for more documents than were retrieved.
    index = np.clip(required.astype(np.int64) - 1, 0, best.shape[1] - 1)
    return np.asarray(np.take_along_axis(best, index[:, None], axis=1)[:, 0])


@measure(
    "IPrec",
    title="Interpolated precision at a recall point",
    graded=False,
    formula="max of P@k over all k with c or more relevant documents, c = floor(recall * R + 0.9)",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005; trec_eval iprec_at_recall",
    params={
        "recall": Param(default=0.1, low=0, high=1, meaning="share of the relevant to find"),
        "rounds": ROUNDS,
    },
)
def interpolated_precision(view: View, *, recall: float, rounds: str) -> Floats:
    """The best precision at that recall or a higher one; 0 if it is never reached."""
    return _precision_at(view, _best_precisions(view), recall, rounds)


@not_monotone(
    "IPrec11",
    title="Interpolated precision averaged over eleven recall points",
    graded=False,
    formula="mean of IPrec at recall 0, 0.1, ..., 1",
    citation="Buckley & Voorhees, in TREC, MIT Press, 2005; trec_eval 11pt_avg",
    params={"rounds": ROUNDS},
)
def eleven_points(view: View, *, rounds: str) -> Floats:
    """The area under the recall-precision curve, in use before average precision."""
    best = _best_precisions(view)
    points = [_precision_at(view, best, tenth / 10, rounds) for tenth in range(11)]
    return np.asarray(np.mean(points, axis=0))
