"""Kinds of sources: the model of their config keys, and how their folder is built.

To add a kind, add a module with one such entry to `kinds`. The schema, the checks before any job
starts, the job and the description in the report follow from it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.config.base import Section
from pipeline.registry import Catalogue, Entry
from pipeline.sources.places import Places

Settings = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class SourceKind(Entry):
    """A kind of source, named after the config key that selects it; settings include defaults."""

    model: type[Section]  # its config keys, and checks across them
    fetched: bool = False  # fetched from elsewhere, so it may be unavailable

    @property
    def models(self) -> Mapping[str, type[Section]]:
        """The model for each value of the kind's key; '' stands for any value."""
        return {"": self.model}

    def local_files(self, settings: Settings) -> Mapping[str, str]:
        """The keys that name a local file, which must exist before any job starts."""
        return {}

    def paths(self, settings: Settings) -> Mapping[str, Sequence[str]]:
        """The keys that name files to read, also of earlier sources (`@source/...`)."""
        return {}

    def make(self, folder: Path, settings: Settings, places: Places) -> None:
        """Build the folder on this machine, atomically."""
        raise NotImplementedError

    def more(self, folder: Path, settings: Settings, places: Places) -> list[str]:
        """Files missing from an incomplete folder that are now available on this machine."""
        return []

    def described(self, settings: Settings) -> dict[str, Any]:
        """The description of the source in the report."""
        return dict(settings)


KINDS = Catalogue("kind of source", "pipeline.sources.kinds", of=SourceKind)


def make(folder: Path, *, kind: str, settings: Settings, places: Places | None = None) -> None:
    """Build a source folder from its settings; without `places`, from the network only."""
    KINDS[kind].make(folder, settings, places or Places())
