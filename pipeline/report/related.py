"""Measures of a campaign that are the same but for the dimensions they read."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pipeline.errors import InputError
from pipeline.measures import Measure, parse
from pipeline.measures.measure import Single


class Related(NamedTuple):
    """A measure, the same one over the first dimension alone, and the dimension it has instead."""

    base: str
    measure: str
    dimension: str


def planes(measures: Sequence[str], *, dimensions: Sequence[str]) -> list[Related]:
    """The measures over another dimension alone: RBP(p=0.8, on=trust) beside RBP(p=0.8)."""
    found = []
    known = _singles(measures, dimensions=dimensions)
    for name, one in known.items():
        (dimension, reading), *further = one.wanted.items()
        base = _same(one, known, wanted={dimensions[0]: reading})
        if base and not further and dimension != dimensions[0]:
            found.append(Related(base, name, dimension))
    return found


def biased(measures: Sequence[str], *, dimensions: Sequence[str]) -> list[Related]:
    """The measures over the product with one further dimension: uRBP(p=0.8) beside RBP(p=0.8)."""
    found = []
    known = _singles(measures, dimensions=dimensions)
    for name, one in known.items():
        first, *further = one.dimensions
        base = _same(one, known, wanted={first: one.wanted[first]})
        if base and len(further) == 1:
            found.append(Related(base, name, further[0]))
    return found


def known_measures(measures: Sequence[str], *, dimensions: Sequence[str]) -> dict[str, Measure]:
    """The measures that are declared here, by name."""
    found = {}
    for name in measures if dimensions else ():
        try:
            found[name] = parse(name, dimensions=dimensions)
        except InputError:  # not one of our measures, so related to none
            continue
    return found


def _singles(measures: Sequence[str], *, dimensions: Sequence[str]) -> dict[str, Single]:
    """The declared measures over one dimension or a product of some, by name."""
    known = known_measures(measures, dimensions=dimensions).items()
    return {n: one for n, one in known if isinstance(one, Single) and one.combination is None}


def _same(one: Single, known: Mapping[str, Single], *, wanted: Mapping[str, str]) -> str | None:
    """The name of the same measure over these dimensions, if it is known."""
    key = (one.declaration, one.cutoff, one.params, wanted)
    other = ((n, (o.declaration, o.cutoff, o.params, o.wanted)) for n, o in known.items())
    return next((name for name, its_key in other if its_key == key), None)
