"""A scale guessed from the labels themselves, where nobody has said what it is.

The guess is the one under which the usual tools' figures come out: a label is its own gain, 1 and
more count as relevant, and what is below 0 was not judged. It is always said in a sentence.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.labels.qrels import read_qrels
from pipeline.labels.scale import Scale

LONG = 10  # a scale beyond has points, not grades: its middle is a fairer threshold than 1
ENDS = (20.0, 50.0, 100.0)  # where such scales usually end


@dataclass(frozen=True)
class Guess:
    """A scale, and what was seen that led to it; nothing is said where nothing was guessed."""

    scale: Scale
    said: str


def guess(
    labels: NDArray[np.float64],
    *,
    ends: tuple[float, float] | None = None,
    better: str | None = None,
    threshold: float | None = None,
    cannot_judge: tuple[float, ...] | None = None,
) -> Guess:
    """The scale of some labels; what is given is not guessed.

    >>> guess(np.array([0, 1, 2, 2, -1])).said
    'labels -1, 0, 1, 2: read as 0 to 2, high is good, 1 and more count; -1 is not judged'
    >>> guess(np.array([0.0, 3, 47, 96]), better="low").said
    'labels 0 to 96: read as 0 to 100, 50 and less count'
    >>> guess(np.array([0.0, 1]), ends=(0, 1), better="high", threshold=1).said
    ''
    """
    values = np.unique(labels)
    if not len(values):
        raise InputError("there are no labels to guess a scale from; say it as 0..2")
    codes = cannot_judge
    if codes is None:
        lowest = min(0.0, ends[0]) if ends else 0.0
        codes = tuple(values[values < lowest].tolist())
    low, high = ends or (0.0, _highest(float(values[-1])))
    way = better or "high"
    least = threshold
    if least is None:
        graded = high <= LONG and low <= 1 < high + 1 and way == "high"
        least = 1.0 if graded else (low + high) / 2
    scale = Scale(low, high, way, least, None, codes)
    parts = [] if ends else [f"read as {low:g} to {high:g}"]
    parts += [] if better else [f"{way} is good"]
    parts += [] if threshold is not None else [
        f"{least:g} and {'less' if way == 'low' else 'more'} count"
    ]  # fmt: skip
    if not parts:
        return Guess(scale, "")
    said = f"labels {_seen(values)}: {', '.join(parts)}"
    if codes and cannot_judge is None:
        named = ", ".join(f"{code:g}" for code in codes)
        said += f"; {named} {'is' if len(codes) == 1 else 'are'} not judged"
    return Guess(scale, said)


def labels_in(files: Sequence[Path]) -> NDArray[np.float64]:
    """All labels of some files."""
    return np.concatenate([read_qrels(path).label for path in files] or [np.empty(0)])


def _highest(seen: float) -> float:
    seen = max(seen, 1.0)
    return seen if seen <= LONG else next((end for end in ENDS if seen <= end), seen)


def _seen(values: NDArray[np.float64]) -> str:
    if len(values) > LONG or values[-1] > LONG:
        return f"{values[0]:g} to {values[-1]:g}"
    return ", ".join(f"{value:g}" for value in values)
