"""The config's `audit`: checked, and as the settings its step takes."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.audit.policies import SETS
from pipeline.audit.step import Audit
from pipeline.campaign import dimension_kind
from pipeline.campaign.problems import Path, Problems, nearest
from pipeline.errors import InputError
from pipeline.sources.paths import listed

_LABELS = "labels"  # the kind of dimension that can be read from other files


def audit(full: Mapping[str, Any]) -> Audit | None:
    """The checked audit, if there is one."""
    given = full["audit"]
    if given is None:
        return None
    return Audit(
        published=listed(given["published"]),
        policies=tuple(given["policies"]),
        measures=dict(given["measures"]),
        labels={
            name: {
                dimension: dimension_kind.KINDS[_LABELS]
                .made(dimension, _read(full, dimension, one))
                .settings
                for dimension, one in chosen.items()
            }
            for name, chosen in given["labels"].items()
        },
    )


def paths(given: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    """The keys that hold paths, with their values."""
    yield ("audit", "published"), given["published"]
    for name, chosen in given["labels"].items():
        for dimension, one in chosen.items():
            yield ("audit", "labels", name, dimension, "labels"), one["labels"]


def problems(full: Mapping[str, Any]) -> Problems:
    """What is wrong with it."""
    if full["audit"]:
        yield from _measures(full)
        yield from _labels(full)


def _measures(full: Mapping[str, Any]) -> Problems:
    """Published measures must be given in our words."""
    from pipeline import measures as engine

    for name, text in full["audit"]["measures"].items():
        try:
            measure = engine.parse(text, dimensions=list(full["dimensions"]))
        except InputError as error:
            yield ("audit", "measures", name), f": {error}"
            continue
        if measure.scored:
            yield (
                ("audit", "measures", name),
                f"is '{text}', which needs the systems' scores; the audit has none, remove it",
            )


def _labels(full: Mapping[str, Any]) -> Problems:
    """Other label files must be of dimensions with labels, and their scale as good as any."""
    labelled = [name for name, one in full["dimensions"].items() if one["labels"] is not None]
    for name, chosen in full["audit"]["labels"].items():
        at = ("audit", "labels", name)
        if name in SETS:
            yield at, "is the name of a set of policies there is; choose another"
        for dimension, one in chosen.items():
            if dimension not in labelled:
                hint = nearest(dimension, labelled, kind="dimensions with labels")
                yield (*at, dimension), f"is no dimension with labels; {hint}"
                continue
            read = _read(full, dimension, one)
            for path, sentence in dimension_kind.KINDS[_LABELS].problems(
                dimension, read, full=full
            ):
                yield (*at, dimension, *path), sentence


def _read(full: Mapping[str, Any], dimension: str, one: Mapping[str, Any]) -> dict[str, Any]:
    """A dimension as the config would have it with the other files: what they leave open stays."""
    own = full["dimensions"][dimension]
    given = {key: value for key, value in one.items() if value is not None}
    other_scale = {"gains": "linear"} if "scale" in given else {}
    return {**own, **other_scale, **given, "sets": {}, "sweep": {"thresholds": None, "gains": None}}
