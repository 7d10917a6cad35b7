"""The audit as a step: compare, then write audit.csv and the summary the report shows."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from pipeline.audit.compare import Outcome, compare
from pipeline.audit.policies import Bench
from pipeline.audit.published import ALL, read, split
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.atomic import atomic
from pipeline.storage.sheets import marked


def audit(
    published: Sequence[Path],
    *,
    bench: Bench,
    policies: Sequence[str],
    measures: Mapping[str, str],
    out: Path,
    summary: Path,
) -> None:
    """Compare published results with ours; `measures` translates names the audit does not know."""
    outcome = compare(read(published), bench=bench, policies=policies, measures=measures)
    write(outcome, out)
    with atomic(summary) as draft:
        draft.write_text(json.dumps(gather(outcome), indent=1), encoding="utf-8")


def write(outcome: Outcome, out: Path) -> None:
    """Write audit.csv: the values of the runs at hand; what is not at hand is only counted."""
    published, rows = outcome.published, np.flatnonzero(outcome.at_hand)
    names = [
        outcome.measures[source].name if source in outcome.measures else split(source)[1]
        for source in published.source.names
    ]
    reasons = dict.fromkeys(outcome.reason)
    number = {reason: place for place, reason in enumerate(reasons)}
    why = np.array([number[outcome.reason[row]] for row in rows.tolist()])

    def words(which: Ints, known: Sequence[str]) -> pa.Array:
        return coded(which[rows], [marked(name) for name in known]).cast(pa.string())

    def figures(values: Floats) -> pa.Array:
        return numbers(np.round(values, 6) + 0.0, blanks=True)

    table = pa.table(
        {
            "run": words(published.run.number, published.run.names),
            "topic": words(published.topic.number, published.topic.names),
            "measure": words(published.source.number, names),
            "published": words(published.text.number, published.text.names),
            "ours": figures(outcome.ours[rows]),
            "difference": figures((outcome.ours - published.value)[rows]),
            "reason": coded(why, [marked(reason) for reason in reasons]).cast(pa.string()),
            "source": words(published.source.number, published.source.names),
        }
    )
    with atomic(out) as draft:
        # Arrow quotes either every text or none, and most of these files need none.
        texts = (*published.run.names, *published.topic.names, *published.source.names, *names)
        style = "needed" if any(set('",\r\n') & set(text) for text in texts) else "none"
        options = pa.csv.WriteOptions(quoting_style=style, quoting_header="none")
        pa.csv.write_csv(table, draft, write_options=options)


def gather(outcome: Outcome) -> dict[str, Any]:
    """Counts over all, per source, and the published order of the runs beside ours.

    - policies: [{name, meaning}], the first being the one ours is under
    - values, runs, missing_runs: published values; published runs at hand; those that are not
    - reasons: reason -> values, blank for "agrees"
    - sources: [{source, measure, values, agree: {set: values}, reasons}], runs at hand only
    - boards: [{source, tool, measure, rows: [{run, published, values: {set: figure}}]}] of the
      sources whose figure over the topics differs from ours for some run
    """
    published, first = outcome.published, outcome.tried[0]
    at_hand = set(np.unique(published.run.number[outcome.at_hand]).tolist())
    whole = np.array([name == ALL for name in published.topic.names])[published.topic.number]
    sources, boards = [], []
    for number, source in enumerate(published.source.names):
        rows = np.flatnonzero((published.source.number == number) & outcome.at_hand)
        reasons = Counter(outcome.reason[row] for row in rows.tolist())
        differs = len(rows) > reasons[""]
        agree = {
            name: int(same[rows].sum())
            for name, same in outcome.agree.items()
            if name == first or (differs and (name, source) in outcome.overall)
        }
        measure = outcome.measures[source].name if source in outcome.measures else None
        one = {"source": source, "measure": measure, "values": len(rows)}
        sources.append({**one, "agree": agree, "reasons": dict(reasons)})
        figures = rows[whole[rows]]
        if measure and not outcome.agree[first][figures].all():
            tool, listed = split(source)[0], _board(outcome, source, figures)
            boards.append({"source": source, "tool": tool, "measure": measure, "rows": listed})
    return {
        "policies": [{"name": name, "meaning": outcome.meanings[name]} for name in outcome.tried],
        "values": len(published),
        "runs": len(at_hand),
        "missing_runs": [
            name for place, name in enumerate(published.run.names) if place not in at_hand
        ],
        "reasons": dict(Counter(outcome.reason)),
        "sources": sources,
        "boards": boards,
    }


def _board(outcome: Outcome, source: str, rows: Ints) -> list[dict[str, Any]]:
    """The runs with their published figure and ours under each set."""
    published = outcome.published
    place = {run: at for at, run in enumerate(outcome.runs)}
    sets = [name for name in outcome.tried if (name, source) in outcome.overall]
    listed = []
    for row in rows.tolist():
        run = published.run.names[published.run.number[row]]
        unit = 2 * float(published.half[row])  # ours as printed, so that ties stay ties
        ours = {name: outcome.overall[name, source][place[run]] for name in sets}
        values = {name: float(round(value / unit) * unit) for name, value in ours.items()}
        listed.append({"run": run, "published": float(published.value[row]), "values": values})
    return listed
