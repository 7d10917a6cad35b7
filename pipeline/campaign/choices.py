"""The lists of the schema that are made from registries: `x-choices: <name>` stands for them."""

from collections.abc import Callable, Iterable, Mapping


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


CHOICES: Mapping[str, Callable[[], Iterable[str]]] = {
    "cleansing": _cleansing,
    "engines": _engines,
    "indices": _indices,
    "run formats": _run_formats,
    "statistics": _statistics,
    "user models": _user_models,
}
