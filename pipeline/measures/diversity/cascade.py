"""Cascade measures: what a document adds to a subtopic shrinks with each one found for it before.

One form (Clarke, Craswell, Soboroff & Ashkan, WSDM 2011), three discounts of the ranks: alpha-DCG
(log), ERR-IA (reciprocal) and NRBP (geometric). As in ndeval each is divided by what a list would
have whose every document is relevant to every subtopic; with an n in front, by the ideal list.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, Param, Value, measure
from pipeline.measures.diversity import greedy
from pipeline.measures.standard.dcg import discount as log
from pipeline.measures.tie_groups import averaged, groups, mean_onward
from pipeline.storage.arrays import Floats, Ints

ALPHA = Param(0.5, low=0, high=1, meaning="how far a document found tires of its subtopics")
BETA = Param(0.5, low=0, high=1, open_low=True, open_high=True, meaning="patience of the user")
ADDED = "sum_s P(s) g_s(k) prod_(i<k) (1 - alpha g_s(i))"
FULL = "sum_k d(k) (1 - alpha)^(k-1)"
SUBTOPICS = "P(s) is 1/N, N: subtopics with a relevant document, unless weights are given"
COMPARED = "Clarke, Craswell, Soboroff & Ashkan, WSDM 2011; as ndeval"
MOST = 1 / greedy.LEAST  # a list can be better than the greedy ideal, but not by more


def reciprocal(depth: int) -> Floats:
    """1 / rank."""
    return 1 / np.arange(1, depth + 1)


def geometric(beta: float) -> Callable[[int], Floats]:
    """beta^(rank - 1)."""
    return lambda depth: np.power(beta, np.arange(depth))


@dataclass(frozen=True)
class Cascade:
    """The measures of one discount of the ranks."""

    discount: Callable[[int], Floats]
    alpha: float
    endless: float = np.nan  # what a perfect list without end has; others need a cutoff

    def found(self, view: View) -> Floats:
        """[row]: what the list holds for all subtopics, each by its relative chance."""
        chances = greedy.relative(view)[0][view.topic]
        weights = self.discount(view.depth)
        total = np.zeros(len(view.length))
        for chance, part in zip(chances.T, view.subtopics, strict=True):
            left = np.ones_like(part.gain)
            np.cumprod(1 - self.alpha * part.gain[:, :-1], axis=1, out=left[:, 1:])
            total += chance * ((part.gain * left) @ weights)
        return total

    def expected(self, view: View, tie: Ints) -> Floats:
        """[row]: its mean over all orders of tied documents, exactly."""
        chances = greedy.relative(view)[0][view.topic]
        weights = self.discount(view.depth)
        total = np.zeros(len(view.length))
        for chance, part in zip(chances.T, view.subtopics, strict=True):
            if self.alpha == 0:
                total += chance * (averaged(part, tie).gain @ weights)
                continue
            stop = self.alpha * part.at(None).gain
            onward = mean_onward(stop, groups(part, tie), depth=view.depth)
            total += chance * ((onward[:, :-1] - onward[:, 1:]) / self.alpha @ weights)
        return total

    def absolute(self, view: View, found: Floats) -> Floats:
        """[row]: of what a list full of perfect documents would have, to the cutoff or endless."""
        full = self.endless
        if view.cut is not None:
            full = float(np.power(1 - self.alpha, np.arange(view.cut)) @ self.discount(view.cut))
        return np.asarray(found * greedy.relative(view)[1][view.topic] / full)

    def ideal(self, view: View) -> Floats:
        """[row]: what the ideal list has."""
        added = greedy.ideal(view, alpha=self.alpha, depth=view.cut)
        best: Floats = added @ self.discount(added.shape[1])
        return best[view.topic]

    def normalised(self, view: View, found: Floats) -> Floats:
        """[row]: the share of the ideal; 0 of a topic with nothing to find."""
        best = self.ideal(view)
        return np.divide(found, best, out=np.zeros_like(found), where=best > 0)

    def bounds(self, view: View) -> Bounds:
        """Labels of unjudged documents change list and ideal, so each end has a worst case of both.

        No ideal is above all relevant documents of each subtopic in the first places, nor below
        the greedy share of what is known. Where nothing is unjudged, nothing is open.
        """
        value = self.normalised(view, self.found(view))
        upper = view.gains.view(view.wanted, mix=view.mix, scenario="upper").at(view.cut)
        several = (view.chances > 0).sum(axis=1)[view.topic] > 1
        depth = view.cut or view.depth + view.ideal.shape[1]  # no ideal list is longer
        least = np.where(several, greedy.share(self.discount(depth)), 1.0)
        most = np.full_like(value, 0.0)
        np.divide(self.found(upper), least * self.ideal(view), out=most, where=self.ideal(view) > 0)
        most = np.where(self.ideal(view) > 0, np.minimum(most, 1 / least), self.found(upper) > 0)
        low = np.divide(self.found(view), (top := self._highest(view)), out=np.zeros_like(value),
                        where=top > 0)  # fmt: skip
        sure = view.unjudged == 0
        return np.where(sure, value, low), np.where(sure, value, most)

    def _highest(self, view: View) -> Floats:
        """[row]: what no ideal list can pass, whatever the unjudged documents of the list are."""
        total = np.zeros(len(view.length))
        for chance, part in zip(
            greedy.relative(view)[0][view.topic].T, view.subtopics, strict=True
        ):
            count = (part.ideal > 0).sum(axis=1)[view.topic] + view.unjudged
            count = count if view.cut is None else np.minimum(count, view.cut)
            deepest = int(count.max(initial=0))
            each = np.power(1 - self.alpha, np.arange(deepest)) * self.discount(deepest)
            total += chance * np.concatenate([[0.0], np.cumsum(each)])[count]
        return np.asarray(view.best * total)


def _dcg(alpha: Value) -> Cascade:
    return Cascade(log, float(alpha))


def _err(alpha: Value) -> Cascade:
    return Cascade(reciprocal, float(alpha))


def _nrbp(alpha: Value, beta: Value) -> Cascade:
    endless = 1 / (1 - (1 - float(alpha)) * float(beta))
    return Cascade(geometric(float(beta)), float(alpha), endless)


def _normalised_bounds(make: Callable[..., Cascade]) -> Callable[..., Bounds]:
    return lambda view, **params: make(**params).bounds(view)


def _expected(make: Callable[..., Cascade], *, normalised: bool = True) -> Callable[..., Floats]:
    """The mean over orders of ties: what a measure is divided by does not depend on them."""

    def mean(view: View, tie: Ints, **params: Value) -> Floats:
        one = make(**params)
        found = one.expected(view, tie)
        return one.normalised(view, found) if normalised else one.absolute(view, found)

    return mean


@measure(
    "alpha_DCG",
    diverse=True,
    title="Discounted cumulative gain with novelty",
    formula=f"sum_k d(k) {ADDED} / {FULL}, d(k) = 1 / log2(k + 1); {SUBTOPICS}",
    citation=f"Clarke et al., SIGIR 2008; {COMPARED}",
    params={"alpha": ALPHA},
    cutoff="required",
    expected=_expected(_dcg, normalised=False),
)
def alpha_dcg(view: View, *, alpha: float) -> Floats:
    """Discounted gain of what is new for a subtopic."""
    return _dcg(alpha).absolute(view, _dcg(alpha).found(view))


@measure(
    "alpha_nDCG",
    diverse=True,
    title="Normalised discounted cumulative gain with novelty",
    formula=f"alpha_DCG / that of the greedy ideal list, from {ADDED}; {SUBTOPICS}",
    citation=f"Clarke et al., SIGIR 2008; {COMPARED}",
    params={"alpha": ALPHA},
    cutoff="optional",
    range=(0.0, MOST),
    bounds=_normalised_bounds(_dcg),
    expected=_expected(_dcg),
)
def alpha_ndcg(view: View, *, alpha: float) -> Floats:
    """Discounted gain of what is new, as a share of what the greedy ideal list has."""
    return _dcg(alpha).normalised(view, _dcg(alpha).found(view))


@measure(
    "ERR_IA",
    diverse=True,
    title="Expected reciprocal rank, intent-aware",
    formula=f"sum_k d(k) {ADDED} / {FULL}, d(k) = 1/k; {SUBTOPICS}",
    citation=f"Chapelle et al., Information Retrieval 14(6), 2011; {COMPARED}",
    params={"alpha": ALPHA},
    cutoff="required",
    expected=_expected(_err, normalised=False),
)
def err_ia(view: View, *, alpha: float) -> Floats:
    """1/rank of what satisfies a user with one of the subtopics in mind, to the most there is."""
    return _err(alpha).absolute(view, _err(alpha).found(view))


@measure(
    "nERR_IA",
    diverse=True,
    title="Expected reciprocal rank, intent-aware and normalised",
    formula=f"ERR_IA / that of the greedy ideal list, from {ADDED}; {SUBTOPICS}",
    citation=f"Chapelle et al., Information Retrieval 14(6), 2011; {COMPARED}",
    params={"alpha": ALPHA},
    cutoff="optional",
    range=(0.0, MOST),
    bounds=_normalised_bounds(_err),
    expected=_expected(_err),
)
def nerr_ia(view: View, *, alpha: float) -> Floats:
    """ERR-IA as a share of what the greedy ideal list has."""
    return _err(alpha).normalised(view, _err(alpha).found(view))


@measure(
    "NRBP",
    diverse=True,
    title="Novelty- and rank-biased precision",
    formula=f"(1 - (1 - alpha) beta) sum_k beta^(k-1) {ADDED}; {SUBTOPICS}",
    citation=f"Clarke, Kolla & Vechtomova, ICTIR 2009; {COMPARED}",
    params={"alpha": ALPHA, "beta": BETA},
    expected=_expected(_nrbp, normalised=False),
)
def nrbp(view: View, *, alpha: float, beta: float) -> Floats:
    """What is new for a subtopic, to a user who goes on with probability beta."""
    return _nrbp(alpha, beta).absolute(view, _nrbp(alpha, beta).found(view))


@measure(
    "nNRBP",
    diverse=True,
    title="Novelty- and rank-biased precision, normalised",
    formula=f"NRBP / that of the greedy ideal list, from {ADDED}; {SUBTOPICS}",
    citation=f"Clarke, Kolla & Vechtomova, ICTIR 2009; {COMPARED}",
    params={"alpha": ALPHA, "beta": BETA},
    range=(0.0, MOST),
    bounds=_normalised_bounds(_nrbp),
    expected=_expected(_nrbp),
)
def nnrbp(view: View, *, alpha: float, beta: float) -> Floats:
    """NRBP as a share of what the greedy ideal list has."""
    return _nrbp(alpha, beta).normalised(view, _nrbp(alpha, beta).found(view))
