"""File names for teams, whatever a team calls itself."""

import hashlib
import re
from collections.abc import Iterable


def slugs(teams: Iterable[str]) -> dict[str, str]:
    """A file name (without ending) for each team: plain letters, no two alike on any disk."""
    teams = list(teams)
    plain = {team: _plain(team) for team in teams}
    taken = [name.lower() for name in plain.values()]
    return {
        team: name if name == team and taken.count(name.lower()) == 1 else f"{name}-{_mark(team)}"
        for team, name in plain.items()
    }


def _plain(team: str) -> str:
    kept = re.sub(r"[^A-Za-z0-9_-]+", "-", team)[:40].strip("-")
    return kept or "team"


def _mark(team: str) -> str:
    return hashlib.sha256(team.encode()).hexdigest()[:8]
