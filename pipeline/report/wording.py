"""The format of numbers and names on the pages."""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from pipeline.statistics.letters import stretch

DASH = "–"  # noqa: RUF001
# How a run compares with the best one (board.from_best): its sign and its text.
SIGNS = {"best": "", "alike": "≈", "apart": "≠"}
RELATIONS = {"best": "the best", "alike": "not significantly different"}
RELATIONS |= {"apart": "significantly different"}


def number(value: float | str | None, places: int = 4) -> str:
    """A score, or a cell with one, with four decimals; a dash if it is missing."""
    if value is None or value == "" or math.isnan(float(value)):
        return DASH
    return signed(float(value), places)


def signed(value: float, places: int = 2) -> str:
    """A number with a typographic minus."""
    return f"{value:.{places}f}".replace("-", "−")  # noqa: RUF001


def p_value(p: float) -> str:
    """'p = 0.034', 'p < 0.001'."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st, ..."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """'1 run', '2 runs', '1,024 runs'."""
    return f"{number:,} {singular if number == 1 else plural or singular + 's'}"


def percent(share: float) -> str:
    """'12.5 %'."""
    return f"{share:.1%}".replace("%", " %")


def listing(names: Iterable[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def plain(value: object) -> str:
    """A configured value as text: lists with commas, mappings as key: value."""
    if value is None or value == "" or value == [] or value == {}:
        return DASH
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {plain(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(plain(item) for item in value)
    return str(value)


def breakable(text: str) -> Markup:
    """A long name with possible line breaks after commas and pluses."""
    return Markup(str(Markup.escape(text)).replace("+", "+<wbr>").replace(",", ",<wbr>"))


def slugs(teams: Iterable[str]) -> dict[str, str]:
    """A file name (without suffix) for each team, unique also if case is ignored."""
    names = {t: re.sub(r"[^A-Za-z0-9_-]+", "-", t)[:40].strip("-") or "team" for t in teams}
    count = Counter(name.lower() for name in names.values())
    digests = {team: hashlib.sha256(team.encode()).hexdigest()[:8] for team in names}
    return {
        team: name if name == team and count[name.lower()] == 1 else f"{name}-{digests[team]}"
        for team, name in names.items()
    }


def short_names(measures: Sequence[str]) -> dict[str, str]:
    """The shortest unique names of measures: `RBP`, `RBP 0.8 trust`, `H`.

    >>> list(short_names(["RBP(p=0.8)", "RBP(p=0.8, on=trust)", "H(AP, a=1)", "P@10"]).values())
    ['RBP 0.8', 'RBP 0.8 trust', 'H', 'P@10']
    """
    short: dict[str, str] = {}
    for way in (_bare, _with_values, str):
        candidates = {name: way(name) for name in measures if name not in short}
        count = Counter([*short.values(), *candidates.values()])
        short |= {name: name_ for name, name_ in candidates.items() if count[name_] == 1}
    return {name: short.get(name, name) for name in measures}


def _bare(measure: str) -> str:
    return re.sub(r"\(.*\)", "", measure)


def _with_values(measure: str) -> str:
    inside = re.findall(r"\((.*)\)", measure)
    values = [part.split("=")[-1].strip() for text in inside for part in text.split(",")]
    return " ".join([_bare(measure), *values])


def shown_short(measures: Sequence[str]) -> str:
    """A Vega expression for the short names of measures on an axis."""
    return f"{json.dumps(short_names(measures))}[datum.value]"


# Heads of tables for columns of files with other names.
HEADS = {"tau_b": "tau-b", "tau_ap_b": "tau-AP,b", "least_tau_b": "least tau-b"}
HEADS |= {"top10_changes": "top 10 changed"}


def headed(column: str) -> str:
    """A column of a file as the head of a table."""
    return HEADS.get(column, column.replace("_", " "))


_NUMBERS = (counted, number, ordinal, p_value, percent, signed)
_TEXTS = (breakable, headed, listing, plain, stretch)
FILTERS = {function.__name__: function for function in (*_NUMBERS, *_TEXTS)}
