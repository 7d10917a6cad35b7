"""What a kind of dimension is: the model of its config keys, and where its labels come from.

A kind is named by the config key that gives a dimension its source. A module in `dimension_kinds`
with one entry, and the rule that makes `<tables>/{dimension}.parquet`, is all a further kind takes:
the steps behind it read the table of labels, whichever kind it is of.
"""

from dataclasses import dataclass
from typing import Any

from pipeline.config.dimensions import DimensionKeys, Estimate, Labelled, Labels, Sweep
from pipeline.registry import Catalogue, Entry


@dataclass(frozen=True, kw_only=True)
class Kind(Entry):
    """A kind of dimension."""

    tables: str  # the folder of its tables of labels, below the campaign's results
    model: type[DimensionKeys]


KINDS = Catalogue("kind of dimension", "pipeline.campaign.dimension_kinds", of=Kind)


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """One dimension of relevance."""

    name: str
    keys: DimensionKeys
    settings: Any  # what its step reads

    @property
    def kind(self) -> Kind:
        return next(kind for kind in KINDS.values() if isinstance(self.keys, kind.model))

    @property
    def labels(self) -> Labels | None:
        """How human labels are read, if it has them: what pools, sweeps and audits ask for."""
        return self.settings if isinstance(self.settings, Labels) else None

    @property
    def estimate(self) -> Estimate | None:
        """How it is estimated from the pages' readability, if it is."""
        return self.settings if isinstance(self.settings, Estimate) else None

    @property
    def sweep(self) -> Sweep | None:
        """What the threshold sensitivity tries, if it has labels."""
        if self.labels is None or not isinstance(self.keys, Labelled):
            return None
        return Sweep(scale=self.labels.scale, **self.keys.sweep.model_dump())

    @property
    def sets(self) -> dict[str, Labels]:
        """How further judgement sets are read, by name: as its labels, from their own files."""
        if self.labels is None or not isinstance(self.keys, Labelled):
            return {}
        read = self.labels.model_copy
        return {name: read(update={"files": files}) for name, files in self.keys.sets.items()}

    @property
    def table(self) -> str:
        """Its table of labels, below the campaign's results."""
        return f"{self.kind.tables}/{self.name}.parquet"

    def described(self) -> dict[str, Any]:
        """What the report says of it."""
        described: dict[str, Any] = (
            self.labels.described() if self.labels else self.settings.model_dump()
        )
        return described
