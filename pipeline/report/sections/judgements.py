"""Judgement sets of the same documents compared, a part for each dimension that has several."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.report.findings import Findings, Rows, table
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

FOLDER, SUBSTITUTED = "agreement/", ".swaps.csv"


@section(
    "judgements",
    place=140,
    template="judgements.html.j2",
    title="Judgements",
    needs=["agreement/*.swaps.csv"],
)
def judgements(results: Results) -> Content:
    """How far the sets agree, and what putting one in place of another does to the ranking."""
    tables = results.files.tables
    dimensions = sorted(
        name.removeprefix(FOLDER).removesuffix(SUBSTITUTED)
        for name in tables
        if name.startswith(FOLDER) and name.endswith(SUBSTITUTED)
    )
    found = {
        dimension: compared(
            sheets.read(tables[f"{FOLDER}{dimension}.csv"]),
            sheets.read(tables[f"{FOLDER}{dimension}{SUBSTITUTED}"]),
        )
        for dimension in dimensions
    }
    return Content({"dimensions": found}, ids=[f"judgements-{name}" for name in found])


@dataclass(frozen=True)
class Compared:
    """The sets of one dimension: those that share documents, and what the first swap does."""

    pairs: tuple[Mapping[str, str], ...]  # with `kappa` as it is printed
    swap: Mapping[str, str] | None
    findings: Findings


def compared(rows: Rows, substituted: Rows) -> Compared:
    """Of one dimension; `substituted` says how the runs rank with another set as the labels."""
    whole = [row for row in rows if row["topic"] == "all"]
    short = [key for key in whole[0] if not key.endswith(("_low", "_high"))]
    tables = (
        table("Over all topics", [_with_intervals(row, short) for row in whole], open=True),
        table("What a swap does to the ranking", substituted, open=True),
        table("By topic", [row for row in rows if row["topic"] != "all"], columns=short),
    )
    return Compared(
        pairs=tuple({**row, "kappa": _interval(row, "kappa")} for row in whole if row["kappa"]),
        swap=next((row for row in substituted[:1] if row["tau_b"]), None),
        findings=Findings(tables),
    )


def _with_intervals(row: Mapping[str, str], keys: Sequence[str]) -> dict[str, str]:
    return {key: _interval(row, key) if f"{key}_low" in row else row[key] for key in keys}


def _interval(row: Mapping[str, str], key: str) -> str:
    if not row[key]:
        return ""
    value = f"{float(row[key]):.3f}"
    if not row[f"{key}_low"]:
        return value
    return f"{value} [{float(row[f'{key}_low']):.3f}, {float(row[f'{key}_high']):.3f}]"
