"""What the schema takes from registries: lists (`x-choices`) and keys (`x-properties`) by name."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any


def _statistics() -> Iterable[str]:
    from pipeline.statistics.correlation.step import STATISTICS

    return STATISTICS


def _indices() -> Iterable[str]:
    from pipeline.pages.readability.index import INDICES

    return INDICES


def _engines() -> Iterable[str]:
    from pipeline.pages.readability.engine import ENGINES

    return ENGINES


def _user_models() -> Iterable[str]:
    from pipeline.pages.user_models.model import MODELS

    return MODELS


def _cleansing() -> Iterable[str]:
    from pipeline.pages.cleanse.method import METHODS

    return METHODS


def _run_formats() -> Iterable[str]:
    from pipeline.runs.format import FORMATS

    return FORMATS


def _generators() -> Iterable[str]:
    from pipeline.sources.generator import GENERATORS

    return GENERATORS


CHOICES: Mapping[str, Callable[[], Iterable[str]]] = {
    "cleansing": _cleansing,
    "engines": _engines,
    "generators": _generators,
    "indices": _indices,
    "run formats": _run_formats,
    "statistics": _statistics,
    "user models": _user_models,
}


def _of_sources() -> Iterable[Mapping[str, Any]]:
    from pipeline.sources.kind import KINDS

    return (kind.keys for kind in KINDS.values())


def _of_dimensions() -> Iterable[Mapping[str, Any]]:
    from pipeline.campaign.dimension_kind import KINDS

    return (kind.keys for kind in KINDS.values())


# Of each kind its keys, with their rules.
PROPERTIES: Mapping[str, Callable[[], Iterable[Mapping[str, Any]]]] = {
    "dimensions": _of_dimensions,
    "sources": _of_sources,
}
