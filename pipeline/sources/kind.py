"""What a kind of source is: the model of its config keys, and how it is made.

A module in `kinds` with one such entry is all a further kind takes: the schema, the checks before
any job starts, the job itself and what the report says of the source follow.
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
    """A kind of source, for folders whose config has the key of its name.

    Settings are the values of its model's keys, with every default filled in.
    """

    model: type[Section]  # its own keys, and what they must agree on
    fetched: bool = False  # from elsewhere, so that it may not be had here

    @property
    def models(self) -> Mapping[str, type[Section]]:
        """The model by the value of the kind's key; under '' the one for any value."""
        return {"": self.model}

    def local_files(self, settings: Settings) -> Mapping[str, str]:
        """The keys that name a local file, which must be there before any job starts."""
        return {}

    def paths(self, settings: Settings) -> Mapping[str, Sequence[str]]:
        """The keys that name files to read, which may be of sources before it (`@source/...`)."""
        return {}

    def make(self, folder: Path, settings: Settings, places: Places) -> None:
        """Make the folder on this machine; it appears whole or not at all."""
        raise NotImplementedError

    def more(self, folder: Path, settings: Settings, places: Places) -> list[str]:
        """Files that this machine could now add to a folder which was made in part."""
        return []

    def described(self, settings: Settings) -> dict[str, Any]:
        """What the report says of it."""
        return dict(settings)


KINDS = Catalogue("kind of source", "pipeline.sources.kinds", of=SourceKind)


def make(folder: Path, *, kind: str, settings: Settings, places: Places | None = None) -> None:
    """Make one source folder as the campaign declares it; without places, from the net alone."""
    KINDS[kind].make(folder, settings, places or Places())
