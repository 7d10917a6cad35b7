"""Folders that a job makes before anything else, and where they are taken from."""

from typing import Annotated

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, Number, Section, Seed, Text


class Fetch(Section):
    """Where sources are taken from and kept; it changes no result."""

    mirror: Text | None = None
    """A folder with repositories as `<host>/<owner>/<name>`, git repositories or plain files, and
    fetched files as `<host>/<path>`, to work without a network. The environment's `FATHOM_MIRROR`
    takes precedence."""
    cache: Text | None = None
    """The folder that keeps what was fetched, for all campaigns; the user's cache folder when null.
    The environment's `FATHOM_CACHE` takes precedence."""
    deadline: Number = Field(3600, ge=1)
    """The most seconds that fetching one source may take."""
    limit: Number = Field(10, gt=0)
    """The most gigabytes that a fetched file, or what an archive unpacks to, may have."""


class Generated(Section):
    """What a declared generator writes; its own keys stand beside these."""

    generate: Annotated[StrictStr, Choice("generator")]
    """Make the folder by a generator instead of fetching it: {choices}."""
    seed: Seed = 1
    """Seed of the generator; the same seed gives the same files."""
