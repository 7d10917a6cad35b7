"""Section 5 of UBIRE: understandability estimated from the pages' readability."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import atan, log1p, pi
from pathlib import Path

import numpy as np

from pipeline.gains.dimension import Dimension
from pipeline.gains.files import read as read_gains
from pipeline.measures import parse
from pipeline.papers.published import Cell, Printed, compared
from pipeline.papers.ubire.measures import MODELS, THRESHOLDS, dimension, simulated
from pipeline.statistics.correlation.means import Means
from pipeline.statistics.correlation.statistics.pairs import tau_ap, tau_b
from pipeline.storage import arrow

STATISTICS = {"tau": tau_b, "tau_AP": tau_ap}
NOT_PUBLIC = (
    "the pages of the experiment are not public, and figures on generated ones claim nothing"
)


def correlations(means: Means) -> dict[tuple[str, str, int], float]:
    """Variant, statistic and threshold: how alike it and RBP rank the runs."""
    rbp = means.column("RBP(p=0.8)")
    return {
        (variant, name, threshold): statistic(rbp, means.column(simulated(model, threshold)))
        for variant, model in MODELS.items()
        for name, statistic in STATISTICS.items()
        for threshold in THRESHOLDS
        if simulated(model, threshold) in means.measures
    }


def table(printed: Sequence[Printed], means: Means, *, generated: bool) -> list[Cell]:
    """A printed table; on generated pages no figure is compared."""
    found = correlations(means)
    cells = []
    for one in printed:
        statistic, _, threshold = one.column.partition(", th = ")
        ours = found[one.row.removeprefix("RBP, "), statistic, int(threshold)]
        if generated:
            cells.append(compared(one, None, why=f"{NOT_PUBLIC} (there it is {ours:.3f})"))
        else:
            cells.append(compared(one, ours, why="other pages, runs or cleansing than the paper's"))
    return cells


def rises(means: Means) -> dict[str, bool]:
    """What section 5.3 says: more agreement with a higher threshold, and with the second model."""
    found = correlations(means)
    told = {}
    for variant in MODELS:
        if (variant, "tau", THRESHOLDS[0]) in found:
            taus = [found[variant, "tau", threshold] for threshold in THRESHOLDS]
            told[f"tau of RBP and {variant} rises with the threshold"] = taus == sorted(taus)
    if all((variant, "tau", THRESHOLDS[0]) in found for variant in MODELS):
        first, second = (
            sum(found[variant, "tau", threshold] for threshold in THRESHOLDS) / len(THRESHOLDS)
            for variant in MODELS
        )
        sentence = (
            "overall uRBP2 agrees with RBP more than uRBP1 does, with a mean tau of "
            f"{second:.3f} and {first:.3f}"
        )
        told[sentence] = second > first
    return told


def integral(low: float, high: float, *, threshold: float) -> float:
    """The integral of equation 7 between two values of FOG.

    With t = FOG - threshold, 1/2 - arctan(t)/pi is the derivative of
    t/2 - (t arctan(t) - log(1 + t^2)/2) / pi.

    >>> round(integral(9.999, 10.001, threshold=10) / 0.002, 6)  # a half at the threshold
    0.5
    """

    def primitive(fog: float) -> float:
        t = fog - threshold
        return t / 2 - (t * atan(t) - log1p(t * t) / 2) / pi

    return primitive(high) - primitive(low)


def normalised(
    *, readability: Path, gains: Mapping[str, Path]
) -> list[tuple[int, float, float, float]]:
    """Threshold, integral, tau-b of uRBP2 with and without it, and the ratio of the two."""
    fog = arrow.array(arrow.read(readability, ["fog"])["fog"], missing=np.nan)
    low, high = float(np.nanmin(fog)), float(np.nanmax(fog))
    rows = []
    for threshold in THRESHOLDS:
        name = dimension("arctan", threshold)
        data = read_gains({"topicality": gains["topicality"], name: gains[name]})
        whole = integral(low, high, threshold=threshold)
        scaled = replace(
            data,
            dimensions={**data.dimensions, name: _divided(data.dimensions[name], whole)},
            cache={},
        )
        one = parse(simulated("arctan", threshold), dimensions=["topicality", name])
        plain, other = (one.overall(one.value(some), some) for some in (data, scaled))
        ratio = float(np.median(plain[plain > 0] / other[plain > 0]))
        rows.append((threshold, whole, tau_b(plain, other), ratio))
    return rows


def _divided(dimension: Dimension, whole: float) -> Dimension:
    """The same dimension with every gain divided; labels stay."""
    worth = dimension.worth.copy()
    worth[:, :2] /= whole
    return replace(dimension, worth=worth)
