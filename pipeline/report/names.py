"""Names: files of teams whatever a team calls itself, and short ones of measures."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence


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


def short_names(measures: Sequence[str]) -> dict[str, str]:
    """Measures by as little of their names as tells them apart: `RBP`, `RBP 0.8 trust`, `H`.

    >>> list(short_names(["RBP(p=0.8)", "RBP(p=0.8, on=trust)", "H(AP, a=1)", "P@10"]).values())
    ['RBP 0.8', 'RBP 0.8 trust', 'H', 'P@10']
    """
    found: dict[str, str] = {}
    for way in (_head, _values, str):
        made = {name: way(name) for name in measures if name not in found}
        taken = Counter([*found.values(), *made.values()])
        found |= {name: short for name, short in made.items() if taken[short] == 1}
    return {name: found.get(name, name) for name in measures}


def shown_short(measures: Sequence[str]) -> str:
    """A Vega expression that shows the measures of an axis by their short names."""
    return f"{json.dumps(short_names(measures))}[datum.value]"


def _head(measure: str) -> str:
    return re.sub(r"\(.*\)", "", measure)


def _values(measure: str) -> str:
    inside = re.search(r"\((.*)\)", measure)
    values = [part.split("=")[-1].strip() for part in inside[1].split(",")] if inside else []
    return " ".join([_head(measure), *values])
