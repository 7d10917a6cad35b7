"""Discounted cumulative gain, its normalised forms, and trec_eval's G."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.gains.places import Places, ordinal, running_sum
from pipeline.measures.declaration import Bounds, measure
from pipeline.measures.standard.precision import not_monotone, over_relevant, share, topic_gain
from pipeline.storage.arrays import Floats

EXPONENTIAL = "Burges et al., ICML 2005"


def discount(depth: int) -> Floats:
    """1 / log2(rank + 1), trec_eval's discount."""
    return 1 / np.log2(np.arange(2, depth + 2))


@measure(
    "DCGexp",
    title="Discounted cumulative gain, exponential",
    formula="sum_k g(k) / log2(k + 1), g = 2^steps - 1, steps above the worst label",
    citation=EXPONENTIAL,
    cutoff="optional",
    gain="exponential",
    range=(0.0, np.inf),
    expected="linear",
)
@measure(
    "DCG",
    title="Discounted cumulative gain",
    formula="sum_k g(k) / log2(k + 1), g = steps above the worst label",
    citation="Jarvelin & Kekalainen, TOIS 20(4), 2002; discount as in trec_eval",
    cutoff="optional",
    gain="grade",
    range=(0.0, np.inf),
    expected="linear",
)
def discounted_gain(view: View) -> Floats:
    """The sum of the gains, each discounted by its rank."""
    return view.weighted(discount(view.depth))


def ideal_bounds(view: View) -> Bounds:
    """Every retrieved unjudged document might have the highest gain."""
    return ideal_discounted_gain(view), ideal_discounted_gain(view.under("lower").at(view.cut))


@measure(
    "IDCG",
    title="Discounted cumulative gain of the ideal ranking",
    formula="sum_k g(k) / log2(k + 1) over all judged documents, best first",
    citation="Jarvelin & Kekalainen, TOIS 20(4), 2002; trec_eval 10 ideal_dcg",
    cutoff="optional",
    gain="grade",
    range=(0.0, np.inf),
    rises=False,
    unretrieved=None,
    bounds=ideal_bounds,
)
def ideal_discounted_gain(view: View) -> Floats:
    """The highest possible discounted gain of the topic, independent of the run."""
    depth = view.ideal.shape[1] if view.cut is None else view.cut
    if view.cut is None and view.scenario == "lower":
        depth += int(view.unjudged.max(initial=0))
    return view.ideal_sum(discount(depth))


@measure(
    "nDCGexp",
    title="Normalised discounted cumulative gain, exponential",
    formula="DCG / ideal DCG, DCG = sum_k (2^steps(k) - 1) / log2(k + 1)",
    citation=f"{EXPONENTIAL}; ir_measures nDCG(dcg='exp-log2')",
    cutoff="optional",
    gain="exponential",
    expected="linear",
)
@measure(
    "nDCG",
    title="Normalised discounted cumulative gain",
    formula="DCG / ideal DCG, DCG = sum_k g(k) / log2(k + 1)",
    citation="Jarvelin & Kekalainen, TOIS 20(4), 2002; linear gain as in trec_eval",
    cutoff="optional",
    gain="gain",
    expected="linear",
)
def ndcg(view: View) -> Floats:
    """Discounted gain divided by that of the ideal ranking of all judged documents."""
    dcg = view.weighted(discount(view.depth))
    ideal = ideal_discounted_gain(view)
    if view.scenario == "upper":  # a topic without known relevant documents may have some
        return np.where(ideal > 0, np.minimum(share(dcg, ideal), 1.0), (dcg > 0).astype(float))
    return share(dcg, ideal)


def orders(view: View) -> tuple[Floats, Floats, Floats]:
    """DCG at the cutoff of the ranking and of the worst and the ideal order of its documents."""
    weight = discount(view.depth)
    gain = np.where(view.at(None).retrieved, view.at(None).gain, np.inf)
    # Ranks past the end are not reordered.
    worst = np.sort(gain, axis=1)[:, : view.depth]
    ideal = -np.sort(np.where(np.isinf(gain), 0.0, -gain), axis=1)[:, : view.depth]
    return view.gain @ weight, np.where(np.isinf(worst), 0.0, worst) @ weight, ideal @ weight


def between(value: Floats, worst: Floats, ideal: Floats, default: Floats) -> Floats:
    """(value - worst) / (ideal - worst); `default` where all orders are equal."""
    range_ = ideal - worst
    constant = range_ <= 1e-12 * np.maximum(ideal, 1)
    return np.where(constant, default, (value - worst) / np.where(constant, 1.0, range_))


def between_bounds(view: View) -> Bounds:
    """It falls with the DCG of worst and ideal order and rises with that of the ranking."""
    upper = view.under("upper").at(view.cut)
    low, high = orders(view), orders(upper)
    certain = np.all(view.at(None).gain == upper.at(None).gain, axis=1)
    value = ndcg_between(view)
    zeros, ones = np.zeros_like(value), np.ones_like(value)
    lowest = np.clip(between(low[0], high[1], np.maximum(high[2], high[1]), zeros), 0, 1)
    highest = np.clip(between(high[0], low[1], low[2], ones), 0, 1)
    return np.where(certain, value, lowest), np.where(certain, value, highest)


