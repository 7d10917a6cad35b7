"""CSV files of ours: what a spreadsheet would take for a formula is marked, unmarked when read.

A run called `=HYPERLINK(...)` is a name to us and a program to a spreadsheet. Such text gets a
quote in front, as spreadsheets write it themselves; numbers stay as they are.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.storage.atomic import atomic

MARK = "'"
FORMULA = ("=", "+", "-", "@", "\t", "\r", MARK)  # the mark too, so that reading is exact


def marked(value: Any) -> Any:
    """A value as it stands in a cell.

    >>> [marked(value) for value in ("=1+1", "-0.12", "-team", "'s", "run", -0.12, None)]
    ["'=1+1", '-0.12', "'-team", "''s", 'run', -0.12, None]
    """
    if not isinstance(value, str) or not value.startswith(FORMULA) or _is_number(value):
        return value
    return f"{MARK}{value}"


def unmarked(cell: str) -> str:
    """The text of a cell.

    >>> [unmarked(cell) for cell in ("'=1+1", "-0.12", "''s", "run")]
    ['=1+1', '-0.12', "'s", 'run']
    """
    return cell.removeprefix(MARK)


def write(
    path: Path, head: Sequence[str], rows: Iterable[Mapping[str, Any]] | Iterable[Iterable[Any]]
) -> None:
    """Write a table, whole or not at all; a row is its values, or some of them by column."""
    names = set(head)
    with atomic(path) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        plain = csv.writer(file, lineterminator="\n")
        quoted = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
        plain.writerow(map(marked, head))
        for row in rows:
            if isinstance(row, Mapping):
                assert row.keys() <= names, row.keys() - names
                row = [row.get(name, "") for name in head]
            cells = [marked(value) for value in row]
            # A CR alone is no line end to the writer, but it is one to readers.
            odd = any(isinstance(cell, str) and "\r" in cell for cell in cells)
            (quoted if odd else plain).writerow(cells)


def lines(path: Path) -> Iterator[list[str]]:
    """The lines of a table, the first one its head."""
    with path.open(newline="", encoding="utf-8") as file:
        for line in csv.reader(file):
            yield [unmarked(cell) for cell in line]


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a table, by column."""
    found = lines(path)
    head = next(found, [])
    return [dict(zip(head, line, strict=True)) for line in found if line]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isprintable()  # float would take white space, and a spreadsheet what follows it
