"""The step: a rerun, with all that it writes."""

import json
from pathlib import Path

from pipeline.papers.outcome import Outcome, Table
from pipeline.papers.page import render
from pipeline.papers.paper import PAPERS, Given
from pipeline.papers.published import Cell
from pipeline.report.tables import latex
from pipeline.storage import sheets
from pipeline.storage.atomic import atomic, atomic_folder

COLUMNS = ("table", "row", "column", "published", "ours", "difference", "verdict", "why", "where")


def rerun(
    name: str,
    *,
    paper: str,
    given: Given,
    page: Path,
    published: Path,
    charts: Path,
    tables: Path,
) -> None:
    """Run a paper's experiment again, and write its page, its printed figures and its tables."""
    declared = PAPERS[paper]
    outcome = declared(given)
    _write(render(name, declared, outcome, absent=given.absent), out=page)
    _write_published(outcome, out=published)
    drawn = [chart for section in outcome.sections for chart in section.charts]
    kept = {chart.name: chart.for_paper for chart in drawn}
    _write(json.dumps(kept, allow_nan=False) + "\n", out=charts)
    with atomic_folder(tables) as folder:
        for section in outcome.sections:
            for table in section.tables:
                made = _printable(table)
                latex.write_csv(made, out=folder / f"{table.name}.csv")
                latex.write_tex(made, out=folder / f"{table.name}.tex")


def _write(text: str, *, out: Path) -> None:
    with atomic(out) as draft:
        draft.write_text(text, encoding="utf-8", newline="\n")


def _write_published(outcome: Outcome, *, out: Path) -> None:
    rows = []
    for cell in outcome.cells:
        one = cell.printed
        place = (one.table, one.row, one.column, one.text)
        numbers = (_exact(cell.ours), _exact(cell.difference))
        rows.append([*place, *numbers, cell.verdict, cell.why, one.where])
    sheets.write(out, COLUMNS, rows)


def _exact(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _printable(table: Table) -> latex.Table:
    """A table for CSV and LaTeX: a Cell becomes ours, and what was printed."""
    rows = []
    for row in table.rows:
        cells = []
        for value in row:
            if isinstance(value, Cell):
                text = f"{value.shown} ({value.printed.text})"
            elif isinstance(value, float):
                text = f"{value:.{table.places}f}"
            else:
                text = "" if value is None else str(value)
            cells.append(latex.Cell(text, number=isinstance(value, Cell | float)))
        rows.append(tuple(cells))
    return latex.Table(
        caption=latex.escape(table.title),
        label=f"tab:{table.name}",
        columns=tuple(table.columns),
        heads=tuple(map(latex.escape, table.columns)),
        align="l" + "r" * (len(table.columns) - 1),
        rows=tuple(rows),
    )
