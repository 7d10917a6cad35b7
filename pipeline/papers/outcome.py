"""The result of a rerun: printed figures with the recomputed ones, and the sections of its page."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.papers.published import ComparedFigure
from pipeline.report.charts import Chart, filled

Value = str | float | int | None | ComparedFigure


@dataclass(frozen=True)
class PageTable:
    """A table of the page, also written as tables/<name>.csv and .tex.

    A value is text, a number (shown with `places` decimals), None, or a ComparedFigure.
    """

    name: str
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Value]]
    places: int = 3
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class PageSection:
    """A section of the page: sentences, tables, charts. `name` is its id."""

    name: str
    title: str
    text: Sequence[str] = ()
    tables: Sequence[PageTable] = ()
    charts: Sequence[Chart] = ()


@dataclass(frozen=True, kw_only=True)
class RerunResult:
    """The content of a paper's page and tables; `findings` are at the top of the page."""

    cells: Sequence[ComparedFigure]
    sections: Sequence[PageSection]
    findings: Sequence[str] = ()


class Texts:
    """The texts of a paper's page, from a file: `== name: title` and paragraphs for each section.

    A paragraph may contain `{fields}`, which the rerun fills. A block `== table name: title` has
    the columns of a table, separated by ` | `, and its note. Charts are specified in the folder.
    """

    def __init__(self, path: Path) -> None:
        self._folder = path.parent
        self._blocks: dict[str, tuple[str, list[str]]] = {}
        for block in path.read_text(encoding="utf-8").split("== ")[1:]:
            head, _, body = block.partition("\n")
            name, _, title = head.partition(": ")
            paragraphs = [" ".join(paragraph.split()) for paragraph in body.strip().split("\n\n")]
            self._blocks[name] = title, paragraphs

    def section(
        self,
        name: str,
        *,
        tables: Sequence[PageTable] = (),
        charts: Sequence[Chart] = (),
        **fields: object,
    ) -> PageSection:
        """A section of the page; every field must occur in a paragraph."""
        title, paragraphs = self._blocks[name]
        text = [paragraph.format_map(fields) for paragraph in paragraphs]
        assert all(f"{{{field}" in "".join(paragraphs) for field in fields)
        return PageSection(name=name, title=title, text=text, tables=tables, charts=charts)

    def sentence(self, name: str, **fields: object) -> str:
        """The only paragraph of a block without a title."""
        return self.section(name, **fields).text[0]  # type: ignore[arg-type]

    def table(
        self, name: str, rows: Sequence[Sequence[Value]], *, places: int = 3, note: str = ""
    ) -> PageTable:
        """The table with this name; title, columns and note are from the file."""
        title, (columns, *notes) = self._blocks[f"table {name}"]
        return PageTable(name, title, columns.split(" | "), rows, places, note or " ".join(notes))

    def beside(self, name: str, cells: Iterable[ComparedFigure], *, of: str) -> PageTable:
        """The figures `of` one table of the paper with the recomputed ones."""
        figures = (cell for cell in cells if cell.printed.table == of)
        return side_by_side(figures, name, self._blocks[f"table {name}"][0])

    def chart(
        self,
        file: str,
        data: Mapping[str, Sequence[Any]],
        *,
        name: str,
        title: str,
        around: int = 60,
        wide: bool = False,
        **values: object,
    ) -> Chart:
        """The chart that a file beside the texts specifies, with its data by name."""
        spec = filled(str(self._folder / file), data, name=name, **values)
        return Chart(name=name, title=title, spec=spec, around=around, wide=wide)


def side_by_side(cells: Iterable[ComparedFigure], name: str, title: str) -> PageTable:
    """The figures in the layout of the paper's table."""
    at = {(cell.row, cell.column): cell for cell in cells}
    rows = list(dict.fromkeys(row for row, _ in at))
    columns = list(dict.fromkeys(column for _, column in at))
    if set(rows) == set(columns):  # a table of pairs: rows and columns in the same order
        columns = rows
    values = [(row, *(at.get((row, column)) for column in columns)) for row in rows]
    return PageTable(name, title, ("", *columns), values)
