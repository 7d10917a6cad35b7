"""A dimension with human labels: files in qrels form and how they become gains."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.campaign.dimension_kind import Given, Kind
from pipeline.campaign.model import Dimension, Judging
from pipeline.campaign.problems import Path, Problems, is_number
from pipeline.judging.sweep import Sweep
from pipeline.labels.reading import Labels
from pipeline.labels.scale import Scale
from pipeline.sources.paths import listed

NEEDED = {
    "scale": "the lowest and highest label, as [0, 2]",
    "threshold": "the worst label that still counts in binary measures",
}


class Labelled(Kind):
    """What assessors said, on a scale."""

    def paths(self, one: Given) -> Iterator[tuple[Path, Any]]:
        """The labels, and those of further judgement sets."""
        yield ("labels",), one["labels"]
        if one["intents"]:
            yield ("intents",), one["intents"]
        for key, paths in one["sets"].items():
            yield ("sets", key), paths

    def problems(self, name: str, one: Given, *, full: Given) -> Problems:
        """Scale, threshold, codes and gains must fit each other."""
        yield from _scale(one)
        yield from _subtopics(one)
        if "labels" in one["sets"]:
            yield (
                ("sets", "labels"),
                "is the name of the dimension's own labels; choose another",
            )

    def made(self, name: str, one: Given) -> Dimension:
        """The checked dimension, and what is asked about its labels."""
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
            kind=self.name,
            settings=Labels(
                files=listed(one["labels"]),
                scale=scale,
                key=one["key"],
                conflict=one["conflict"],
                subtopics=one["subtopics"],
                intents=one["intents"],
            ),
            judging=Judging(
                sweep=_sweep(one["sweep"], scale=scale),
                sets={key: listed(paths) for key, paths in one["sets"].items()},
            ),
        )

    def described(self, dimension: Dimension) -> dict[str, Any]:
        """How its labels are read, in the words of the config."""
        assert dimension.labels is not None
        return dict(dimension.labels.described())

    def files(self, dimension: Dimension) -> tuple[str, ...]:
        """The label files."""
        assert dimension.labels is not None
        return dimension.labels.files

    def further(self, dimension: Dimension) -> Mapping[str, str]:
        """The weights of its subtopics."""
        assert dimension.labels is not None
        return {"intents": dimension.labels.intents} if dimension.labels.intents else {}


def _subtopics(one: Given) -> Problems:
    if one["subtopics"] and one["key"] == "document":
        yield ("subtopics",), "are of a topic, but key is 'document'; set key to topic"
    if one["intents"] and not one["subtopics"]:
        yield ("intents",), "has no meaning without subtopics: true; remove it, or add that"
    if one["intents"] and set("*?") & set(one["intents"]):
        yield ("intents",), f"is the glob '{one['intents']}'; name one file"


def _scale(one: Given) -> Problems:
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
    elif threshold == (low if one["better"] == "high" else high):
        yield (
            ("threshold",),
            f"is {threshold:g}, the worst label of the scale {scale}, so that every label counts; "
            "choose the worst one that is still good",
        )
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


def _sweep(one: Given, *, scale: Scale) -> Sweep:
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


def _gains(one: Given) -> Problems:
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


labelled = Labelled(
    name="labels",
    title="a labelled",
    order=1,
    tables="labels",
    reads=(
        *("labels", "scale", "better", "threshold", "gains", "cannot_judge", "key", "conflict"),
        *("subtopics", "intents", "sweep", "sets"),
    ),
)
