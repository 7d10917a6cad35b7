"""Binary preference."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.gains.places import Places, running_count
from pipeline.measures.declaration import Bounds, measure
from pipeline.measures.standard.precision import over_relevant, share
from pipeline.measures.tie_groups import groups
from pipeline.storage.arrays import Bools, Floats, Ints


def _preference(above: Floats, limit: Floats) -> Floats:
    """A relevant document's preference: 1, less the share of nonrelevant ones above it."""
    divisor = np.maximum(limit, 1)[:, None]  # nothing to be above if there are none
    return np.asarray(1 - np.minimum(above, divisor) / divisor)


def _irrelevant(view: View) -> Bools:
    return view.judged & (view.gain <= 0)


def bounds(view: View) -> Bounds:
    """Bounds that hold, though not always reached.

    Every unjudged document may raise R or N, and with them the number of nonrelevant documents
    that counts. Upper: the unjudged above are relevant, that number is the largest there could be,
    and the n shallowest unjudged are relevant, for the best n. Lower: the unjudged above are not
    relevant, that number is the smallest, and all of them only raise R.
    """
    upper = view.under("upper")
    relevant = view.gain > 0
    candidates = (upper.gain > 0) & ~relevant
    unjudged = view.retrieved & ~view.judged
    above = np.cumsum(_irrelevant(view), axis=1, dtype=float)
    more, n, relevant_count = unjudged.sum(axis=1), view.nonrelevant, view.relevant
    total = np.floor((relevant_count + n + more) / 2)
    highest = np.minimum(np.minimum(relevant_count, n) + more, total)
    # A document judged in one dimension only is counted in N and may leave it.
    lowest = np.minimum(relevant_count, n if len(view.readings) == 1 else np.maximum(n - more, 0))
    low = np.where(relevant, _preference(above + np.cumsum(unjudged, axis=1), lowest), 0.0).sum(
        axis=1
    )
    best = _preference(above, highest)
    certain = np.where(relevant, best, 0.0).sum(axis=1)
    totals = certain[:, None] + np.cumsum(np.where(candidates, best, 0.0), axis=1)
    totals = np.where(
        candidates,
        totals / np.maximum(relevant_count[:, None] + np.cumsum(candidates, axis=1), 1),
        0.0,
    )
    high = np.maximum(share(certain, relevant_count), totals.max(axis=1, initial=0.0))
    return share(low, relevant_count + candidates.sum(axis=1)), np.minimum(high, 1.0)


def expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: of m tied nonrelevant documents 0 to m stand above, each as likely."""
    relevant, irrelevant = (view.gain > 0).astype(float), _irrelevant(view).astype(float)
    ties = groups(view, tie)
    above, m = ties.before(irrelevant), ties.total(irrelevant)
    limit = np.maximum(np.minimum(view.relevant, view.nonrelevant), 1)[:, None]
    below = np.clip(limit - above, 0, m + 1)  # how many of the m + 1 cases stay below the limit
    total = below * above + below * (below - 1) / 2 + (m + 1 - below) * limit
    preference = 1 - total / (m + 1) / limit
    return share((relevant * preference).sum(axis=1), view.relevant)


def _preferences(view: View) -> Places:
    """Row, rank and preference of every labelled document; 0 where it is not relevant."""
    row, rank, gain = view.judged_places
    above = running_count(row, gain <= 0)
    limit = np.maximum(np.minimum(view.relevant, view.nonrelevant), 1)[row]
    return row, rank, np.where(gain > 0, 1 - np.minimum(above, limit) / limit, 0.0)


@measure(
    "GMBpref",
    title="Geometric mean binary preference",
    formula="exp(mean over topics of ln max(Bpref, 0.00001))",
    citation="Buckley, trec_eval gm_bpref",
    aggregate="geometric",
    bounds=bounds,
    expected=expected,
    contributions=over_relevant(_preferences),
)
@measure(
    "Bpref",
    title="Binary preference",
    formula="1/R * sum over relevant r of 1 - min(n above r, R) / min(R, N)",
    citation="Buckley & Voorhees, SIGIR 2004; min(R, N) as in trec_eval",
    bounds=bounds,
    expected=expected,
    contributions=over_relevant(_preferences),
)
def bpref(view: View) -> Floats:
    """How seldom judged nonrelevant documents (n, N of them in all) stand above relevant ones."""
    row, _, preference = _preferences(view)
    # Added rank by rank as trec_eval does, or a fifth decimal of exactly 5 rounds another way.
    return share(view.sums(row, preference), view.relevant)
