"""The ranking of the runs under other thresholds and gain maps than the campaign's."""

from pipeline.report.findings import Findings, Rows, Table, table
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.report.wording import counted
from pipeline.storage import sheets

KINDS = {"threshold": "thresholds", "gains": "gain maps"}


@section("sweep", place=120, template="sweep.html.j2", title="Sweep", needs=["sweep.csv"])
def sweep(results: Results) -> Content | None:
    """Where the ranking moves most, and all settings that were tried."""
    rows = sheets.read(results.files.tables["sweep.csv"])
    if not rows:
        return None
    return Content({"findings": Findings(tuple(_sentences(rows)), tuple(_tables(rows)))})


def _sentences(rows: Rows) -> list[str]:
    text = []
    for dimension in dict.fromkeys(row["dimension"] for row in rows):
        known = [
            row
            for row in rows
            if row["dimension"] == dimension and row["chosen"] == "0" and row["tau_b"]
        ]
        if known:
            worst = min(known, key=lambda row: float(row["tau_b"]))
            text.append(
                f"{dimension.capitalize()}: the ranking moves most at {worst['setting']} under "
                f"{worst['measure']} (tau-b {float(worst['tau_b']):.3f} with the one above, "
                f"{counted(int(worst['top10_changes']), 'run')} of its top 10 replaced)."
            )
    return text


def _tables(rows: Rows) -> list[Table]:
    columns = [key for key in rows[0] if key not in ("dimension", "kind", "chosen")]
    tables: list[Table] = []
    for dimension in dict.fromkeys(row["dimension"] for row in rows):
        for kind, word in KINDS.items():
            mine = [r for r in rows if r["dimension"] == dimension and r["kind"] == kind]
            shown = [{**r, "setting": r["setting"] + " *" * (r["chosen"] == "1")} for r in mine]
            caption = f"{dimension.capitalize()}: {word}"
            tables.append(table(caption, shown, columns=columns, open=not tables))
    return [table for table in tables if table.rows]
