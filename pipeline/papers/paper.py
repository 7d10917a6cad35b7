"""What a paper is: an experiment to run again, the figures it printed, what it needs.

A module in `reruns` with one such function is all a further paper takes, with a table of what was
printed beside it (see `published`): its keys in the config, its files and its page follow. Which of
the campaigns it uses are available is noted before; its page says what it had to do without.
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
from pipeline.storage.atomic import atomic

Settings = Mapping[str, Any]


class PaperKeys(Section):
    """The keys of every paper; a paper declares its own beside them."""

    rerun: Annotated[StrictStr, Choice("paper")]
    """The paper: {choices}."""
    uses: Mapping[StrictStr, StrictStr] = Field({}, json_schema_extra={"x-name": "role"})
    """The campaigns of this config it takes results of, each by its role in the paper, for example
    `{clef2015: my-campaign}`. A role without a campaign is left out, and the page says so."""
    seed: Seed = 1
    """Seed of all draws; the same seed gives the same figures."""


@dataclass(frozen=True, kw_only=True)
class PaperInputs:
    """What a rerun works from: its settings, and results of the available campaigns by role."""

    settings: Settings
    folders: Mapping[str, Path] = field(default_factory=dict)  # role: the campaign's results
    absent: Mapping[str, str] = field(default_factory=dict)  # role: why there is no campaign

    def file(self, role: str, name: str) -> Path:
        """A file of the campaign in a role, one of those the paper declares in `uses`."""
        return self.folders[role] / name


@dataclass(frozen=True, kw_only=True)
class Paper(Declared[[PaperInputs], RerunResult]):
    """A paper, declared above the function that reruns its experiment."""

    keys: type[PaperKeys] = (
        PaperKeys  # the model of its keys in the config, beside those of all papers
    )
    # The campaigns it takes results of, by their role in the paper: which files of each, and which
    # measures each must compute, by their full names.
    uses: Mapping[str, Sequence[str]] = field(default_factory=dict)
    measures: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def module(self) -> str:
        """Where it is declared."""
        return self.function.__module__


PAPERS = Catalogue("paper", "pipeline.papers.reruns", of=Paper)


def write_absent(
    campaigns: Mapping[str, Mapping[str, Mapping[str, Any]]],
    *,
    places: Mapping[str, Places],
    out: Path,
) -> None:
    """Write which campaigns are not available, and why: `{campaign: problem}`, empty for none.

    `campaigns` has the sources of each. A source is available if it can be fetched, so it is
    fetched once into a temporary folder; what came over the net is in the cache afterwards.
    """
    absent: dict[str, str] = {}
    for name, sources in campaigns.items():
        for source in sources.values():
            if not KINDS[source["kind"]].fetched:
                continue
            with tempfile.TemporaryDirectory(prefix="fathom-") as folder:
                try:
                    make(Path(folder, "source"), **source, places=places[name])
                except InputError as error:
                    absent[name] = str(error)
    with atomic(out) as draft:
        draft.write_text(json.dumps(absent, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_absent(note: Path) -> dict[str, str]:
    """What `write_absent` wrote; nothing where it has not run."""
    absent: dict[str, str] = json.loads(note.read_text("utf-8")) if note.is_file() else {}
    return absent


def given(
    paper: str, settings: Settings, *, roles: Mapping[str, str], note: Path | None
) -> PaperInputs:
    """What a rerun works from: `roles` names the campaign in each, `note` those that are absent."""
    absent = read_absent(note) if note else {}
    missing = {role: absent[campaign] for role, campaign in roles.items() if campaign in absent}
    for role in PAPERS[paper].uses:
        if role not in roles:
            missing[role] = "The config names no campaign for it (uses)"
    folders = {role: Path("results", name) for role, name in roles.items() if role not in missing}
    return PaperInputs(settings=settings, folders=folders, absent=missing)
