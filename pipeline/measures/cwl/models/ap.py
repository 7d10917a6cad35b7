"""The user model of average precision: the user knows the ranks of the relevant documents.

P(i) is proportional to the sum of g(j)/j over j >= i. A relevant document that was not retrieved
is infinitely deep: no user reaches it, but it adds j * g(j)/j = g(j) to the sum of P. With this
tail EU is average precision over all R relevant documents; without it (TrAP, cwl_eval's AP) it is
over the retrieved ones.
"""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.cwl.declare import FIGURES, ROUNDS, TINY, user_model
from pipeline.measures.cwl.walk import Ranks, has_binary_gains
from pipeline.measures.declaration import Bounds
from pipeline.measures.standard.average_precision import bounds as exact_bounds
from pipeline.measures.standard.precision import share, topic_gain
from pipeline.storage.arrays import Floats

CITATION = "Moffat, Thomas & Scholer, CIKM 2013; Buckley & Voorhees, in TREC, MIT Press, 2005"
FORMULA = "sum_(j>i) g(j)/j / sum_(j>=i) g(j)/j"


def _unretrieved(view: View) -> Floats:
    """[row]: the total gain of judged documents that were not retrieved."""
    return np.asarray(np.maximum(topic_gain(view) - view.gain.sum(axis=1), 0))


def ap_tail(ranks: Ranks, _: Floats) -> Floats:
    """The sum of P(i) over the ranks down to unretrieved documents."""
    return share(_unretrieved(ranks.view), (ranks.gain / ranks.rank).sum(axis=1))


def ap_bounds(view: View, figure: str) -> Bounds:
    """Bounds over all R relevant documents; EU with binary gains is AP, whose bounds are exact."""
    if figure == "EU" and has_binary_gains(view):
        return exact_bounds(view)
    return _bounds(view, figure, "AP", _unretrieved(view))


def _bounds(view: View, figure: str, name: str, unretrieved: Floats) -> Bounds:
    """Each figure is a ratio of sums over the gains; unjudged gains are chosen for the bound.

    The gain collected up to a rank is not free then: it has its lowest or highest value.
    """
    low, high = (Ranks(v, max(view.depth, 1)) for v in (view, view.under("upper")))
    lowest, highest = low.gain, np.where(view.retrieved if view.depth else False, high.gain, 0.0)
    rank, usual = low.rank, low.usual_cost
    gathered = {-1: np.cumsum(lowest, axis=1), 1: np.cumsum(highest, axis=1)}
    ones, zeros = np.ones_like(rank), np.zeros_like(unretrieved)

    def terms(sign: int) -> tuple[Floats, Floats]:
        """What each gain adds to numerator and denominator."""
        above = {"EU": gathered[sign] / rank, "ETU": gathered[sign] / rank, "ED": ones}
        per_document = figure in ("EU", "EC")
        return above.get(figure, low.total_cost / rank), ones if per_document else 1 / rank

    # What unretrieved documents add to both.
    costs = usual * unretrieved
    over = {"EC": costs, "ETC": costs, "ED": unretrieved}.get(figure, zeros)
    under = unretrieved if figure in ("EU", "EC") else zeros
    start: Floats = FIGURES[figure][name].function(view)
    ends = (_extreme(lowest, highest, *terms(sign), over, under, start, sign) for sign in (-1, 1))
    shortest, longest = ends
    if figure in ("ED", "ETC"):
        only_unjudged = (unretrieved > 0) & (lowest.sum(axis=1) == 0) & (highest.sum(axis=1) > 0)
        above, below = terms(1)
        single = above / below + over[:, None] / (_smallest_gain(view) * below)
        longest = np.where(only_unjudged, np.where(highest > 0, single, 0).max(axis=1), longest)
    return np.minimum(shortest, start), np.maximum(longest, start)


def _smallest_gain(view: View) -> float:
    """The smallest positive gain of a document.

    If no retrieved document is known to be relevant, the walk is longest when only the deepest
    unjudged document has a gain, and this one.
    """
    dimensions = view.gains.dimensions
    worths = [dimensions[name].read(reading)[0][2:] for name, reading in view.readings.items()]
    ends = [np.unique(np.append(worth, [0.0, view.best])) for worth in worths]
    mixed = view.mix.function(list(np.meshgrid(*ends)), view.mix.weights)
    return float(mixed[mixed > 0].min(initial=view.best))


def _extreme(
    lowest: Floats, highest: Floats, above: Floats, below: Floats, over: Floats, under: Floats,
    start: Floats, sign: int,
) -> Floats:  # fmt: skip
    """The extreme of (sum x a + over) / (sum x b + under) for x between lowest and highest."""
    highest_down = (highest * below).sum(axis=1) + under
    filled = (highest * above).sum(axis=1) + over
    current = np.divide(filled, highest_down, out=start.copy(), where=highest_down > 0)
    for _ in range(ROUNDS):
        chosen = np.where(sign * (above - current[:, None] * below) > 0, highest, lowest)
        up = (chosen * above).sum(axis=1) + over
        down = (chosen * below).sum(axis=1) + under
        next_ = np.divide(up, down, out=current.copy(), where=down > 0)
        if not (sign * (next_ - current) > TINY * np.maximum(1, current)).any():
            break
        current = np.where(sign * (next_ - current) > 0, next_, current)
    return np.asarray(current)


@user_model(
    "AP",
    title="Average precision",
    formula=f"{FORMULA}; what was not retrieved lies infinitely deep",
    citation=CITATION,
    cutoff="none",
    gain="binary",
    answers="mixed",
    tail=ap_tail,
    bounds=ap_bounds,
    plain=False,
)
def average_precision(ranks: Ranks) -> Floats:
    """Stops at relevant documents with the probability that gives all precisions equal weight."""
    terms = ranks.gain / ranks.rank
    remaining = terms[:, ::-1].cumsum(axis=1)[:, ::-1]
    return share(np.pad(remaining[:, 1:], ((0, 0), (0, 1))), remaining)


user_model(
    "TrAP",
    title="Average precision over the retrieved",
    formula=FORMULA,
    citation=f"{CITATION}; cwl_eval's AP",
    cutoff="none",
    gain="binary",
    answers="mixed",
    tail=lambda _, share: np.zeros_like(share),  # no user continues past the last relevant document
    bounds=lambda view, figure: _bounds(view, figure, "TrAP", np.zeros(len(view.topic))),
)(average_precision)
