"""Which campaigns a paper uses are available here; its page says what it had to do without."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.errors import InputError
from pipeline.papers.paper import PAPERS, Given
from pipeline.sources.kind import KINDS, make
from pipeline.sources.places import Places
from pipeline.storage.atomic import atomic


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
    paper: str, settings: Mapping[str, Any], *, roles: Mapping[str, str], note: Path | None
) -> Given:
    """What a rerun works from: `roles` names the campaign in each, `note` those that are absent."""
    absent = read_absent(note) if note else {}
    missing = {role: absent[campaign] for role, campaign in roles.items() if campaign in absent}
    for role in PAPERS[paper].uses:
        if role not in roles:
            missing[role] = "The config names no campaign for it (uses)"
    folders = {role: Path("results", name) for role, name in roles.items() if role not in missing}
    return Given(settings=settings, folders=folders, absent=missing)
