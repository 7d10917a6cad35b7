"""CSV files of results, safe to open in a spreadsheet.

A spreadsheet would execute a run name such as `=HYPERLINK(...)` as a formula. Such text is written
with a quote in front, as spreadsheets do it themselves, and read without; numbers stay as they are.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.storage.atomic import atomic

if TYPE_CHECKING:
    from pipeline.storage.arrays import Floats

MARK = "'"
FORMULA = ("=", "+", "-", "@", "\t", "\r", MARK)  # the mark too, so that reading inverts writing


def marked(value: Any) -> Any:
    """A value as it is written into a cell, with a quote in front of what looks like a formula.

    >>> [marked(value) for value in ("=1+1", "-0.12", "-team", "'s", "run", -0.12, None)]
    ["'=1+1", '-0.12', "'-team", "''s", 'run', -0.12, None]
    """
    if not isinstance(value, str) or not value.startswith(FORMULA) or _is_number(value):
        return value
    return f"{MARK}{value}"


def unmarked(cell: str) -> str:
    """The text of a cell, without the quote that `marked` adds.

    >>> [unmarked(cell) for cell in ("'=1+1", "-0.12", "''s", "run")]
    ['=1+1', '-0.12', "'s", 'run']
    """
    return cell.removeprefix(MARK)


def decimals(value: float) -> str:
    """A number with six decimals; blank for NaN.

    >>> [decimals(value) for value in (0.5, -1e-9, float("nan"))]
    ['0.500000', '0.000000', '']
    """
    text = "" if value != value else f"{value:.6f}"
    return "0.000000" if text == "-0.000000" else text


def write(
    path: Path, head: Sequence[str], rows: Iterable[Mapping[str, Any]] | Iterable[Iterable[Any]]
) -> None:
    """Write a CSV file atomically; a row is a sequence of values, or a mapping by column."""
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
            # The writer does not quote a lone CR, but readers take it for a line end.
            carriage_return = any(isinstance(cell, str) and "\r" in cell for cell in cells)
            (quoted if carriage_return else plain).writerow(cells)


AT_ONCE = 4096  # rows of a long table that are written together


def write_long(
    path: Path, head: Sequence[str], *, texts: Sequence[Sequence[str]], numbers: Sequence["Floats"]
) -> None:
    """Write columns, texts first, five times as fast as `write`; NaN is blank."""
    cells = {text: _cell(text) for column in texts for text in set(column)}
    with atomic(path) as draft, draft.open("w", newline="", encoding="utf-8") as file:
        file.write(",".join(map(_cell, head)) + "\n")
        for start in range(0, len(numbers[0]), AT_ONCE):
            chunk = slice(start, start + AT_ONCE)
            # + 0.0 turns -0.0, which would print a sign, into 0.0.
            values = ((column[chunk] + 0.0).tolist() for column in numbers)
            figures = (["" if v != v else f"{v:.6g}" for v in column] for column in values)
            names = ([cells[text] for text in column[chunk]] for column in texts)
            file.writelines(",".join(row) + "\n" for row in zip(*names, *figures, strict=True))


def _cell(text: str) -> str:
    """A text as it is written into a line; quoted if it holds a lone CR, which `excel` does not."""
    line = io.StringIO()
    dialect = csv.unix_dialect if "\r" in text else csv.excel  # the first quotes all
    writer = csv.writer(line, dialect, lineterminator="\n")
    writer.writerow([marked(text), 0])  # an empty cell alone would be quoted
    return line.getvalue().removesuffix("\n").rpartition(",")[0]


def lines(path: Path) -> Iterator[list[str]]:
    """The lines of a table; the first is the header."""
    with path.open(newline="", encoding="utf-8") as file:
        for line in csv.reader(file):
            yield [unmarked(cell) for cell in line]


def read(path: Path) -> list[dict[str, str]]:
    """The rows of a table, by column."""
    rows = lines(path)
    head = next(rows, [])
    return [dict(zip(head, line, strict=True)) for line in rows if line]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return text.isprintable()  # float accepts white space around a number
