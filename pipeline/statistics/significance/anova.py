"""Two-way analysis of variance, systems by topics, one score per cell.

A one-way analysis would count the large variance between topics as error.
"""

from dataclasses import dataclass, replace

import numpy as np

from pipeline.storage.arrays import Floats


@dataclass(frozen=True)
class VarianceSource:
    """A row of the ANOVA table: one source of variance.

    `share` is the share of the total sum of squares (eta squared). `component` is the share of the
    variance of a single score if runs and topics are random effects (a negative estimate counts as
    0). `f` and `p` are None for the residual.
    """

    squares: float
    freedom: int
    mean_square: float
    f: float | None
    p: float | None
    share: float
    component: float


def anova(values: Floats) -> dict[str, VarianceSource]:
    """The sources system, topic and residual of scores of runs by topics (at least two of each)."""
    from scipy.special import fdtrc

    runs, topics = values.shape
    centred = values - values.mean()
    by_run, by_topic = centred.mean(axis=1), centred.mean(axis=0)
    residual = centred - by_run[:, None] - by_topic[None, :]
    sums = np.sum(by_run**2), np.sum(by_topic**2), np.sum(residual**2)
    squares = np.array([topics, runs, 1]) * sums
    squares[squares <= 1e-20 * np.sum(values**2)] = 0.0  # rounding errors
    freedom = np.array([runs - 1, topics - 1, (runs - 1) * (topics - 1)])
    mean = squares / freedom
    error = mean[2]
    component = np.array([*np.maximum(0.0, (mean[:2] - error) / [topics, runs]), error])
    with np.errstate(divide="ignore", invalid="ignore"):  # 0 over 0 is undefined
        share, part, f = squares / squares.sum(), component / component.sum(), mean / error
    p = fdtrc(freedom, freedom[2], f)
    columns = (column.tolist() for column in (squares, freedom, mean, f, p, share, part))
    system, topic, residual = (VarianceSource(*line) for line in zip(*columns, strict=True))
    return {"system": system, "topic": topic, "residual": replace(residual, f=None, p=None)}
