"""What the audit found, counted, for the report."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.audit.compare import Outcome
from pipeline.audit.published import ALL, split
from pipeline.storage.atomic import atomic


def write(outcome: Outcome, out: Path) -> None:
    """Write the summary as JSON; see `gather` for what is in it."""
    with atomic(out) as draft:
        draft.write_text(json.dumps(gather(outcome), indent=1), encoding="utf-8")


def gather(outcome: Outcome) -> dict[str, Any]:
    """Counts over all, per source, and the published order of the runs beside ours.

    - policies: [{name, meaning}], the first being the one ours is under
    - values, runs, missing_runs: published values; published runs at hand; those that are not
    - reasons: reason -> values, blank for "agrees"
    - sources: [{source, measure, values, agree: {set: values}, unexplained}], runs at hand only
    - boards: [{source, measure, rows: [{run, published, values: {set: figure}}]}] of the sources
      whose figure over the topics differs from ours for some run
    """
    published = outcome.published
    at_hand = set(np.unique(published.run.number[outcome.at_hand]).tolist())
    return {
        "policies": [{"name": name, "meaning": outcome.meanings[name]} for name in outcome.tried],
        "values": len(published),
        "runs": len(at_hand),
        "missing_runs": [
            name for place, name in enumerate(published.run.names) if place not in at_hand
        ],
        "reasons": dict(Counter(outcome.reason)),
        "sources": [_source(outcome, number) for number in range(len(published.source.names))],
        "boards": [
            board
            for number in range(len(published.source.names))
            for board in [_board(outcome, number)]
            if board
        ],
    }


def _source(outcome: Outcome, number: int) -> dict[str, Any]:
    published = outcome.published
    source = published.source.names[number]
    rows = np.flatnonzero((published.source.number == number) & outcome.at_hand)
    reasons = Counter(outcome.reason[row] for row in rows.tolist())
    first = outcome.tried[0]
    open_ = len(rows) > reasons[""]
    return {
        "source": source,
        "measure": outcome.measures[source].name if source in outcome.measures else None,
        "values": len(rows),
        "agree": {
            name: int(found[rows].sum())
            for name, found in outcome.agree.items()
            if name == first or (open_ and (name, source) in outcome.overall)
        },
        "reasons": dict(reasons),
    }


def _board(outcome: Outcome, number: int) -> dict[str, Any] | None:
    """The runs with their published figure and ours under each set, where some differ."""
    published = outcome.published
    source = published.source.names[number]
    if source not in outcome.measures or ALL not in published.topic.names:
        return None
    everything = published.topic.number == published.topic.names.index(ALL)
    rows = np.flatnonzero((published.source.number == number) & outcome.at_hand & everything)
    if not len(rows) or outcome.agree[outcome.tried[0]][rows].all():
        return None
    place = {run: at for at, run in enumerate(outcome.runs)}
    sets = [name for name in outcome.tried if (name, source) in outcome.overall]
    listed = []
    for row in rows.tolist():
        run = published.run.names[published.run.number[row]]
        unit = 2 * float(published.half[row])  # ours as printed, so that ties stay ties
        values = {name: outcome.overall[name, source][place[run]] for name in sets}
        listed.append(
            {
                "run": run,
                "published": float(published.value[row]),
                "values": {
                    name: float(round(value / unit) * unit) for name, value in values.items()
                },
            }
        )
    return {
        "source": source,
        "tool": split(source)[0],
        "measure": outcome.measures[source].name,
        "rows": listed,
    }
