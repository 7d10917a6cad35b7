"""What the schema takes from registries: lists (`x-choices`) and keys (`x-properties`) by name.

A description shows the entries of a list where it says `{choices}`.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pipeline.registry import Catalogue


def _statistics() -> Iterable[str]:
    from pipeline.statistics.correlation.step import STATISTICS

    return STATISTICS


def _pooling() -> Iterable[str]:
    from pipeline.pooling.declaration import METHODS

    return METHODS


def _fusion() -> Iterable[str]:
    from pipeline.runs.fusion.declaration import METHODS

    return METHODS


def _norms() -> Iterable[str]:
    from pipeline.runs.fusion.declaration import NORMS

    return NORMS


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


def _retrieval_models() -> Iterable[str]:
    from pipeline.pages.baselines.model import MODELS

    return MODELS


def _run_formats() -> Iterable[str]:
    from pipeline.runs.format import FORMATS

    return FORMATS


def _generators() -> Iterable[str]:
    from pipeline.sources.generator import GENERATORS

    return GENERATORS


def _papers() -> Iterable[str]:
    from pipeline.papers.paper import PAPERS

    return PAPERS


CHOICES: Mapping[str, Callable[[], Iterable[str]]] = {
    "cleansing": _cleansing,
    "engines": _engines,
    "fusion": _fusion,
    "generators": _generators,
    "indices": _indices,
    "norms": _norms,
    "papers": _papers,
    "pooling": _pooling,
    "retrieval models": _retrieval_models,
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


def _of_papers() -> Iterable[Mapping[str, Any]]:
    from pipeline.papers.paper import PAPERS

    return (paper.keys for paper in PAPERS.values())


# Of each kind its keys, with their rules.
PROPERTIES: Mapping[str, Callable[[], Iterable[Mapping[str, Any]]]] = {
    "dimensions": _of_dimensions,
    "papers": _of_papers,
    "sources": _of_sources,
}


def described(name: str) -> str:
    """The entries of a list as the docs show them: each with what it is and whom to cite."""
    found = CHOICES[name]()
    assert isinstance(found, Catalogue)
    return ", ".join(
        f"`{one.name}` ({'; '.join(filter(None, (one.title, one.citation)))})"
        for one in found.values()
    )
