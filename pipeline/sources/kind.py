"""What a kind of source is: the config keys it reads, what may be wrong, and how it is made.

A module in `kinds` with one such entry is all a further kind takes: the schema, the checks before
any job starts, the job itself and what the report says of the source follow.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.registry import Catalogue, Entry
from pipeline.sources.places import Places, here
from pipeline.storage.atomic import atomic

Settings = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Kind(Entry):
    """A kind of source, for folders whose config has the key of its name.

    Settings are the values of its own keys, with every default filled in.
    """

    keys: Mapping[str, Settings]  # its own keys, and the schema of each
    fetched: bool = False  # from elsewhere, so that it may not be had here

    def settled(self, settings: Settings) -> dict[str, Any]:
        """The settings in their plain form."""
        return dict(settings)

    def problems(self, settings: Settings) -> Iterator[tuple[str, str]]:
        """What no schema can say: a key, and a sentence about it."""
        yield from ()

    def local_files(self, settings: Settings) -> Mapping[str, str]:
        """The keys that name a local file, which must be there before any job starts."""
        return {}

    def paths(self, settings: Settings) -> Mapping[str, Sequence[str]]:
        """The keys that name files to read, which may be of sources before it (`@source/...`)."""
        return {}

    def make(self, folder: Path, settings: Settings) -> None:
        """Make the folder; it appears whole or not at all."""
        raise NotImplementedError

    def make_at(self, places: Places, folder: Path, settings: Settings) -> None:
        """Make the folder on this machine; a kind that fetches overrides this one."""
        self.make(folder, settings)

    def more(self, places: Places, folder: Path, settings: Settings) -> list[str]:
        """Files that this machine could now add to a folder which was made in part."""
        return []

    def described(self, settings: Settings) -> dict[str, Any]:
        """What the report says of it."""
        return dict(settings)


KINDS = Catalogue("kind of source", "pipeline.sources.kinds", of=Kind)


def mark(
    path: Path,
    *,
    folder: Path,
    kind: str,
    settings: Settings,
    places: tuple[Mapping[str, Any], str],
) -> None:
    """Keep a file that changes when more of a source could be made: with the files to add.

    `places` are the config and the campaign whose places count.
    """
    try:
        more = KINDS[kind].more(here(places[0], campaign=places[1]), folder, settings)
    except InputError:  # the job tells it, if there is one
        more = []
    told = "".join(f"{name}\n" for name in sorted(more))
    if not path.exists() or (more and path.read_text(encoding="utf-8") != told):
        with atomic(path) as draft:
            draft.write_text(told, encoding="utf-8")


def make(folder: Path, *, kind: str, settings: Settings, places: Places | None = None) -> None:
    """Make one source folder as the campaign declares it; without places, from the net alone."""
    KINDS[kind].make_at(places or Places(), folder, settings)
