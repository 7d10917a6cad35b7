"""Published results and recomputed ones: how many agree, reasons for the rest, moved runs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.report.board import furthest
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.statistics.correlation.statistics.pairs import tau_b
from pipeline.statistics.ranks import ranks_of
from pipeline.storage.text import natural

MISSING, UNKNOWN, UNEXPLAINED = "run missing", "measure not known", "unexplained"
MOVES = 10  # runs shown above the folded table


@section("audit", order=100, template="audit.html.j2", title="Audit")
def audit(report: Report) -> Content | None:
    """The published figures beside the recomputed ones."""
    audited = report.has(report.results.audit_summary)
    return Content({"audit": shown(report.results.read_audit())}) if audited else None


def shown(summary: Mapping[str, Any]) -> dict[str, Any]:
    """The values for the template."""
    sets = {policy["name"]: policy["meaning"] for policy in summary["policies"]}
    first, *_ = sets
    lines = [line for line in summary["sources"] if line["values"]]
    orders = [_order(board, list(sets)) for board in summary["boards"]]
    return {
        "sets": list(sets.items()),
        "counts": counts(summary),
        "open": [line for line in lines if line["agree"].get(first) != line["values"]],
        "same": [line for line in lines if line["agree"].get(first) == line["values"]],
        "orders": [order for order in orders if order],
    }


def counts(summary: Mapping[str, Any]) -> dict[str, Any]:
    """The number of published values that agree, and reasons for the others."""
    reasons = dict(summary["reasons"])
    counted = ("", MISSING, UNEXPLAINED, UNKNOWN)
    agree, missing, unexplained, unknown = (reasons.pop(why, 0) for why in counted)
    sets = [policy["name"] for policy in summary["policies"] if policy["name"] in reasons]
    return {
        "total": summary["values"] - missing,  # of the available runs
        "runs": summary["runs"],
        "agree": agree,  # under the first set of policies
        "by_set": {name: reasons.pop(name) for name in sets},  # the first set that does
        "unexplained": unexplained,
        "unknown": unknown,
        "reasons": reasons,
        "missing_runs": len(summary["missing_runs"]),
        "missing": missing,
    }


def _order(board: Mapping[str, Any], sets: Sequence[str]) -> dict[str, Any] | None:
    """The published ranking of the runs, and the different ones under sets of policies, if any."""
    rows = board["rows"]
    published = np.array([row["published"] for row in rows])
    values = {name: np.array([r["values"][name] for r in rows]) for name in rows[0]["values"]}
    rank, recomputed = ranks_of(published), values[sets[0]]
    ranks: dict[str, list[int]] = {}
    for name in sets:
        if name in values and (order := ranks_of(values[name])) not in (rank, *ranks.values()):
            ranks[name] = order
    if not ranks:
        return None
    columns = (rows, rank, recomputed.tolist(), zip(*ranks.values(), strict=True))
    standings = [
        {"run": row["run"], "published": row["published"], "rank": place, "ours": value}
        | {"ranks": others, "climbs": tuple(place - other for other in others)}
        for row, place, value, others in zip(*columns, strict=True)
    ]

    def distance(row: Mapping[str, Any]) -> tuple[object, ...]:
        climbs = [abs(climb) for climb in row["climbs"]]
        return -climbs[0], -max(climbs), row["rank"], natural(row["run"])

    ordered = sorted(standings, key=distance)
    return {
        "source": board["source"],
        "sets": tuple(ranks),
        "tau": tau_b(published, recomputed),
        "differs": sets[0] in ranks,
        "rows": ordered,
        "moved": [row for row in ordered[:MOVES] if any(row["climbs"])],
        "furthest": furthest(ordered, lambda row: row["climbs"][0]),
    }
