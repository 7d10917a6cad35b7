"""The config's dimensions: checked, and as the settings their steps take."""

import itertools
import keyword
import math
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.campaign.model import Dimension, Estimate, Judging
from pipeline.campaign.problems import Problems
from pipeline.campaign.schema import Path, is_number
from pipeline.judging.sweep import Sweep
from pipeline.labels.reading import Labels
from pipeline.labels.scale import Scale
from pipeline.sources.paths import listed

NEEDED = {
    "scale": "the lowest and highest label, as [0, 2]",
    "threshold": "the worst label that still counts in binary measures",
}


def each_threshold(dimensions: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The dimensions; one estimated at a list of thresholds becomes one for each of them."""
    for name, one in dimensions.items():
        thresholds = one["estimate"]["threshold"] if one["estimate"] else None
        if not isinstance(thresholds, list):
            yield name, one
            continue
        for threshold in thresholds:
            estimate = {**one["estimate"], "threshold": threshold}
            yield threshold_name(name, threshold), {**one, "estimate": estimate}


def threshold_name(name: str, threshold: float) -> str:
    """The dimension of one threshold of a list: `fog_15`, `fog_12_5`, `fog_minus_3`."""
    return f"{name}_{threshold:g}".replace("-", "minus_").replace(".", "_")


def made(name: str, one: Mapping[str, Any]) -> Dimension:
    """A checked dimension."""
    if one["estimate"]:
        return Dimension(name=name, labels=None, estimate=Estimate(**one["estimate"]))
    lowest, highest = one["scale"]
    scale = Scale(
        lowest=lowest,
        highest=highest,
        better=one["better"],
        threshold=one["threshold"],
        gains=None if one["gains"] == "linear" else _gain_map(one["gains"]),
        cannot_judge=tuple(one["cannot_judge"]),
    )
    return Dimension(
        name=name,
        labels=Labels(
            files=listed(one["labels"]), scale=scale, key=one["key"], conflict=one["conflict"]
        ),
        estimate=None,
        judging=Judging(
            sweep=_sweep(one["sweep"], scale=scale),
            sets={key: listed(paths) for key, paths in one["sets"].items()},
        ),
    )


def _sweep(one: Mapping[str, Any], *, scale: Scale) -> Sweep:
    thresholds, gains = one["thresholds"], one["gains"]
    return Sweep(
        scale=scale,
        thresholds=None if thresholds is None else tuple(map(float, thresholds)),
        gains=None if gains is None else tuple(_gain_map(given) for given in gains),
    )


def _gain_map(gains: Mapping[str, float]) -> dict[float, float]:
    """A gain map by label, in their order."""
    return dict(sorted(_by_label(gains).items()))


def _by_label(gains: Mapping[str, float]) -> dict[float, float]:
    return {float(label): gain for label, gain in gains.items()}


def problems(full: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    """What is wrong with any of them; `given` is as written, `full` has defaults."""
    every = full["dimensions"]
    for name, one in every.items():
        for path, sentence in _dimension(one, given=given[name]):
            yield ("dimensions", name, *path), sentence
    for name, one in every.items():
        if keyword.iskeyword(name):  # measures are parsed as Python expressions
            yield ("dimensions", name), "is a reserved word; choose another name"
        if one["estimate"] and not full["pages"]:
            yield ("dimensions", name, "estimate"), "needs the pages; add pages.files"
        if one["estimate"] and isinstance(one["estimate"]["threshold"], list):
            for threshold in one["estimate"]["threshold"]:
                if (same := threshold_name(name, threshold)) in every:
                    yield (
                        ("dimensions", name, "estimate", "threshold"),
                        f"{threshold:g} makes the dimension '{same}', which there is already; "
                        "rename one of them",
                    )


def _dimension(one: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    if one["labels"] and one["estimate"]:
        yield (), "has both 'labels' and 'estimate'; keep one of them"
    elif one["estimate"]:
        for key in given:
            if key != "estimate" and given[key] not in (None, {}):
                yield (key,), "has no meaning for an estimated dimension; remove it"
        thresholds = one["estimate"]["threshold"]
        for threshold in thresholds if isinstance(thresholds, list) else [thresholds]:
            if not math.isfinite(threshold):
                yield ("estimate", "threshold"), "is not a finite number; correct it"
    elif one["labels"]:
        yield from _scale(one)
    else:
        yield (), "has neither 'labels' nor 'estimate'; give one of them"
    if "labels" in one["sets"]:
        yield (
            ("sets", "labels"),
            "is the name of the dimension's own labels; choose another",
        )


def _scale(one: Mapping[str, Any]) -> Problems:
    for key in ("scale", "threshold"):
        if one[key] is None:
            yield (key,), f"is missing; add it ({NEEDED[key]})"
    if one["scale"] is None:
        return
    low, high = one["scale"]
    scale = f"[{low:g}, {high:g}]"
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        yield ("scale",), f"{scale} is no ascending range; write the lowest label, then the highest"
        return
    threshold = one["threshold"]
    if threshold is not None and not low <= threshold <= high:
        yield ("threshold",), f"is {threshold:g}, outside the scale {scale}; choose a label of it"
    for code in one["cannot_judge"]:
        if code in (low, high):
            yield (
                ("cannot_judge",),
                (f"holds {code:g}, an end of the scale {scale}; let the scale end before it"),
            )
    if not isinstance(one["gains"], str):
        yield from _gains(one)
    for threshold in one["sweep"]["thresholds"] or ():
        if not low <= threshold <= high:
            yield (
                ("sweep", "thresholds"),
                f"holds {threshold:g}, outside the scale {scale}; remove it",
            )
    for place, gains in enumerate(one["sweep"]["gains"] or ()):
        for _, sentence in _gains({**one, "gains": gains}):
            yield ("sweep", "gains", place), sentence


def _gains(one: Mapping[str, Any]) -> Problems:
    low, high = one["scale"]
    scale = f"[{low:g}, {high:g}]"
    at: Path = ("gains",)
    odd = [label for label in one["gains"] if not is_number(label)]
    if odd:
        yield at, f"has the key '{odd[0]}', which is no label; labels are numbers"
        return
    gains = _by_label(one["gains"])
    for label, gain in gains.items():
        if not low <= label <= high:
            yield at, f"has the label {label:g}, outside the scale {scale}; remove it"
        if not 0 <= gain <= 1:  # the schema bounds numbers, but NaN slips through
            yield (*at, f"{label:g}"), f"is {gain}; it must be a gain from 0 to 1"
    grades = range(math.ceil(low), math.floor(high) + 1)
    needed = (g for g in grades if g not in gains and g not in one["cannot_judge"])
    missing = list(itertools.islice(needed, 4))
    if missing:
        told = ", ".join(map(str, missing[:3])) + (", ..." if len(missing) > 3 else "")
        yield at, f"has no gain for label {told} of the scale {scale}; add it"
    best_last = sorted(gains, reverse=one["better"] == "low")
    for worse, better in itertools.pairwise(best_last):
        if gains[worse] > gains[better]:
            yield (
                at,
                (
                    f"gives label {worse:g} more than label {better:g}, although better is "
                    f"{one['better']}; turn one of them round"
                ),
            )
            return