@measure(
    "nDCGmm",
    title="nDCG between the worst and the ideal order",
    formula="(DCG - NIDCG) / (IDCG - NIDCG), NIDCG and IDCG: DCG of the retrieved documents in the "
    "worst and in the ideal order; if all orders are alike 1, or 0 without any gain",
    citation="Basu, 2019",
    cutoff="optional",
    gain="gain",
    rises=False,  # without a nonrelevant document the range of orders is smaller
    bounds=between_bounds,
)
def ndcg_between(view: View) -> Floats:
    """How well the retrieved documents are ordered, regardless of unretrieved ones."""
    dcg, worst, ideal = orders(view)
    return np.clip(between(dcg, worst, ideal, (ideal > 0).astype(float)), 0, 1)


BUCKLEY = "Buckley, trec_eval"


def _best(view: View) -> Floats:
    """[topic, n]: DCG of the first n ranks of the ideal ranking."""
    ideal = view.ideal * discount(view.ideal.shape[1])
    return np.concatenate([np.zeros((len(ideal), 1)), np.cumsum(ideal, axis=1)], axis=1)


@not_monotone(
    "nDCGrel",
    title="nDCG averaged over relevant documents",
    formula="mean of nDCG@k over the ranks k of all documents with a gain; one that is not "
    "retrieved counts with the nDCG of the whole ranking",
    citation=f"{BUCKLEY} ndcg_rel",
    gain="grade",
)
def ndcg_at_relevant(view: View) -> Floats:
    """nDCG averaged over the ranks of the topic's relevant documents."""
    row, rank = view.hits
    gain = view.hit_gains * discount(view.depth)[rank]
    best = _best(view)
    index = np.minimum(rank + 1, best.shape[1] - 1)
    total = view.sums(row, share(running_sum(row, gain), best[view.topic[row], index]))
    full = share(view.sums(row, gain), best[view.topic, -1])
    count = (view.ideal > 0).sum(axis=1)[view.topic].astype(float)
    unretrieved = count - np.bincount(row, minlength=len(view.length))
    return share(total + unretrieved * full, count)


@not_monotone(
    "RnDCG",
    title="nDCG averaged over the levels of relevance",
    formula="mean of nDCG@k over the ranks k where the gain of the ideal ranking falls, and of "
    "the nDCG of the ranking if it is longer; 0 without relevant documents",
    citation=f"{BUCKLEY} Rndcg",
    gain="grade",
)
def ndcg_at_levels(view: View) -> Floats:
    """nDCG averaged over the ranks at which the ideal ranking ends a level of relevance."""
    row, rank = view.hits
    gain = view.hit_gains * discount(view.depth)[rank]
    best = _best(view)
    behind = np.concatenate([view.ideal[:, 1:], np.zeros((len(view.ideal), 1))], axis=1)
    falls = (view.ideal > 0) & (behind < view.ideal)  # rank k + 1 gains less than rank k
    total, count = np.zeros(len(view.length)), falls.sum(axis=1)[view.topic].astype(float)
    for level in range(int(falls.sum(axis=1).max(initial=0))):
        # The rank at which each topic's level ends; 0 if it has fewer levels, which adds nothing.
        depths = ((np.cumsum(falls, axis=1) <= level).sum(axis=1) + 1) * (falls.sum(axis=1) > level)
        cut = depths[view.topic]
        dcg = view.sums(row, np.where(rank < cut[row], gain, 0.0))
        total += share(dcg, best[view.topic, cut])
    # A ranking that is longer than the number of documents with a gain counts once more.
    last = (view.ideal > 0).sum(axis=1)[view.topic]
    longer = (view.length > last + 1) & (last > 0)
    full = share(view.sums(row, gain), best[view.topic, -1])
    value = share(total + np.where(longer, full, 0.0), count + longer)
    relevant = view.gains.view(dict.fromkeys(view.readings, "binary"), mix=view.mix).relevant
    return np.where(relevant > 0, value, 0.0)


LEAST = 1.0  # the lowest ideal gain of a rank


def _less_by_misses(view: View) -> Places:
    """Row and rank of every relevant document, discounted by the nonrelevant ones above it."""
    row, rank = view.hits
    return row, rank, 1 / np.log2(2 + (rank + 1 - ordinal(row)))


@not_monotone(
    "BinG",
    title="Normalised gain, binary",
    graded=False,
    formula="1/R * sum over relevant documents of 1 / log2(2 + documents above not relevant)",
    citation=f"{BUCKLEY} binG",
    contributions=over_relevant(_less_by_misses),
)
def binary_gain(view: View) -> Floats:
    """Between average precision and nDCG: the discount depends on nonrelevant documents above."""
    row, _, added = _less_by_misses(view)
    return share(view.sums(row, added), view.relevant)


def _added(view: View) -> Places:
    """Row and rank of documents with a gain, discounted by the ideal's additional gain above."""
    row, rank = view.hits
    gain = view.hit_gains
    cost = np.cumsum(np.maximum(view.ideal, LEAST), axis=1)
    size = cost.shape[1]
    ideal = cost[view.topic[row], np.minimum(rank, size - 1)]
    ideal = ideal + LEAST * np.maximum(rank + 1 - size, 0)
    shortfall = np.maximum(ideal - running_sum(row, gain), 0)
    return row, rank, share(gain / np.log2(2 + shortfall), topic_gain(view)[row])


@not_monotone(
    "GradedG",
    title="Normalised gain, graded",
    formula="sum_k g(k) / log2(2 + sum_(i<=k) max(ideal g(i), 1) - sum_(i<=k) g(i)) / sum of g "
    "over all judged documents, g = steps above the worst label",
    citation=f"{BUCKLEY} G",
    gain="grade",
    contributions=lambda view: view.spread(*_added(view)),
)
def graded_gain(view: View) -> Floats:
    """BinG with graded labels: the better the documents above, the smaller the discount."""
    row, _, added = _added(view)
    return view.sums(row, added)
