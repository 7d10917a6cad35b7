"""Means of a base measure over the dimensions; the harmonic mean is the H framework."""

import numpy as np

from pipeline.measures.declaration import combination
from pipeline.storage.arrays import Floats

CITATION = (
    "Palotti, Zuccon & Hanbury, MM: a new framework for multidimensional evaluation of "
    "search engines, CIKM 2018, equation 1"
)


@combination(
    "Hmeans",
    of="scores",
    title="H framework, of the means",
    formula="sum_d w(d) / sum_d (w(d) / M_d), over topics with M_d the mean over topics",
    citation=CITATION,
    means=True,  # so that a topic with 0 in one dimension does not count as 0
)
@combination(
    "H",
    of="scores",
    title="H framework",
    formula="sum_d w(d) / sum_d (w(d) / M_d), per topic; 0 when any M_d is 0",
    citation=CITATION,
)
def harmonic(scores: Floats, weights: Floats) -> Floats:
    """High only if the scores of all dimensions are high."""
    infinite = np.full_like(scores, np.inf)
    inverse = np.divide(weights[:, None], scores, out=infinite, where=scores > 0)
    return np.asarray(weights.sum() / inverse.sum(axis=0))


@combination(
    "CAM",
    of="scores",
    linear=True,
    title="Convex aggregating measure",
    formula="sum_d w(d) M_d / sum_d w(d)",
    citation="Lioma, Simonsen & Larsen, Evaluation measures for relevance and credibility in "
    "ranked lists, ICTIR 2017",
)
def arithmetic(scores: Floats, weights: Floats) -> Floats:
    """The weighted mean: unlike in H, one dimension can compensate for another."""
    return np.asarray(weights @ scores / weights.sum())


@combination(
    "G",
    of="scores",
    title="Geometric mean of dimensions",
    formula="(prod_d M_d^w(d))^(1 / sum_d w(d)); 0 when any M_d is 0",
    citation="between CAM and H: Hardy, Littlewood & Polya, Inequalities, 1934, theorem 16",
)
def geometric(scores: Floats, weights: Floats) -> Floats:
    """Between arithmetic and harmonic mean: a weak dimension lowers it, but less than H."""
    logs = np.log(scores, out=np.full_like(scores, -np.inf), where=scores > 0)
    return np.asarray(np.exp(weights @ logs / weights.sum()))
