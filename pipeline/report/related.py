"""Measures of a campaign that are the same but for the dimensions they read."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipeline.errors import InputError
from pipeline.measures import parse
from pipeline.measures.measure import Single


class Related(NamedTuple):
    """A measure, the same one over the first dimension alone, and the dimension it has instead."""

    base: str
    measure: str
    dimension: str


def planes(measures: Sequence[str], *, dimensions: Sequence[str]) -> list[Related]:
    """The measures over another dimension alone: RBP(p=0.8, on=trust) beside RBP(p=0.8)."""
    known = _singles(measures, dimensions=dimensions)
    return [
        Related(base, name, dimension)
        for name, one in known.items()
        for (dimension, reading) in list(one.wanted.items())[:1]
        if len(one.wanted) == 1 and dimension != dimensions[0]
        if (base := _same(one, known, wanted={dimensions[0]: reading}))
    ]


def biased(measures: Sequence[str], *, dimensions: Sequence[str]) -> list[Related]:
    """The measures over the product with one further dimension: uRBP(p=0.8) beside RBP(p=0.8)."""
    known = _singles(measures, dimensions=dimensions)
    return [
        Related(base, name, further)
        for name, one in known.items()
        if len(one.wanted) == 2
        for first, further in [one.dimensions]
        if (base := _same(one, known, wanted={first: one.wanted[first]}))
    ]


def _same(one: Single, known: Mapping[str, Single], *, wanted: Mapping[str, str]) -> str | None:
    """The name of the same measure over these dimensions, if it is known."""
    for name, other in known.items():
        alike = other.declaration == one.declaration and other.cutoff == one.cutoff
        if alike and other.params == one.params and other.wanted == wanted:
            return name
    return None


def _singles(measures: Sequence[str], *, dimensions: Sequence[str]) -> dict[str, Single]:
    """The declared measures over one dimension or a product of some, by name."""
    found = {}
    for name in measures if dimensions else ():
        try:
            measure = parse(name, dimensions=dimensions)
        except InputError:  # not one of our measures, so related to none
            continue
        if isinstance(measure, Single) and measure.combination is None:
            found[name] = measure
    return found
