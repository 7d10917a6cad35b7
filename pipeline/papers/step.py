"""The step that reruns a paper and writes its page, tables and figures."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pipeline.papers.outcome import PageTable, RerunResult
from pipeline.papers.paper import PAPERS, Paper, PaperInputs
from pipeline.papers.published import VERDICTS, ComparedFigure
from pipeline.report import figures, latex
from pipeline.report.charts import look
from pipeline.report.markup import behaviour, environment, json_block, policy, script, style, vega
from pipeline.storage import sheets
from pipeline.storage.atomic import atomic_folder, write_text

COLUMNS = ("table", "row", "column", "published", "ours", "difference", "verdict", "why", "where")
_HERE = Path(__file__).parent


def rerun(name: str, *, paper: str, inputs: PaperInputs, out: Path) -> None:
    """Rerun a paper's experiment; write index.html, published.csv, tables/ and figures/."""
    declaration = PAPERS[paper]
    outcome = declaration.function(inputs)
    write_text(out / "index.html", render(name, declaration, outcome, absent=inputs.absent))
    sheets.write(out / "published.csv", COLUMNS, [_row(cell) for cell in outcome.cells])
    with atomic_folder(out / "tables") as folder:
        for table in (table for section in outcome.sections for table in section.tables):
            latex.write_csv(_printable(table), out=folder / f"{table.name}.csv")
            latex.write_tex(_printable(table), out=folder / f"{table.name}.tex")
    charts = [chart for section in outcome.sections for chart in section.charts]
    figures.write(charts, out=out / "figures")


def render(name: str, paper: Paper, outcome: RerunResult, *, absent: Mapping[str, str]) -> str:
    """The page as HTML: findings, sections, and all printed figures with the recomputed ones."""
    charts = [chart for section in outcome.sections for chart in section.charts]
    shown = {chart.name: chart.for_page for chart in charts}
    scripts = {"page": behaviour()} | ({"vega": script(vega())} if charts else {})
    verdicts = Counter(cell.verdict for cell in outcome.cells)
    templates = environment(_HERE)
    templates.tests["cell"] = lambda value: isinstance(value, ComparedFigure)
    html: str = templates.get_template("paper.html.j2").render(
        name=name,
        paper=paper,
        outcome=outcome,
        absent=absent,
        counts=[(v, meaning, verdicts[v]) for v, meaning in VERDICTS.items() if verdicts[v]],
        style=style() + (_HERE / "paper.css").read_text("utf-8"),
        data={"charts": json_block(shown), "look": json_block(look())},
        scripts=scripts,
        policy=policy(list(scripts.values())),
    )
    return html


def _row(cell: ComparedFigure) -> list[str]:
    printed = cell.printed
    numbers = ("" if value is None else f"{value:.6g}" for value in (cell.ours, cell.difference))
    return [*printed.key, printed.text, *numbers, cell.verdict, cell.why, printed.where]


def _printable(table: PageTable) -> latex.Table:
    """A table for CSV and LaTeX: a ComparedFigure becomes the recomputed figure (printed)."""
    rows = []
    for row in table.rows:
        cells = []
        for value in row:
            text = "" if value is None else str(value)
            if isinstance(value, ComparedFigure):
                text = f"{value.shown} ({value.printed.text})"
            elif isinstance(value, float):
                text = f"{value:.{table.places}f}"
            cells.append(latex.Cell(text, number=isinstance(value, ComparedFigure | float)))
        rows.append(tuple(cells))
    return latex.Table(
        caption=latex.escape(table.title),
        label=f"tab:{table.name}",
        columns=tuple(table.columns),
        heads=tuple(map(latex.escape, table.columns)),
        align="l" + "r" * (len(table.columns) - 1),
        rows=tuple(rows),
    )
