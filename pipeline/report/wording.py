"""Numbers and names as the pages print them."""

import math
from collections.abc import Iterable, Mapping, Sequence

from markupsafe import Markup

from pipeline.statistics.letters import stretch

DASH = "–"  # noqa: RUF001
# How a run stands to the best of a measure (certainty.from_best): its sign and its words.
SIGNS = {"best": "", "alike": "≈", "apart": "≠"}
TOLD = {"best": "the best", "alike": "not told apart", "apart": "told apart"}


def number(value: float | None, places: int = 4) -> str:
    """A score as the field prints it; a dash where there is none."""
    if value is None or math.isnan(value):
        return DASH
    return signed(value, places)


def signed(value: float, places: int = 2) -> str:
    """A number with a typographic minus."""
    return f"{value:.{places}f}".replace("-", "−")  # noqa: RUF001


def chance(p: float) -> str:
    """'p = 0.034', 'p < 0.001'."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th, 21st, ..."""
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """'1 run', '2 runs', '1,024 runs'."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def percent(share: float) -> str:
    """'12.5 %'."""
    return f"{share:.1%}".replace("%", " %")


def listing(names: Iterable[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def size(value: float) -> str:
    """Bytes for people: 912 B, 14.2 kB, 3.1 MB."""
    amount = float(value)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} B" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def plain(value: object) -> str:
    """A configured value in words: lists with commas, mappings as key: value."""
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
    """A long name that may be broken after a comma or a plus."""
    return Markup(str(Markup.escape(text)).replace("+", "+<wbr>").replace(",", ",<wbr>"))


# Columns of files that would not read well in the head of a table.
HEADS = {
    "tau_b": "tau-b",
    "tau_ap_b": "tau-AP,b",
    "least_tau_b": "least tau-b",
    "pages_tau_b": "tau-b of the pages",
    "top10_changes": "top 10 changed",
}


def headed(column: str) -> str:
    """A column of a file as the head of a table."""
    return HEADS.get(column, column.replace("_", " "))


FILTERS = {
    "breakable": breakable,
    "chance": chance,
    "counted": counted,
    "headed": headed,
    "listing": listing,
    "number": number,
    "ordinal": ordinal,
    "percent": percent,
    "plain": plain,
    "signed": signed,
    "size": size,
    "stretch": stretch,
}
