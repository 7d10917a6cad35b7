"""Indicators of the systems' own scores: cross-entropy, and how well they separate relevance.

Both use the judged documents of a ranking. Unjudged documents are ignored, but widen the bounds.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.gains.gains import View
from pipeline.measures.declaration import Bounds, Param, measure
from pipeline.storage.arrays import Bools, Floats

indicator = partial(
    measure, citation="Basu, 2019", cutoff="optional", graded=False, rises=False, scores=True
)
SCALING = Param(
    "minmax",
    choices=("minmax", "sigmoid", "none"),
    meaning="how the scores of a ranking are scaled to [0, 1]",
)
CLIP = Param(
    1e-6, low=0, high=0.5, open_low=True, meaning="smallest distance of a score from 0 and 1"
)
UNITS = {"ln": 1.0, "log2": float(np.log(2))}  # in natural logarithms
LOG = Param("ln", choices=tuple(UNITS), meaning="the logarithm: natural, or base 2 (bits)")
GUESS = float(np.log(2))  # the loss of the score 1/2


@dataclass(frozen=True)
class ScaledDocuments:
    """The documents of each row up to the cutoff: score in [0, 1] and label."""

    score: Floats
    relevant: Bools
    irrelevant: Bools
    unknown: Bools


def scale_scores(view: View, scaling: str) -> ScaledDocuments:
    """Scores, scaled over the whole ranking, and labels, up to the cutoff."""
    full = view.at(None)
    has_score = full.retrieved & np.isfinite(full.score)
    scaled = _scale(np.where(has_score, full.score, np.nan), has_score, scaling)[:, : view.depth]
    relevant = view.judged & (view.gain > 0)
    return ScaledDocuments(scaled, relevant, view.judged & ~relevant, view.retrieved & ~view.judged)


def _scale(score: Floats, has_score: Bools, scaling: str) -> Floats:
    """Scores in [0, 1]; 0 for documents without a finite score, which are last."""
    if scaling == "none":
        outside = has_score & ~((score >= 0) & (score <= 1))
        if outside.any():
            what = f"needs scores from 0 to 1, but a run has {score[outside][0]:g}"
            fix = "write scaling=minmax or scaling=sigmoid"
            raise InputError(Problem("scaling=none", what, fix))
        return np.where(has_score, score, 0.0)
    if scaling == "sigmoid":
        return np.where(has_score, 0.5 * (1 + np.tanh(0.5 * np.where(has_score, score, 0.0))), 0.0)
    low = np.where(has_score, score, np.inf).min(axis=1, initial=np.inf)[:, None]
    high = np.where(has_score, score, -np.inf).max(axis=1, initial=-np.inf)[:, None]
    flat = ~(high > low)  # all scores are equal
    range_ = np.where(flat, 1.0, high - low)
    scaled = np.where(flat, 0.5, (score - np.where(flat, 0.0, low)) / range_)
    return np.where(has_score, scaled, 0.0)


def _losses(docs: ScaledDocuments, clip: float) -> tuple[Floats, Floats]:
    """The loss of each document if it is relevant, and if it is not relevant."""
    score = np.clip(docs.score, clip, 1 - clip)
    return -np.log(score), -np.log1p(-score)


def _mean(total: Floats, count: Floats) -> Floats:
    return np.divide(total, count, out=np.full_like(total, GUESS), where=count > 0)


def _known_loss(docs: ScaledDocuments, clip: float) -> tuple[Floats, Floats]:
    """The sum of the losses of the judged documents, and their number."""
    if_relevant, if_not = _losses(docs, clip)
    loss = np.where(docs.relevant, if_relevant, 0) + np.where(docs.irrelevant, if_not, 0)
    return loss.sum(axis=1), (docs.relevant | docs.irrelevant).sum(axis=1).astype(float)


def cross_entropy_bounds(view: View, *, scaling: str, clip: float, log: str) -> Bounds:
    """Each unjudged document has the label with the lower or higher loss."""
    docs = scale_scores(view, scaling)
    total, count = _known_loss(docs, clip)
    losses, more = _losses(docs, clip), docs.unknown.sum(axis=1)
    value = _mean(total, count)

    def end(loss: Floats) -> Floats:
        return _mean(total + np.where(docs.unknown, loss, 0).sum(axis=1), count + more)

    lowest, highest = (end(pick(*losses)) for pick in (np.minimum, np.maximum))
    return np.minimum(value, lowest) / UNITS[log], np.maximum(value, highest) / UNITS[log]


@indicator(
    "CrossEntropy",
    title="Cross-entropy loss of the scores",
    formula="-1/n * sum over judged documents of (r log s + (1 - r) log(1 - s)), s: scaled score, "
    "r: 1 if relevant, else 0; log 2 where nothing was judged",
    params={"scaling": SCALING, "clip": CLIP, "log": LOG},
    unretrieved=None,
    range=(0.0, np.inf),
    bounds=cross_entropy_bounds,
)
def cross_entropy(view: View, *, scaling: str, clip: float, log: str) -> Floats:
    """Mean log loss of the scores, taken as probabilities of relevance; lower is better."""
    return _mean(*_known_loss(scale_scores(view, scaling), clip)) / UNITS[log]


def _gap(high: Floats, high_count: Floats, low: Floats, low_count: Floats) -> Floats:
    """The difference of two means; 0 where one of them is over no document."""
    defined = (high_count > 0) & (low_count > 0)
    gap = high / np.where(defined, high_count, 1) - low / np.where(defined, low_count, 1)
    return np.where(defined, gap, 0.0)


def _sums(docs: ScaledDocuments, which: Bools) -> tuple[Floats, Floats]:
    return np.where(which, docs.score, 0).sum(axis=1), which.sum(axis=1).astype(float)


def quality_bounds(view: View, *, scaling: str) -> Bounds:
    """With m relevant unjudged documents it is highest if they have the m highest scores.

    It is lowest if they have the m lowest scores; so all m are tried.
    """
    docs = scale_scores(view, scaling)
    (high, high_count), (low, low_count) = _sums(docs, docs.relevant), _sums(docs, docs.irrelevant)
    value = _gap(high, high_count, low, low_count)
    unjudged = docs.unknown.sum(axis=1)[:, None]
    number = np.arange(docs.score.shape[1] + 1)[None, :]

    def ends(sign: float) -> Floats:
        order = np.sort(np.where(docs.unknown, sign * docs.score, np.inf), axis=1)
        sums = np.cumsum(np.where(np.isinf(order), 0.0, sign * order), axis=1)
        sums = np.concatenate([np.zeros((len(sums), 1)), sums], axis=1)
        remaining = sums[:, -1:] - sums
        gap = _gap(high[:, None] + sums, high_count[:, None] + number,
                   low[:, None] + remaining, low_count[:, None] + unjudged - number)  # fmt: skip
        return np.where(number <= unjudged, gap, value[:, None])

    return np.minimum(value, ends(1.0).min(axis=1)), np.maximum(value, ends(-1.0).max(axis=1))


@indicator(
    "SQI",
    title="Semantic quality indicator",
    formula="mean scaled score of the relevant minus that of the irrelevant judged documents; 0 "
    "where either are missing",
    params={"scaling": SCALING},
    range=(-1.0, 1.0),
    bounds=quality_bounds,
)
def semantic_quality(view: View, *, scaling: str) -> Floats:
    """How well a system's own scores separate relevant from nonrelevant documents."""
    docs = scale_scores(view, scaling)
    return _gap(*_sums(docs, docs.relevant), *_sums(docs, docs.irrelevant))


def positive_bounds(view: View, *, scaling: str) -> Bounds:
    """Whether the lower and the upper bound are above 0."""
    lowest, highest = quality_bounds(view, scaling=scaling)
    return (lowest > 0).astype(float), (highest > 0).astype(float)


@indicator(
    "SQIpositive",
    title="Share of topics with a positive semantic quality indicator",
    formula="1 if SQI > 0, else 0; its mean is the share of topics",
    params={"scaling": SCALING},
    bounds=positive_bounds,
)
def positive_quality(view: View, *, scaling: str) -> Floats:
    """Whether relevant documents have a higher mean score."""
    return (semantic_quality(view, scaling=scaling) > 0).astype(float)
