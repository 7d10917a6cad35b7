"""Cascade measures: each relevant document reduces the value of later ones for its subtopics.

One form (Clarke, Craswell, Soboroff & Ashkan, WSDM 2011) with three discounts of the ranks:
alpha-DCG (log), ERR-IA (reciprocal) and NRBP (geometric). As in ndeval each is divided by the score
of a ranking of documents relevant to all subtopics; names with an n, by that of the ideal ranking.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, Param, Value, measure
from pipeline.measures.diversity import greedy
from pipeline.measures.standard.dcg import discount as log
from pipeline.measures.standard.precision import share
from pipeline.measures.tie_groups import average_ties, groups, mean_onward
from pipeline.storage.arrays import Floats, Ints

ALPHA = Param(0.5, low=0, high=1, meaning="how much a relevant document reduces later gain")
BETA = Param(0.5, low=0, high=1, open_low=True, open_high=True, meaning="patience of the user")
ADDED = "sum_s P(s) g_s(k) prod_(i<k) (1 - alpha g_s(i))"
FULL = "sum_k d(k) (1 - alpha)^(k-1)"
SUBTOPICS = "P(s) is 1/N, N: subtopics with a relevant document, unless weights are given"
COMPARED = "Clarke, Craswell, Soboroff & Ashkan, WSDM 2011; as ndeval"


@dataclass(frozen=True)
class Cascade:
    """The measures with one discount of the ranks."""

    discount: Callable[[int], Floats]
    alpha: float
    endless: float = np.nan  # score of an infinite perfect ranking; NaN: a cutoff is needed

    def found(self, view: View, tie: Ints | None = None) -> Floats:
        """[row]: the unnormalised score; with `tie`, its exact mean over orders of ties."""
        chances = greedy.relative(view)[0][view.topic]
        weights = self.discount(view.depth)
        total = np.zeros(len(view.length))
        for chance, part in zip(chances.T, view.subtopics, strict=True):
            total += chance * (self._added(part, tie) @ weights)
        return total

    def _added(self, part: View, tie: Ints | None) -> Floats:
        """[row, rank]: the gain that each document adds to one subtopic."""
        if tie is None:
            novelty = np.ones_like(part.gain)
            np.cumprod(1 - self.alpha * part.gain[:, :-1], axis=1, out=novelty[:, 1:])
            return part.gain * novelty
        if self.alpha == 0:
            return average_ties(part, tie).gain
        onward = mean_onward(self.alpha * part.at(None).gain, groups(part, tie), depth=part.depth)
        return (onward[:, :-1] - onward[:, 1:]) / self.alpha

    def absolute(self, view: View, tie: Ints | None = None) -> Floats:
        """[row]: the score divided by that of a perfect ranking, to the cutoff or infinite."""
        score, full = self.found(view, tie), self.endless
        if view.cut is not None:
            full = float(np.power(1 - self.alpha, np.arange(view.cut)) @ self.discount(view.cut))
        return np.asarray(score * greedy.relative(view)[1][view.topic] / full)

    def ideal(self, view: View) -> Floats:
        """[row]: the unnormalised score of the ideal ranking."""
        added = greedy.ideal(view, alpha=self.alpha, depth=view.cut)
        return np.asarray((added @ self.discount(added.shape[1]))[view.topic])

    def normalised(self, view: View, tie: Ints | None = None) -> Floats:
        """[row]: the score divided by that of the ideal ranking; 0 without relevant documents."""
        return share(self.found(view, tie), self.ideal(view))

    def bounds(self, view: View) -> Bounds:
        """Bounds from the extreme scores of ranking and ideal: unjudged documents change both.

        No ideal exceeds a ranking with all relevant documents of each subtopic first, or is below
        the greedy share of the known one.
        """
        score, best = self.found(view), self.ideal(view)
        value = share(score, best)
        upper = view.under("upper").at(view.cut)
        greedy_share = greedy.LEAST if view.cut is None else greedy.share(self.discount(view.cut))
        several = (view.chances > 0).sum(axis=1)[view.topic] > 1
        least = np.where(several, greedy_share, 1.0)  # of one subtopic the greedy ranking is ideal
        most = self.found(upper)
        limit = (most > 0) / least
        highest = np.divide(most, least * best, out=limit.copy(), where=best > 0)
        highest = np.minimum(highest, limit)
        lowest = share(score, self._highest(view))
        certain = view.unjudged == 0
        return np.where(certain, value, lowest), np.where(certain, value, highest)

    def _highest(self, view: View) -> Floats:
        """[row]: an upper limit of the ideal score for all labels of the unjudged documents."""
        total, chances = np.zeros(len(view.length)), greedy.relative(view)[0][view.topic]
        for chance, part in zip(chances.T, view.subtopics, strict=True):
            count = (part.ideal > 0).sum(axis=1)[view.topic] + view.unjudged
            count = count if view.cut is None else np.minimum(count, view.cut)
            deepest = int(count.max(initial=0))
            gain_at = np.power(1 - self.alpha, np.arange(deepest)) * self.discount(deepest)
            total += chance * np.concatenate([[0.0], np.cumsum(gain_at)])[count]
        return np.asarray(view.best * total)


def declare_both(
    make: Callable[..., Cascade],
    *,
    absolute: tuple[str, str],
    normalised: tuple[str, str],
    formula: str,
    citation: str,
    params: Mapping[str, Param],
    cutoffs: tuple[str, str],
) -> None:
    """Declare the measure of one discount and its normalised form, each by (name, title)."""
    source = f"{citation}; {COMPARED}"
    shared: dict[str, Any] = {"diverse": True, "citation": source, "params": params}

    @measure(
        absolute[0],
        title=absolute[1],
        formula=f"{formula}; {SUBTOPICS}",
        cutoff=cutoffs[0],
        expected=lambda view, tie, **params: make(**params).absolute(view, tie),
        **shared,
    )
    def _absolute(view: View, **params: Value) -> Floats:
        return make(**params).absolute(view)

    @measure(
        normalised[0],
        title=normalised[1],
        formula=f"{absolute[0]} / that of the greedy ideal ranking, from {ADDED}; {SUBTOPICS}",
        cutoff=cutoffs[1],
        range=(0.0, 1 / greedy.LEAST),  # how much better than the greedy ideal a ranking can be
        bounds=lambda view, **params: make(**params).bounds(view),
        expected=lambda view, tie, **params: make(**params).normalised(view, tie),
        **shared,
    )
    def _normalised(view: View, **params: Value) -> Floats:
        return make(**params).normalised(view)


declare_both(
    lambda alpha: Cascade(log, float(alpha)),
    absolute=("alpha_DCG", "Discounted cumulative gain with novelty"),
    normalised=("alpha_nDCG", "Normalised discounted cumulative gain with novelty"),
    formula=f"sum_k d(k) {ADDED} / {FULL}, d(k) = 1 / log2(k + 1)",
    citation="Clarke et al., SIGIR 2008",
    params={"alpha": ALPHA},
    cutoffs=("required", "optional"),
)
declare_both(
    lambda alpha: Cascade(lambda depth: 1 / np.arange(1, depth + 1), float(alpha)),
    absolute=("ERR_IA", "Expected reciprocal rank, intent-aware"),
    normalised=("nERR_IA", "Expected reciprocal rank, intent-aware and normalised"),
    formula=f"sum_k d(k) {ADDED} / {FULL}, d(k) = 1/k",
    citation="Chapelle et al., Information Retrieval 14(6), 2011",
    params={"alpha": ALPHA},
    cutoffs=("required", "optional"),
)
declare_both(
    lambda alpha, beta: Cascade(
        lambda depth: np.power(beta, np.arange(depth)),
        float(alpha),
        endless=1 / (1 - (1 - float(alpha)) * float(beta)),
    ),
    absolute=("NRBP", "Novelty- and rank-biased precision"),
    normalised=("nNRBP", "Novelty- and rank-biased precision, normalised"),
    formula=f"(1 - (1 - alpha) beta) sum_k beta^(k-1) {ADDED}",
    citation="Clarke, Kolla & Vechtomova, ICTIR 2009",
    params={"alpha": ALPHA, "beta": BETA},
    cutoffs=("none", "none"),
)
