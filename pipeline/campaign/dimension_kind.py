"""What a kind of dimension is: where its labels come from, and all the config knows about that.

A kind is named by the config key that gives a dimension its source. A module in
`dimension_kinds` with one entry, and the rule that makes `<tables>/{dimension}.parquet`, is all a
further kind takes: the steps behind it read the table of labels, whoever made it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pipeline.campaign.model import Dimension
from pipeline.campaign.problems import Path, Problems
from pipeline.registry import Catalogue, Entry

Given = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Kind(Entry):
    """A kind of dimension; `title` is what messages call such a one, as "an estimated"."""

    tables: str  # the folder of its tables of labels, below the campaign's results
    reads: tuple[str, ...]  # the keys of a dimension that mean something for it
    keys: Given = field(default_factory=dict)  # those with rules of its own, not in schema.yaml

    def each(self, name: str, one: Given) -> Iterator[tuple[str, Given]]:
        """The dimensions that one entry of the config stands for."""
        yield name, one

    def paths(self, one: Given) -> Iterator[tuple[Path, Any]]:
        """The keys that hold paths, with their values."""
        yield from ()

    def problems(self, name: str, one: Given, *, full: Given) -> Problems:
        """What no schema can say; `full` is the whole campaign."""
        yield from ()

    def made(self, name: str, one: Given) -> Dimension:
        """The checked dimension."""
        raise NotImplementedError

    def files(self, dimension: Dimension) -> tuple[str, ...]:
        """The patterns of the files its labels are made from, if they are."""
        return ()

    def further(self, dimension: Dimension) -> Mapping[str, str]:
        """Further files they are made from, by the key that names each."""
        return {}

    def table(self, dimension: Dimension) -> str:
        """Its table of labels, below the campaign's results."""
        return f"{self.tables}/{dimension.name}.parquet"

    def described(self, dimension: Dimension) -> dict[str, Any]:
        """What the report says of it."""
        return asdict(dimension.settings)


KINDS = Catalogue("kind of dimension", "pipeline.campaign.dimension_kinds", of=Kind)


def of(dimension: Dimension) -> Kind:
    """The kind of a checked dimension."""
    return KINDS[dimension.kind]
