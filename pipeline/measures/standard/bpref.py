"""Binary preference."""

import numpy as np

from pipeline.gains.gains import View
from pipeline.gains.places import Places, running_count
from pipeline.measures.declaration import Bounds, measure
from pipeline.measures.standard.precision import over_relevant, share
from pipeline.measures.tie_groups import groups
from pipeline.storage.arrays import Bools, Floats, Ints


def _preference(above: Floats, limit: Floats) -> Floats:
    """The preference of a relevant document: 1 minus the share of nonrelevant ones above it."""
    divisor = np.maximum(limit, 1)[:, None]  # without nonrelevant documents the share is 0
    return np.asarray(1 - np.minimum(above, divisor) / divisor)


def _irrelevant(view: View) -> Bools:
    return view.judged & (view.gain <= 0)


def bounds(view: View) -> Bounds:
    """Valid bounds, which are not always reached.

    Unjudged documents may raise R or N, and with them min(R, N). Upper: unjudged documents above
    are relevant, min(R, N) is as large as possible, and the n shallowest unjudged documents are
    relevant, for the best n. Lower: unjudged documents above are not relevant, min(R, N) is as
    small as possible, and all of them only raise R.
    """
    upper = view.under("upper")
    relevant = view.gain > 0
    candidates = (upper.gain > 0) & ~relevant
    unjudged = view.retrieved & ~view.judged
    above = np.cumsum(_irrelevant(view), axis=1, dtype=float)
    more, n, r = unjudged.sum(axis=1), view.nonrelevant, view.relevant
    highest = np.minimum(np.minimum(r, n) + more, np.floor((r + n + more) / 2))
    # A document that is judged in one dimension only is counted in N, but may turn out relevant.
    lowest = np.minimum(r, n if len(view.readings) == 1 else np.maximum(n - more, 0))
    worst = _preference(above + np.cumsum(unjudged, axis=1), lowest)
    low = np.where(relevant, worst, 0.0).sum(axis=1)
    best = _preference(above, highest)
    certain = np.where(relevant, best, 0.0).sum(axis=1)
    totals = certain[:, None] + np.cumsum(np.where(candidates, best, 0.0), axis=1)
    counts = np.maximum(r[:, None] + np.cumsum(candidates, axis=1), 1)
    values = np.where(candidates, totals / counts, 0.0)
    high = np.maximum(share(certain, r), values.max(axis=1, initial=0.0))
    return share(low, r + candidates.sum(axis=1)), np.minimum(high, 1.0)


def expected(view: View, tie: Ints) -> Floats:
    """Exact under ties: of m tied nonrelevant documents 0 to m are above, equally likely."""
    relevant, irrelevant = (view.gain > 0).astype(float), _irrelevant(view).astype(float)
    ties = groups(view, tie)
    above, m = ties.before(irrelevant), ties.total(irrelevant)
    limit = np.maximum(np.minimum(view.relevant, view.nonrelevant), 1)[:, None]
    below = np.clip(limit - above, 0, m + 1)  # cases, of m + 1, that are below the limit
    total = below * above + below * (below - 1) / 2 + (m + 1 - below) * limit
    preference = 1 - total / (m + 1) / limit
    return share((relevant * preference).sum(axis=1), view.relevant)


def _preferences(view: View) -> Places:
    """Row, rank and preference of every judged document; 0 if it is not relevant."""
    row, rank, gain = view.judged_places
    above = running_count(row, gain <= 0)
    limit = np.maximum(np.minimum(view.relevant, view.nonrelevant), 1)[row]
    return row, rank, np.where(gain > 0, 1 - np.minimum(above, limit) / limit, 0.0)


@measure(
    "GMBpref",
    title="Geometric mean binary preference",
    graded=False,
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
    graded=False,
    formula="1/R * sum over relevant r of 1 - min(n above r, R) / min(R, N)",
    citation="Buckley & Voorhees, SIGIR 2004; min(R, N) as in trec_eval",
    bounds=bounds,
    expected=expected,
    contributions=over_relevant(_preferences),
)
def bpref(view: View) -> Floats:
    """How seldom judged nonrelevant documents (N in all) are above relevant ones."""
    row, _, preference = _preferences(view)
    # Summed in trec_eval's order, so that the printed four decimals agree.
    return share(view.sums(row, preference), view.relevant)
