"""Markdown made by code: tables, and pages in which they stand between markers."""

import re
from collections.abc import Callable, Iterable, Mapping

_PLACE = re.compile(r"<!-- ([\w-]+):begin -->\n(.*?)<!-- \1:end -->", re.DOTALL)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table; a bar inside a cell does not end it."""
    lines = [head, ("---",) * len(head), *rows]
    return "".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines
    )


def placed(text: str, tables: Mapping[str, Callable[[], str]]) -> str:
    """A page with each table between its markers, `<!-- name:begin -->` and `<!-- name:end -->`.

    What stands between other markers is left as it is.
    """

    def made(place: re.Match[str]) -> str:
        name = place[1]
        content = tables[name]() if name in tables else place[2]
        return f"<!-- {name}:begin -->\n{content}<!-- {name}:end -->"

    return _PLACE.sub(made, text)
