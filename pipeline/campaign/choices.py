"""The lists of the schema that are made from registries: `x-choices: <name>` stands for them."""

from collections.abc import Callable, Iterable, Mapping


def _statistics() -> Iterable[str]:
    from pipeline.statistics.correlation.step import STATISTICS

    return STATISTICS


CHOICES: Mapping[str, Callable[[], Iterable[str]]] = {
    "statistics": _statistics,
}
