"""Two-way analysis of variance, systems by topics, one score a cell.

Topics pair the samples, so a one-way analysis would put the topics' large share into the error.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Source:
    """A line of the table: where variance comes from.

    `share` is the part of the total sum of squares (eta squared); `component` the part of the
    variance of a single score when runs and topics are drawn at random (a negative estimate is
    0); `f` and `p` are None for the residual.
    """

    name: str
    squares: float
    freedom: int
    mean_square: float
    f: float | None
    p: float | None
    share: float
    component: float


def anova(values: NDArray[np.float64]) -> tuple[Source, ...]:
    """The lines system, topic and residual, for scores of runs by topics (at least two of each)."""
    from scipy.special import fdtrc

    runs, topics = values.shape
    centred = values - values.mean()
    by_run, by_topic = centred.mean(axis=1), centred.mean(axis=0)
    residual = centred - by_run[:, None] - by_topic[None, :]
    squares = {
        "system": topics * float(np.sum(by_run**2)),
        "topic": runs * float(np.sum(by_topic**2)),
        "residual": float(np.sum(residual**2)),
    }
    dust = 1e-20 * float(np.sum(values**2))  # what rounding leaves of a sum that is zero
    squares = {name: square if square > dust else 0.0 for name, square in squares.items()}
    freedom = {"system": runs - 1, "topic": topics - 1, "residual": (runs - 1) * (topics - 1)}
    mean = {name: squares[name] / freedom[name] for name in squares}
    error = mean["residual"]
    components = {
        "system": max(0.0, (mean["system"] - error) / topics),
        "topic": max(0.0, (mean["topic"] - error) / runs),
        "residual": error,
    }
    total, variance = sum(squares.values()), sum(components.values())
    lines = []
    for name in squares:
        f = p = None
        if name != "residual":
            f = _over(mean[name], error)
            p = math.nan if math.isnan(f) else float(fdtrc(freedom[name], freedom["residual"], f))
        lines.append(
            Source(
                name=name,
                squares=squares[name],
                freedom=freedom[name],
                mean_square=mean[name],
                f=f,
                p=p,
                share=_over(squares[name], total),
                component=_over(components[name], variance),
            )
        )
    return tuple(lines)


def _over(part: float, whole: float) -> float:
    """A ratio; 0 over 0 is undefined, anything else over 0 infinite."""
    if whole:
        return part / whole
    return math.inf if part else math.nan
