"""Sections on judging: pool, thresholds, reusability, judgement sets, query variations."""

from collections.abc import Mapping
from typing import Any

from pipeline.report.board import FEW
from pipeline.report.markup import Rows
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.verdict import read_pooled
from pipeline.results import POOL_TABLES


@section("pool", order=110, template="pool.html.j2", title="Pool")
def pool(report: Report) -> Content | None:
    """The pool's tables; the template counts in them."""
    tables = report.tables(*map(report.results.pool_table, POOL_TABLES))
    if not tables:
        return None
    depth = next(key for key in tables[-1][0] if key.startswith("covered@")).removeprefix(
        "covered@"
    )
    return Content({"depth": depth, **dict(zip(POOL_TABLES, tables, strict=True))})


@section("sweep", order=120, template="sweep.html.j2", title="Sweep")
def sweep(report: Report) -> Content | None:
    """Where the ranking moves most, and all settings that were tried."""
    rows = report.rows(report.results.sweep)
    if not rows:
        return None
    columns = [key for key in rows[0] if key not in ("dimension", "kind", "chosen")]
    marked = [{**row, "setting": row["setting"] + " *" * (row["chosen"] == "1")} for row in rows]
    dimensions = dict.fromkeys(row["dimension"] for row in rows)
    effects = [_effect([row for row in rows if row["dimension"] == name]) for name in dimensions]
    return Content(
        {
            "columns": columns,
            "dimensions": dimensions,
            "rows": marked,
            "effects": [effect for effect in effects if effect],
            "few": len(report.board.rows) <= FEW,
        }
    )


def _effect(rows: Rows) -> dict[str, Any] | None:
    """What other settings of one dimension do to the ranking; None without one to compare."""
    others = [row for row in rows if row["chosen"] == "0" and row["tau_b"]]
    if not others:
        return None
    leader = {row["measure"]: row["leader"] for row in rows if row["chosen"] == "1"}
    worst = min(others, key=lambda row: float(row["tau_b"]))
    return {
        "dimension": rows[0]["dimension"],
        "worst": worst,  # the row whose ranking is furthest from the campaign's own
        "changed": float(worst["tau_b"]) < 1,
        "leaders": [row for row in others if row["leader"] != leader.get(row["measure"])],
    }


@section("reusability", order=130, template="reusability.html.j2", title="Reusability")
def reusability(report: Report) -> Content | None:
    """How far runs fall when their unique contributions to the pool become unjudged."""
    tables = report.tables(*map(report.results.reusability, ("summary", "runs")))
    if not tables:
        return None
    summary, runs = tables
    kinds = {
        kind: [row for row in runs if row["kind"] == kind]
        for kind in dict.fromkeys(row["kind"] for row in runs)
    }
    drops = [{"kind": kind, "rows": rows, **_drop(rows)} for kind, rows in kinds.items()]
    return Content({"summary": summary, "pooled": read_pooled(report), "drops": drops})


def _drop(rows: Rows) -> dict[str, Any]:
    """Of all teams (or runs) left out in turn: which run drops furthest, and how many fall."""

    def fall(row: Mapping[str, str]) -> int:
        return int(row["rank_out"]) - int(row["rank"])

    furthest = max(rows, key=fall)
    return {
        "furthest": furthest,
        "largest": fall(furthest),
        "runs": len({row["run"] for row in rows if fall(row) > 0}),
        # Of the runs that lead a measure, those that would not any more.
        "leaders": [row for row in rows if row["rank"] == "1" and row["rank_out"] != "1"],
    }


@section("judgements", order=140, template="judgements.html.j2", title="Judgements")
def judgements(report: Report) -> Content | None:
    """How far the sets agree, and how the runs rank with another set as the labels."""
    results = report.results
    dimensions = {
        name: _compared(*tables)
        for name in sorted(report.dimensions)
        if (tables := report.tables(results.agreement(name), results.agreement_swaps(name)))
    }
    ids = [f"judgements-{name}" for name in dimensions]
    return Content({"dimensions": dimensions}, ids=ids) if dimensions else None


def _compared(rows: Rows, substituted: Rows) -> dict[str, Any]:
    """The sets of one dimension: those that share documents, and what the first swap does."""
    whole = [row for row in rows if row["topic"] == "all"]
    short = [key for key in whole[0] if not key.endswith(("_low", "_high"))]
    return {
        "pairs": [{**row, "kappa": _interval(row, "kappa")} for row in whole if row["kappa"]],
        "swap": next((row for row in substituted[:1] if row["tau_b"]), None),
        "whole": [{key: _interval(row, key) for key in short} for row in whole],
        "substituted": substituted,
        "topics": [row for row in rows if row["topic"] != "all"],
        "columns": short,
    }


def _interval(row: Mapping[str, str], key: str) -> str:
    """A statistic with its interval, or a cell that has none as it is."""
    value, low, high = (row.get(f"{key}{end}", "") for end in ("", "_low", "_high"))
    if not value or f"{key}_low" not in row:
        return value
    interval = f" [{float(low):.3f}, {float(high):.3f}]" if low else ""
    return f"{float(value):.3f}{interval}"


@section("variations", order=150, template="variations.html.j2", title="Variations")
def variations(report: Report) -> Content | None:
    """Means over needs, and how far needs and wordings differ."""
    tables = report.tables(*map(report.results.variations, ("runs", "needs")))
    if not tables:
        return None
    runs, needs = tables
    queries = {row["need"]: int(row["queries"]) for row in needs}
    return Content({"runs": runs, "needs": needs, "queries": queries})
