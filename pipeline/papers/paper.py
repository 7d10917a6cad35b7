"""The declaration of a paper: an experiment to rerun, its printed figures, and its inputs.

To add a paper, add a module with one such function to `reruns`, and beside it a table of the
printed figures (see `published`). Its config keys, its files and its page follow. A rule checks
which of its campaigns are available; the page reports those that are not.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, Section, Seed
from pipeline.errors import InputError
from pipeline.papers.outcome import RerunResult
from pipeline.registry import Catalogue, Declared
from pipeline.sources.kind import KINDS, make
from pipeline.sources.places import Places
from pipeline.storage.atomic import write_text

Settings = Mapping[str, Any]


class PaperKeys(Section):
    """The keys of every paper; a paper may declare further keys."""

    rerun: Annotated[StrictStr, Choice("paper")]
    """Published experiment to rerun."""
    uses: Mapping[StrictStr, StrictStr] = Field({}, json_schema_extra={"x-name": "role"})
    """The campaigns of this config whose results the paper uses, by role, for example
    `{clef2015: my-campaign}`. A role without a campaign is left out and reported on the page."""
    seed: Seed = 1
    """Seed of the random numbers; the same seed gives the same figures."""


@dataclass(frozen=True, kw_only=True)
class PaperInputs:
    """The inputs of a rerun: its settings, and the results of the available campaigns by role."""

    settings: Settings
    folders: Mapping[str, Path] = field(default_factory=dict)  # role: the campaign's results
    absent: Mapping[str, str] = field(default_factory=dict)  # role: why no campaign is available

    def file(self, role: str, name: str) -> Path:
        """A file of the campaign in a role; the paper declares it in `uses`."""
        return self.folders[role] / name


@dataclass(frozen=True, kw_only=True)
class Paper(Declared[[PaperInputs], RerunResult]):
    """A paper, declared above the function that reruns its experiment."""

    keys: type[PaperKeys] = PaperKeys  # the model of its config keys
    # The files of each campaign it uses, by role, and the full names of the measures that campaign
    # must compute.
    uses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    measures: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def module(self) -> str:
        return self.function.__module__


PAPERS = Catalogue("paper", "pipeline.papers.reruns", of=Paper)


def write_absent(
    campaigns: Mapping[str, Mapping[str, Mapping[str, Any]]],
    *,
    places: Mapping[str, Places],
    out: Path,
) -> None:
    """Write the unavailable campaigns with the reason: `{campaign: problem}`.

    `campaigns` has the sources of each campaign. A source is available if it can be fetched, so it
    is fetched once into a temporary folder; downloads stay in the cache.
    """
    reasons: dict[str, str] = {}
    for name, sources in campaigns.items():
        for source in (source for source in sources.values() if KINDS[source["kind"]].fetched):
            with tempfile.TemporaryDirectory(prefix="fathom-") as folder:
                try:
                    make(Path(folder, "source"), **source, places=places[name])
                except InputError as error:
                    reasons[name] = str(error)
    write_text(out, json.dumps(reasons, indent=1, sort_keys=True) + "\n")


def read_absent(note: Path) -> dict[str, str]:
    """The content of the file that `write_absent` wrote; empty if there is no such file."""
    return dict(json.loads(note.read_text("utf-8"))) if note.is_file() else {}


def paper_inputs(
    paper: str, settings: Settings, *, roles: Mapping[str, str], note: Path | None
) -> PaperInputs:
    """The inputs of a rerun: `roles` has the campaign by role, `note` the unavailable ones."""
    reasons = read_absent(note) if note else {}
    missing = {role: reasons[name] for role, name in roles.items() if name in reasons}
    unnamed = "The config names no campaign for it (uses)"
    missing |= {role: unnamed for role in PAPERS[paper].uses if role not in roles}
    folders = {role: Path("results", name) for role, name in roles.items() if role not in missing}
    return PaperInputs(settings=settings, folders=folders, absent=missing)
