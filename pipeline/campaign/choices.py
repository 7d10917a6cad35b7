"""The lists of the schema that are made from registries: `x-choices: <name>` stands for them.

A description shows the entries where it says `{choices}`.
"""

from collections.abc import Callable, Iterable, Mapping

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


CHOICES: Mapping[str, Callable[[], Iterable[str]]] = {
    "fusion": _fusion,
    "norms": _norms,
    "pooling": _pooling,
    "statistics": _statistics,
}


def described(name: str) -> str:
    """The entries of a list as the docs show them: each with what it is and whom to cite."""
    found = CHOICES[name]()
    assert isinstance(found, Catalogue)
    return ", ".join(
        f"`{one.name}` ({'; '.join(filter(None, (one.title, one.citation)))})"
        for one in found.values()
    )
