"""What a rerun hands back: printed figures beside ours, and the sections of its page."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipeline.papers.published import Cell
from pipeline.report.chart import Chart

Value = str | float | int | None | Cell


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of the page, also written as tables/<name>.csv and .tex.

    A value is text, a number (shown to `places`), nothing, or a Cell: ours, with what was printed.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    places: int = 3
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Section:
    """A part of the page: sentences, tables, charts. `name` is its id."""

    name: str
    title: str
    text: Sequence[str] = ()
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Everything a paper's page and tables are made of; `findings` stand on top of the page."""

    cells: Sequence[Cell]
    sections: Sequence[Section]
    findings: Sequence[str] = ()


def side_by_side(cells: Iterable[Cell], *, name: str, title: str, note: str = "") -> Table:
    """The cells in the shape of the paper's table: a row a row, a column a column."""
    each = list(cells)
    columns = list(dict.fromkeys(cell.column for cell in each))
    rows = dict.fromkeys(cell.row for cell in each)
    at = {(cell.row, cell.column): cell for cell in each}
    return Table(
        name=name,
        title=title,
        columns=("", *columns),
        rows=[(row, *(at.get((row, column)) for column in columns)) for row in rows],
        note=note,
    )
