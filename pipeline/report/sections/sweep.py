"""The ranking of the runs under other thresholds and gain maps than the campaign's."""

from collections.abc import Mapping
from dataclasses import dataclass

from pipeline.report.board import FEW
from pipeline.report.findings import Findings, Rows, Table, table
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

KINDS = {"threshold": "thresholds", "gains": "gain maps"}


@dataclass(frozen=True)
class Told:
    """What other readings of one dimension's labels do to the ranking."""

    dimension: str
    worst: Mapping[str, str]  # the row whose ranking is furthest from the campaign's own
    moved: bool  # whether any ranking differs from it
    leaders: tuple[Mapping[str, str], ...]  # the rows under which another run comes first


@section("sweep", place=120, template="sweep.html.j2", title="Sweep", needs=["sweep.csv"])
def sweep(results: Results) -> Content | None:
    """Where the ranking moves most, and all settings that were tried."""
    rows = sheets.read(results.files.tables["sweep.csv"])
    if not rows:
        return None
    dimensions = dict.fromkeys(row["dimension"] for row in rows)
    told = [told_of([row for row in rows if row["dimension"] == name]) for name in dimensions]
    return Content(
        {
            "findings": Findings(tuple(_tables(rows))),
            "moves": [one for one in told if one],
            "few": len(results.board.rows) <= FEW,
        }
    )


def told_of(rows: Rows) -> Told | None:
    """What the settings of one dimension show; None if there is no ranking to compare."""
    known = [row for row in rows if row["chosen"] == "0" and row["tau_b"]]
    if not known:
        return None
    own = {row["measure"]: row["leader"] for row in rows if row["chosen"] == "1"}
    return Told(
        dimension=rows[0]["dimension"],
        worst=min(known, key=lambda row: float(row["tau_b"])),
        moved=any(float(row["tau_b"]) < 1 for row in known),
        leaders=tuple(row for row in known if row["leader"] != own.get(row["measure"])),
    )


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
