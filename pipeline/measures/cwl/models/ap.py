"""The user of average precision, who knows where the relevant documents are.

P(i) is proportional to the sum of g(j)/j over j >= i. A relevant document that was not retrieved
lies infinitely deep: nobody gets there, but it adds j * g(j)/j = g(j) to the sum of P. With that
tail EU is average precision over all R relevant documents; without (TrAP, and cwl_eval's AP) it is
over those retrieved.
"""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.cwl.declare import FIGURES, user_model
from pipeline.measures.cwl.walk import Ranks, has_binary_gains
from pipeline.measures.declaration import Bounds
from pipeline.measures.standard.average_precision import bounds as exact_bounds
from pipeline.storage.arrays import Floats

ROUNDS, TINY = 100, 1e-14
CITATION = "Moffat, Thomas & Scholer, CIKM 2013; Buckley & Voorhees, in TREC, MIT Press, 2005"
FORMULA = "sum_(j>i) g(j)/j / sum_(j>=i) g(j)/j"


def _unretrieved(view: View) -> Floats:
    """[row]: the gain of the judged documents that the list does not show."""
    total = view.ideal.sum(axis=1)[view.topic]
    return np.asarray(np.maximum(total - view.gain.sum(axis=1), 0))


def ap_tail(ranks: Ranks, share: Floats) -> Floats:
    """The documents on the way to what was not retrieved."""
    retrieved = (ranks.gain / ranks.rank).sum(axis=1)
    unretrieved = _unretrieved(ranks.view)
    return np.asarray(
        np.divide(unretrieved, retrieved, out=np.zeros_like(retrieved), where=retrieved > 0)
    )


def ap_bounds(view: View, figure: str) -> Bounds:
    """Over all R relevant documents; EU with binary gains is AP itself, whose bounds are exact."""
    if figure == "EU" and has_binary_gains(view):
        return exact_bounds(view)
    return _bounds(view, figure, "AP", _unretrieved(view))


def _bounds(view: View, figure: str, name: str, unretrieved: Floats) -> Bounds:
    """Every figure is a ratio of sums over the gains; let each unjudged gain suit the end.

    Only the gain gathered up to a rank is not free then: it is taken at its lowest or highest.
    """
    upper = view.under("upper")
    low, high = Ranks(view, max(view.depth, 1)), Ranks(upper, max(view.depth, 1))
    lowest, highest = low.gain, np.where(view.retrieved if view.depth else False, high.gain, 0.0)
    rank, usual = low.rank, low.usual_cost
    gathered = {-1: np.cumsum(lowest, axis=1), 1: np.cumsum(highest, axis=1)}
    ones, zeros = np.ones_like(rank), np.zeros_like(unretrieved)

    def terms(sign: int) -> tuple[Floats, Floats]:
        """What each gain adds above and below the line."""
        above = {"EU": gathered[sign] / rank, "ETU": gathered[sign] / rank, "ED": ones}
        per_document = figure in ("EU", "EC")
        return above.get(figure, low.total_cost / rank), ones if per_document else 1 / rank

    # What the documents that were not retrieved add to both.
    over = {"EC": usual * unretrieved, "ETC": usual * unretrieved, "ED": unretrieved}.get(
        figure, zeros
    )
    under = unretrieved if figure in ("EU", "EC") else zeros
    start: Floats = FIGURES[figure][name].function(view)
    shortest, longest = (
        _extreme(lowest, highest, *terms(sign), over, under, start, sign) for sign in (-1, 1)
    )
    if figure in ("ED", "ETC"):
        only_unjudged = (unretrieved > 0) & (lowest.sum(axis=1) == 0) & (highest.sum(axis=1) > 0)
        above, below = terms(1)
        single = above / below + over[:, None] / (_smallest_gain(view) * below)
        longest = np.where(only_unjudged, np.where(highest > 0, single, 0).max(axis=1), longest)
    return np.minimum(shortest, start), np.maximum(longest, start)


def _smallest_gain(view: View) -> float:
    """The least a document can gain if it gains at all.

    Where nothing is sure to be relevant the way to what was not retrieved is longest when one
    unjudged document, the deepest, gains just this.
    """
    worths = [
        view.gains.dimensions[name].read(reading)[0][2:] for name, reading in view.readings.items()
    ]
    ends = [np.unique(np.append(worth, [0.0, view.best])) for worth in worths]
    mixed = view.mix.function(list(np.meshgrid(*ends)), view.mix.weights)
    return float(mixed[mixed > 0].min(initial=view.best))


def _extreme(
    lowest: Floats, highest: Floats, above: Floats, below: Floats, over: Floats, under: Floats,
    start: Floats, sign: int,
) -> Floats:  # fmt: skip
    """The extreme of (sum x a + over) / (sum x b + under) for x between least and most."""
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
    """Leaves at each relevant document with a chance that makes every precision count alike."""
    share = ranks.gain / ranks.rank
    ahead = share[:, ::-1].cumsum(axis=1)[:, ::-1]
    behind = np.pad(ahead[:, 1:], ((0, 0), (0, 1)))
    return np.asarray(np.divide(behind, ahead, out=np.zeros_like(ahead), where=ahead > 0))


user_model(
    "TrAP",
    title="Average precision over the retrieved",
    formula=FORMULA,
    citation=f"{CITATION}; cwl_eval's AP",
    cutoff="none",
    gain="binary",
    answers="mixed",
    tail=lambda _, share: np.zeros_like(share),  # nobody goes on behind the last relevant document
    bounds=lambda view, figure: _bounds(view, figure, "TrAP", np.zeros(len(view.topic))),
)(average_precision)
