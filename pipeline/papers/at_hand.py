"""Which campaigns a paper can have here: what is absent is said on its page, never made up."""

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


def at_hand(
    campaigns: Mapping[str, Mapping[str, Mapping[str, Any]]],
    *,
    places: Mapping[str, Places],
    out: Path,
) -> None:
    """Write which campaigns cannot be had here, and why: `{campaign: sentence}`, empty for none.

    `campaigns` has the sources of each. A source is at hand if it can be made, so it is made once
    here and thrown away; what came over the net is in the cache afterwards.
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


def absent_campaigns(note: Path) -> dict[str, str]:
    """What `at_hand` wrote."""
    found: dict[str, str] = json.loads(note.read_text(encoding="utf-8"))
    return found


def given(
    paper: str, settings: Mapping[str, Any], *, roles: Mapping[str, str], note: str | None
) -> Given:
    """What a rerun works from: `roles` names the campaign in each, `note` is what is absent."""
    absent = absent_campaigns(Path(note)) if note else {}
    untold = (role for role in PAPERS[paper].uses if role not in roles)
    return Given(
        settings=settings,
        folders={
            role: Path("results", campaign)
            for role, campaign in roles.items()
            if campaign not in absent
        },
        absent=dict.fromkeys(untold, "The config names no campaign for it (uses)")
        | {role: absent[campaign] for role, campaign in roles.items() if campaign in absent},
    )
