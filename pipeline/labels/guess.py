"""Scales that the user states in one line, such as `0..3,high,threshold=2`, or not at all.

What is missing is inferred from the labels so that the figures of the usual tools come out: a label
is its own gain, 1 and more count as relevant, and what is below 0 was not judged. Every assumption
is printed.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.labels.qrels import read_qrels
from pipeline.storage.arrays import Floats
from pipeline.storage.text import number

LONG = 10  # a scale beyond has points, not grades: its middle is a fairer threshold than 1
ENDS = (20.0, 50.0, 100.0)  # where such scales usually end
FORM = "0..3,high,threshold=2,cannot_judge=-1"
KEYS = {"key": ("topic", "document"), "conflict": ("error", "first", "max", "mean")}


@dataclass(frozen=True)
class Guess:
    """A scale, and what was seen that led to it; nothing is said where nothing was guessed."""

    scale: Scale
    said: str


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a user states about a dimension's labels; Fathom infers the rest."""

    ends: tuple[float, float] | None = None
    better: str | None = None
    threshold: float | None = None
    cannot_judge: tuple[float, ...] | None = None
    key: str = "topic"
    conflict: str = "error"


def guess(labels: Floats, said: Said = Said()) -> Guess:  # noqa: B008
    """The scale of some labels; what is said is not guessed.

    >>> guess(np.array([0, 1, 2, 2, -1])).said
    'labels -1, 0, 1, 2: read as 0 to 2, high is good, 1 and more count; -1 is not judged'
    >>> guess(np.array([0.0, 3, 47, 96]), Said(better="low")).said
    'labels 0 to 96: read as 0 to 100, 50 and less count'
    >>> guess(np.array([0.0, 1]), Said(ends=(0, 1), better="high", threshold=1)).said
    ''
    """
    values = np.unique(labels)
    if not len(values):
        raise InputError(Problem("", "there are no labels to infer a scale from", "state it: 0..2"))
    low, high = said.ends or (0.0, _highest(float(values[-1])))
    better, threshold, codes = said.better or "high", said.threshold, said.cannot_judge
    if codes is None:
        codes = tuple(values[values < min(0.0, low)].tolist())
    if threshold is None:
        graded = high <= LONG and low <= 1 < high + 1 and better == "high"
        threshold = 1.0 if graded else (low + high) / 2
    parts = {
        f"read as {low:g} to {high:g}": said.ends,
        f"{better} is good": said.better,
        f"{threshold:g} and {'less' if better == 'low' else 'more'} count": said.threshold,
    }
    assumed = ", ".join(part for part, stated in parts.items() if stated is None)
    if assumed and codes and said.cannot_judge is None:
        named = ", ".join(f"{code:g}" for code in codes)
        assumed += f"; {named} {'is' if len(codes) == 1 else 'are'} not judged"
    scale = Scale(low, high, better, threshold, None, codes)
    return Guess(scale, f"labels {_seen(values)}: {assumed}" if assumed else "")


def labels_in(files: Sequence[Path]) -> Floats:
    """All labels of some files."""
    return np.concatenate([read_qrels(path).label for path in files] or [np.empty(0)])


def _highest(seen: float) -> float:
    seen = max(seen, 1.0)
    return seen if seen <= LONG else next((end for end in ENDS if seen <= end), seen)


def _seen(values: Floats) -> str:
    if len(values) > LONG or values[-1] > LONG:
        return f"{values[0]:g} to {values[-1]:g}"
    return ", ".join(f"{value:g}" for value in values)


def parse_scale(text: str, *, where: str) -> Said:
    """Read a scale in one line; `where` names it in a message.

    >>> said = parse_scale("0..3,high,threshold=2", where="understandability")
    >>> said.ends, said.better, said.threshold
    ((0.0, 3.0), 'high', 2.0)
    >>> parse_scale("low,cannot_judge=-1+-2,key=document", where="x").cannot_judge
    (-1.0, -2.0)
    >>> parse_scale("0-3", where="x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    pipeline.errors.InputError: x: '0-3' is not a part of a scale; write it like 0..3,high,...
    """
    stated: dict[str, Any] = {}

    def value_of(text: str) -> float:
        if math.isnan(value := number(text.strip())):
            what = f"'{text}' in '{word}' is not a number"
            raise InputError(Problem(where, what, f"write it like {FORM}"))
        return value

    for word in filter(None, map(str.strip, text.split(","))):
        key, equals, value = word.partition("=")
        low, dots, high = word.partition("..")
        if word in ("high", "low"):
            stated["better"] = word
        elif dots and not equals:
            stated["ends"] = value_of(low), value_of(high)
        elif equals and key == "threshold":
            stated["threshold"] = value_of(value)
        elif equals and key == "cannot_judge":
            stated["cannot_judge"] = tuple(map(value_of, value.split("+")))
        elif equals and value in KEYS.get(key, ()):
            stated[key] = value
        else:
            what = f"'{word}' is not a part of a scale"
            raise InputError(Problem(where, what, f"write it like {FORM}"))
    low_end, high_end = stated.get("ends", (0, 1))
    if not low_end < high_end:
        what = f"the scale {low_end:g}..{high_end:g} must go up"
        raise InputError(Problem(where, what, "turn it round"))
    return Said(**stated)


def settled(given: Scale | Said | str | None, labels: Floats, *, name: str) -> tuple[Guess, Said]:
    """The scale of a dimension from what was given of it, and how its labels are keyed."""
    if isinstance(given, Scale):
        return Guess(given, ""), Said()
    said = parse_scale(given, where=f"scale of {name}") if isinstance(given, str) else given
    return guess(labels, said or Said()), said or Said()
