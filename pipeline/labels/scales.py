"""Scales of labels: stated by the user in one line, such as `0..3,high,threshold=2`, or inferred.

Parts that are not stated are inferred from the labels, so that scores equal those of the usual
tools: a label is its own gain, labels of 1 and more are relevant, and labels below 0 mean unjudged.
Each assumption is reported.
"""

import math
import re
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

LONG = 10  # a longer scale has points, not grades: its threshold is assumed to be its middle
ENDS = (20.0, 50.0, 100.0)  # usual highest labels of such scales
FORM = "0..3,high,threshold=2,gains=0:0+1:0.4+2:0.8+3:1,cannot_judge=-1"
KEYS = {"key": ("topic", "document"), "conflict": ("error", "first", "max", "mean")}


@dataclass(frozen=True)
class InferredScale:
    """A scale, and a note about what was assumed; '' if every part was stated."""

    scale: Scale
    note: str

    @property
    def text(self) -> str:
        """The scale as a user would state it."""
        scale = self.scale
        codes = "+".join(f"{code:g}" for code in scale.cannot_judge)
        text = f"{scale.lowest:g}..{scale.highest:g},{scale.better},threshold={scale.threshold:g}"
        return f"{text},cannot_judge={codes}" if codes else text


@dataclass(frozen=True, kw_only=True)
class StatedScale:
    """What a user states about the labels of a dimension; Fathom infers the parts that are None."""

    ends: tuple[float, float] | None = None
    better: str | None = None
    threshold: float | None = None
    gains: dict[float, float] | None = None
    cannot_judge: tuple[float, ...] | None = None
    key: str = "topic"
    conflict: str = "error"


def infer_scale(labels: Floats, stated: StatedScale = StatedScale()) -> InferredScale:  # noqa: B008
    """Infer the parts of a scale that are not stated from labels.

    >>> infer_scale(np.array([0, 1, 2, 2, -1])).note
    'labels -1, 0, 1, 2; assumed scale 0 to 2, high is better, threshold 1, -1 is unjudged'
    >>> infer_scale(np.array([0.0, 3, 47, 96]), StatedScale(better="low")).note
    'labels 0 to 96; assumed scale 0 to 100, threshold 50'
    >>> infer_scale(np.array([0.0, 1]), StatedScale(ends=(0, 1), better="high", threshold=1)).note
    ''
    """
    values = np.unique(labels)
    if not len(values):
        raise InputError(Problem("", "there are no labels to infer a scale from", "state it: 0..2"))
    low, high = stated.ends or (0.0, _highest(float(values[-1])))
    better, threshold, codes = stated.better or "high", stated.threshold, stated.cannot_judge
    if codes is None:
        codes = tuple(values[values < min(0.0, low)].tolist())
    if threshold is None:
        graded = high <= LONG and low <= 1 < high + 1 and better == "high"
        threshold = 1.0 if graded else (low + high) / 2
    parts = {
        f"scale {low:g} to {high:g}": stated.ends,
        f"{better} is better": stated.better,
        f"threshold {threshold:g}": stated.threshold,
    }
    assumed = ", ".join(part for part, value in parts.items() if value is None)
    if assumed and codes and stated.cannot_judge is None:
        verb = "is" if len(codes) == 1 else "are"
        assumed += f", {', '.join(f'{code:g}' for code in codes)} {verb} unjudged"
    scale = Scale(low, high, better, threshold, stated.gains, codes)
    return InferredScale(scale, f"labels {_shown(values)}; assumed {assumed}" if assumed else "")


def labels_in(files: Sequence[Path]) -> Floats:
    """All labels of some files."""
    return np.concatenate([read_qrels(path).label for path in files] or [np.empty(0)])


def _highest(label: float) -> float:
    label = max(label, 1.0)
    return label if label <= LONG else next((end for end in ENDS if label <= end), label)


def _shown(values: Floats) -> str:
    if len(values) > LONG or values[-1] > LONG:
        return f"{values[0]:g} to {values[-1]:g}"
    return ", ".join(f"{value:g}" for value in values)


def parse_scale(text: str, *, where: str) -> StatedScale:
    """Read a scale from one line; `where` names the scale in messages.

    >>> scale = parse_scale("0..3,high,threshold=2,gains=0:0+1:0.4+2:0.8+3:1", where="x")
    >>> scale.ends, scale.better, scale.threshold
    ((0.0, 3.0), 'high', 2.0)
    >>> scale.gains
    {0.0: 0.0, 1.0: 0.4, 2.0: 0.8, 3.0: 1.0}
    >>> parse_scale("low,cannot_judge=-1+-2,key=document", where="x").cannot_judge
    (-1.0, -2.0)
    >>> parse_scale("0-3", where="x")
    Traceback (most recent call last):
    pipeline.errors.InputError: x: '0-3' is not a part of a scale; write 0..3
    """
    stated: dict[str, Any] = {}

    def refuse(what: str, fix: str = f"write it like {FORM}") -> InputError:
        return InputError(Problem(where, what, fix))

    def value_of(text: str) -> float:
        if math.isnan(value := number(text.strip())):
            raise refuse(f"'{text}' in '{word}' is not a number")
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
        elif equals and key == "gains":
            pairs = (pair.partition(":") for pair in value.split("+"))
            stated["gains"] = {value_of(label): value_of(gain) for label, _, gain in pairs}
        elif equals and value in KEYS.get(key, ()):
            stated[key] = value
        elif ends := re.fullmatch(r"([\d.]+)\s*-\s*([\d.]+)", word):
            raise refuse(f"'{word}' is not a part of a scale", f"write {ends[1]}..{ends[2]}")
        else:
            raise refuse(f"'{word}' is not a part of a scale")
    if gains := stated.get("gains"):
        stated.setdefault("ends", (min(gains), max(gains)))
    low_end, high_end = stated.get("ends", (0, 1))
    if not low_end < high_end:
        what = f"the scale {low_end:g}..{high_end:g} is not ascending"
        raise refuse(what, "write the lowest label, then the highest")
    return StatedScale(**stated)


def resolve_scale(
    scale: Scale | StatedScale | str | None, labels: Floats, *, name: str
) -> tuple[InferredScale, StatedScale]:
    """The scale of a dimension from what is stated and its labels; and how its labels are keyed."""
    if isinstance(scale, Scale):
        return InferredScale(scale, ""), StatedScale()
    stated = parse_scale(scale, where=f"scale of {name}") if isinstance(scale, str) else scale
    inferred = infer_scale(labels, stated or StatedScale())
    if stated and stated.gains is not None:
        _check_gains(inferred.scale, name)
    return inferred, stated or StatedScale()


def _check_gains(scale: Scale, name: str) -> None:
    """Refuse a gain map that the config of a campaign would refuse."""
    from pipeline.config.base import arguments  # pydantic takes a tenth of a second to import
    from pipeline.config.dimensions import Labelled

    values = {key: getattr(scale, key) for key in ("better", "threshold", "gains", "cannot_judge")}
    with arguments(**{key: f"scale of {name}, {key}" for key in ("scale", *values)}):
        Labelled(labels="-", scale=(scale.lowest, scale.highest), **values)
