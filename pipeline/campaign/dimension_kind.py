"""Kinds of dimensions: the model of their config keys, and the source of their labels.

A kind has the name of the config key that sets the source of a dimension. A new kind is a module in
`dimension_kinds` with one entry, and a rule that writes `<tables>/{dimension}.parquet`. All later
steps read that table.
"""

from dataclasses import dataclass
from typing import Any

from pipeline.config.dimensions import DimensionKeys, Estimate, Labelled, Labels, Sweep
from pipeline.registry import Catalogue, Entry


@dataclass(frozen=True, kw_only=True)
class Kind(Entry):
    """A kind of dimension."""

    tables: str  # folder of its label tables, below the campaign's results
    model: type[DimensionKeys]


KINDS = Catalogue("kind of dimension", "pipeline.campaign.dimension_kinds", of=Kind)


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """One dimension of relevance."""

    name: str
    keys: DimensionKeys
    settings: Any  # the settings of its step

    @property
    def kind(self) -> Kind:
        return next(kind for kind in KINDS.values() if isinstance(self.keys, kind.model))

    @property
    def labels(self) -> Labels | None:
        return self.settings if isinstance(self.settings, Labels) else None

    @property
    def estimate(self) -> Estimate | None:
        return self.settings if isinstance(self.settings, Estimate) else None

    @property
    def sweep(self) -> Sweep | None:
        if self.labels is None or not isinstance(self.keys, Labelled):
            return None
        return Sweep(scale=self.labels.scale, **self.keys.sweep.model_dump())

    @property
    def sets(self) -> dict[str, Labels]:
        """How to read further judgement sets, by name: like its labels, from other files."""
        if self.labels is None or not isinstance(self.keys, Labelled):
            return {}
        copy = self.labels.model_copy
        return {name: copy(update={"files": files}) for name, files in self.keys.sets.items()}

    @property
    def table(self) -> str:
        """The path of its label table, below the campaign's results."""
        return f"{self.kind.tables}/{self.name}.parquet"

    def described(self) -> dict[str, Any]:
        return self.labels.described() if self.labels else dict(self.settings.model_dump())
