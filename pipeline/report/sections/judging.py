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
    """The tables of the pool."""
    tables = report.tables(*map(report.results.pool_table, POOL_TABLES))
    if not tables:
        return None
    covered = next(key for key in tables[-1][0] if key.startswith("covered@"))
    depth = covered.removeprefix("covered@")
    return Content({"depth": depth, **dict(zip(POOL_TABLES, tables, strict=True))})


@section("sweep", order=120, template="sweep.html.j2", title="Threshold sensitivity")
def sweep(report: Report) -> Content | None:
    """The setting that changes the ranking most, and all settings."""
    rows = report.rows(report.results.sweep)
    if not rows:
        return None
    columns = [key for key in rows[0] if key not in ("dimension", "kind", "chosen")]
    marked = [{**row, "setting": row["setting"] + " *" * (row["chosen"] == "1")} for row in rows]
    dimensions = dict.fromkeys(row["dimension"] for row in rows)
    effects = [_effect([row for row in rows if row["dimension"] == name]) for name in dimensions]
    values = {"columns": columns, "dimensions": dimensions, "rows": marked}
    few = len(report.board.rows) <= FEW
    return Content(values | {"effects": [effect for effect in effects if effect], "few": few})


def _effect(rows: Rows) -> dict[str, Any] | None:
    others = [row for row in rows if row["chosen"] == "0" and row["tau_b"]]
    if not others:
        return None
    leader = {row["measure"]: row["leader"] for row in rows if row["chosen"] == "1"}
    worst = min(others, key=lambda row: float(row["tau_b"]))
    return {
        "dimension": rows[0]["dimension"],
        "worst": worst,  # the row with the most different ranking
        "changed": float(worst["tau_b"]) < 1,
        "leaders": [row for row in others if row["leader"] != leader.get(row["measure"])],
    }


@section("reusability", order=130, template="reusability.html.j2", title="Reusability")
def reusability(report: Report) -> Content | None:
    """The drop of runs in rank if their unique contributions to the pool become unjudged."""
    tables = report.tables(*map(report.results.reusability, ("summary", "runs")))
    if not tables:
        return None
    summary, runs = tables
    kinds = list(dict.fromkeys(row["kind"] for row in runs))
    drops = [_drop([row for row in runs if row["kind"] == kind]) for kind in kinds]
    return Content({"summary": summary, "pooled": read_pooled(report), "drops": drops})


def _drop(rows: Rows) -> dict[str, Any]:
    """Over all teams (or runs) left out in turn: the largest drop, and the number of runs."""

    def fall(row: Mapping[str, str]) -> int:
        return int(row["rank_out"]) - int(row["rank"])

    furthest = max(rows, key=fall)
    return {
        "kind": rows[0]["kind"],
        "rows": rows,
        "furthest": furthest,
        "largest": fall(furthest),
        "runs": len({row["run"] for row in rows if fall(row) > 0}),
        # The runs that lead under a measure and would not any more.
        "leaders": [row for row in rows if row["rank"] == "1" and row["rank_out"] != "1"],
    }


@section("judgements", order=140, template="judgements.html.j2", title="Judgements")
def judgements(report: Report) -> Content | None:
    """The agreement of judgement sets, and the rankings with another set as the labels."""
    results = report.results
    dimensions = {
        name: _compared(*tables)
        for name in sorted(report.dimensions)
        if (tables := report.tables(results.agreement(name), results.agreement_swaps(name)))
    }
    ids = [f"judgements-{name}" for name in dimensions]
    return Content({"dimensions": dimensions}, ids=ids) if dimensions else None


def _compared(rows: Rows, substituted: Rows) -> dict[str, Any]:
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
    value, low, high = (row.get(f"{key}{end}", "") for end in ("", "_low", "_high"))
    if not value or f"{key}_low" not in row:
        return value
    interval = f" [{float(low):.3f}, {float(high):.3f}]" if low else ""
    return f"{float(value):.3f}{interval}"


@section("variations", order=150, template="variations.html.j2", title="Variations")
def variations(report: Report) -> Content | None:
    """Means over needs, and the spread of needs and of wordings."""
    tables = report.tables(*map(report.results.variations, ("runs", "needs")))
    if not tables:
        return None
    runs, needs = tables
    queries = {row["need"]: int(row["queries"]) for row in needs}
    return Content({"runs": runs, "needs": needs, "queries": queries})
