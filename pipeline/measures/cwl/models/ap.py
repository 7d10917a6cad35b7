"""The user of average precision, who knows where the relevant documents are.

P(i) is proportional to the sum of g(j)/j over j >= i. A relevant document that was not retrieved
lies infinitely deep: nobody gets there, but it adds j * g(j)/j = g(j) to the sum of P. With that
tail EU is average precision over all R relevant documents; without (TrAP, and cwl_eval's AP) it is
over those retrieved.
"""

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.cwl.declare import FIGURES, user_model
from pipeline.measures.cwl.seen import Seen, two_valued
from pipeline.measures.declaration import Bounds
from pipeline.measures.standard.average_precision import bounds as exact_bounds
from pipeline.storage.arrays import Floats

ROUNDS, TINY = 100, 1e-14
CITATION = "Moffat, Thomas & Scholer, CIKM 2013; Buckley & Voorhees, in TREC, MIT Press, 2005"
FORMULA = "sum_(j>i) g(j)/j / sum_(j>=i) g(j)/j"


def _unretrieved(view: View) -> Floats:
    """[row]: the gain of the judged documents that the list does not show."""
    every = view.ideal.sum(axis=1)[view.topic]
    return np.asarray(np.maximum(every - view.gain.sum(axis=1), 0))


def ap_tail(seen: Seen, share: Floats) -> Floats:
    """The documents on the way to what was not retrieved."""
    have = (seen.gain / seen.rank).sum(axis=1)
    missed = _unretrieved(seen.view)
    return np.asarray(np.divide(missed, have, out=np.zeros_like(have), where=have > 0))


def ap_bounds(view: View, figure: str) -> Bounds:
    """Over all R relevant documents; EU with binary gains is AP itself, whose bounds are exact."""
    if figure == "EU" and two_valued(view):
        return exact_bounds(view)
    return _bounds(view, figure, "AP", _unretrieved(view))


def _bounds(view: View, figure: str, name: str, missed: Floats) -> Bounds:
    """Every figure is a ratio of sums over the gains; let each unjudged gain suit the end.

    Only the gain gathered up to a rank is not free then: it is taken at its lowest or highest.
    """
    upper = view.under("upper")
    low, high = Seen(view, max(view.depth, 1)), Seen(upper, max(view.depth, 1))
    least, most = low.gain, np.where(view.retrieved if view.depth else False, high.gain, 0.0)
    rank, usual = low.rank, low.usual_cost
    gathered = {-1: np.cumsum(least, axis=1), 1: np.cumsum(most, axis=1)}
    one, none = np.ones_like(rank), np.zeros_like(missed)

    def line(sign: int) -> tuple[Floats, Floats]:
        """What each gain adds above and below the line."""
        above = {"EU": gathered[sign] / rank, "ETU": gathered[sign] / rank, "ED": one}
        per_document = figure in ("EU", "EC")
        return above.get(figure, low.total_cost / rank), one if per_document else 1 / rank

    # What the documents that were not retrieved add to both.
    over = {"EC": usual * missed, "ETC": usual * missed, "ED": missed}.get(figure, none)
    under = missed if figure in ("EU", "EC") else none
    start: Floats = FIGURES[figure][name].function(view)
    shortest, longest = (
        _extreme(least, most, *line(sign), over, under, start, sign) for sign in (-1, 1)
    )
    if figure in ("ED", "ETC"):
        lonely = (missed > 0) & (least.sum(axis=1) == 0) & (most.sum(axis=1) > 0)
        above, below = line(1)
        alone = above / below + over[:, None] / (_smallest_gain(view) * below)
        longest = np.where(lonely, np.where(most > 0, alone, 0).max(axis=1), longest)
    return np.minimum(shortest, start), np.maximum(longest, start)


def _smallest_gain(view: View) -> float:
    """The least a document can gain if it gains at all.

    Where nothing is sure to be relevant the way to what was not retrieved is longest when one
    unjudged document, the deepest, gains just this.
    """
    worths = [view.gains.dimensions[name].read(how)[0][2:] for name, how in view.wanted.items()]
    ends = [np.unique(np.append(worth, [0.0, view.best])) for worth in worths]
    mixed = view.mix.function(list(np.meshgrid(*ends)), view.mix.weights)
    return float(mixed[mixed > 0].min(initial=view.best))


def _extreme(
    least: Floats, most: Floats, above: Floats, below: Floats, over: Floats, under: Floats,
    start: Floats, sign: int,
) -> Floats:  # fmt: skip
    """The extreme of (sum x a + over) / (sum x b + under) for x between least and most."""
    most_down = (most * below).sum(axis=1) + under
    filled = (most * above).sum(axis=1) + over
    now = np.divide(filled, most_down, out=start.copy(), where=most_down > 0)
    for _ in range(ROUNDS):
        chosen = np.where(sign * (above - now[:, None] * below) > 0, most, least)
        up = (chosen * above).sum(axis=1) + over
        down = (chosen * below).sum(axis=1) + under
        then = np.divide(up, down, out=now.copy(), where=down > 0)
        if not (sign * (then - now) > TINY * np.maximum(1, now)).any():
            break
        now = np.where(sign * (then - now) > 0, then, now)
    return np.asarray(now)


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
def average_precision(seen: Seen) -> Floats:
    """Leaves at each relevant document with a chance that makes every precision count alike."""
    share = seen.gain / seen.rank
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
