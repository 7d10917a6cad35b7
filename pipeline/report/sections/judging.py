"""Sections on judging: pool, thresholds, reusability, judgement sets, query variations."""

from collections.abc import Mapping
from typing import Any

from pipeline.report.board import FEW
from pipeline.report.markup import Rows, Table, table
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.verdict import read_pooled
from pipeline.results import POOL_TABLES

KINDS = {"threshold": "thresholds", "gains": "gain maps"}


@section("pool", place=110, template="pool.html.j2", title="Pool")
def pool(report: Report) -> Content | None:
    """The pool's tables; the template counts in them."""
    found = report.tables(*map(report.results.pool_table, POOL_TABLES))
    if not found:
        return None
    topics, teams, overlap, runs = found
    depth = next(key for key in runs[0] if key.startswith("covered@")).removeprefix("covered@")
    tables = (
        table("Teams", teams, open=True),
        table(f"Coverage of each run's first {depth}", runs),
        table("Overlap between teams", overlap),
        table("Topics", topics),
    )
    return Content({"tables": tables, "topics": topics, "teams": teams, "runs": runs})


@section("sweep", place=120, template="sweep.html.j2", title="Sweep")
def sweep(report: Report) -> Content | None:
    """Where the ranking moves most, and all settings that were tried."""
    rows = report.rows(report.results.sweep)
    if not rows:
        return None
    columns = [key for key in rows[0] if key not in ("dimension", "kind", "chosen")]
    tables: list[Table] = []
    moves = []
    for dimension in dict.fromkeys(row["dimension"] for row in rows):
        own = [row for row in rows if row["dimension"] == dimension]
        moves += [_moves(own)]
        for kind, word in KINDS.items():
            settings = [
                {**row, "setting": row["setting"] + " *" * (row["chosen"] == "1")}
                for row in own
                if row["kind"] == kind
            ]
            caption = f"{dimension.capitalize()}: {word}"
            tables.append(table(caption, settings, columns=columns, open=not tables))
    few = len(report.board.rows) <= FEW
    return Content({"tables": tables, "moves": [one for one in moves if one], "few": few})


def _moves(rows: Rows) -> dict[str, Any] | None:
    """What other settings of one dimension do to the ranking; None without one to compare."""
    known = [row for row in rows if row["chosen"] == "0" and row["tau_b"]]
    if not known:
        return None
    own = {row["measure"]: row["leader"] for row in rows if row["chosen"] == "1"}
    worst = min(known, key=lambda row: float(row["tau_b"]))
    return {
        "dimension": rows[0]["dimension"],
        "worst": worst,  # the row whose ranking is furthest from the campaign's own
        "moved": float(worst["tau_b"]) < 1,
        "leaders": [row for row in known if row["leader"] != own.get(row["measure"])],
    }


@section("reusability", place=130, template="reusability.html.j2", title="Reusability")
def reusability(report: Report) -> Content | None:
    """How far runs fall when their unique contributions to the pool become unjudged."""
    found = report.tables(*map(report.results.reusability, ("summary", "runs")))
    if not found:
        return None
    summary, runs = found
    kinds = {
        kind: [row for row in runs if row["kind"] == kind]
        for kind in dict.fromkeys(row["kind"] for row in runs)
    }
    tables = [table("By measure", summary, open=True)]
    tables += [table(f"Each {kind} left out", rows) for kind, rows in kinds.items()]
    falls = [{"kind": kind, **_falls(rows)} for kind, rows in kinds.items()]
    return Content({"tables": tables, "pooled": read_pooled(report), "falls": falls})


def _falls(rows: Rows) -> dict[str, Any]:
    """Of all teams (or runs) left out in turn: which run falls furthest, and how many fall."""

    def fall(row: Mapping[str, str]) -> int:
        return int(row["rank_out"]) - int(row["rank"])

    furthest = max(rows, key=fall)
    return {
        "furthest": furthest,
        "fall": fall(furthest),
        "fallen": len({row["run"] for row in rows if fall(row) > 0}),
        # Of the runs that lead a measure, those that would not any more.
        "leaders": [row for row in rows if row["rank"] == "1" and row["rank_out"] != "1"],
    }


@section("judgements", place=140, template="judgements.html.j2", title="Judgements")
def judgements(report: Report) -> Content | None:
    """How far the sets agree, and how the runs rank with another set as the labels."""
    results = report.results
    found = {
        name: _compared(*tables)
        for name in sorted(report.dimensions)
        if (tables := report.tables(results.agreement(name), results.agreement_swaps(name)))
    }
    ids = [f"judgements-{name}" for name in found]
    return Content({"dimensions": found}, ids=ids) if found else None


def _compared(rows: Rows, substituted: Rows) -> dict[str, Any]:
    """The sets of one dimension: those that share documents, and what the first swap does."""
    whole = [row for row in rows if row["topic"] == "all"]
    short = [key for key in whole[0] if not key.endswith(("_low", "_high"))]
    shown = [{key: _interval(row, key) for key in short} for row in whole]
    return {
        "pairs": [{**row, "kappa": _interval(row, "kappa")} for row in whole if row["kappa"]],
        "swap": next((row for row in substituted[:1] if row["tau_b"]), None),
        "tables": (
            table("Over all topics", shown, open=True),
            table("What a swap does to the ranking", substituted, open=True),
            table("By topic", [row for row in rows if row["topic"] != "all"], columns=short),
        ),
    }


def _interval(row: Mapping[str, str], key: str) -> str:
    """A statistic with its interval, or a cell that has none as it is."""
    value, low, high = (row.get(f"{key}{end}", "") for end in ("", "_low", "_high"))
    if not value or f"{key}_low" not in row:
        return value
    interval = f" [{float(low):.3f}, {float(high):.3f}]" if low else ""
    return f"{float(value):.3f}{interval}"


@section("variations", place=150, template="variations.html.j2", title="Variations")
def variations(report: Report) -> Content | None:
    """Means over needs, and how far needs and wordings differ."""
    found = report.tables(*map(report.results.variations, ("runs", "needs")))
    if not found:
        return None
    runs, needs = found
    queries = {row["need"]: int(row["queries"]) for row in needs}
    tables = (table("Runs", runs, open=True), table("Needs", needs))
    return Content({"tables": tables, "queries": queries})
