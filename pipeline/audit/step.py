"""The audit step: compare published with recomputed values; write audit.csv and audit.json."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from pipeline.audit.names import AuditMeasure, NumberOfTopics, measure_of
from pipeline.audit.policies import CampaignData, PolicySet
from pipeline.audit.published import ALL, Column, PublishedValues, read, split
from pipeline.errors import InputError, Problem
from pipeline.gains.gains import Gains
from pipeline.storage.arrays import Bools, Floats, Ints
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.atomic import atomic, write_text
from pipeline.storage.progress import with_progress
from pipeline.storage.sheets import marked

Names = Mapping[str, str]  # names of measures in other tools, and here
UNEXPLAINED = "unexplained"
NO_MEASURE = "measure not known"
NO_TOPIC = "topic does not count"
NO_RUN = "run missing"


@dataclass(frozen=True)
class AuditResult:
    """The recomputed value of every published one, and the reason for each difference."""

    published: PublishedValues
    measures: Mapping[str, AuditMeasure]  # by source
    available: Bools  # [row]: whether the run is available
    recomputed: Floats  # [row] under the first set; NaN if there is none
    sets: tuple[str, ...]  # the sets tried; `recomputed` is under the first
    meanings: Mapping[str, str]  # by set
    agree: Mapping[str, Bools]  # [row], by set; further sets only if values differ
    overall: Mapping[tuple[str, str], Floats]  # by set and source: [run] values over all topics
    runs: tuple[str, ...]

    @cached_property
    def reason(self) -> tuple[str, ...]:
        """[row]: the first set that reproduces the published value, or why none does.

        Blank if the first set does.
        """
        parsed = np.array([source in self.measures for source in self.published.source.names])
        reason = np.full(len(self.published), UNEXPLAINED, dtype=object)
        for name in reversed([*self.agree]):
            reason[self.agree[name]] = name
        reason[self.agree[self.sets[0]]] = ""
        reason[np.isnan(self.recomputed)] = NO_TOPIC
        reason[~parsed[self.published.source.number]] = NO_MEASURE
        reason[~self.available] = NO_RUN
        return tuple(reason.tolist())


def audit(
    published: Sequence[Path],
    *,
    data: CampaignData,
    policies: Sequence[str],
    measures: Names,
    out: Path,
    summary: Path,
) -> None:
    """Audit published results; `measures` maps further names of measures."""
    outcome = compare(read(published), data=data, policies=policies, measures=measures)
    write(outcome, out)
    write_text(summary, json.dumps(gather(outcome), indent=1))


def compare(
    published: PublishedValues, data: CampaignData, *, policies: Sequence[str], measures: Names
) -> AuditResult:
    """Recompute every published value, under further sets only where values differ."""
    dimensions = list(data.own_gains.dimensions)
    sources = published.source.names
    pairs = ((s, measure_of(*split(s), own=measures, dimensions=dimensions)) for s in sources)
    parsed = {source: measure for source, measure in pairs if measure is not None}
    available = published.run.among(data.own_gains.runs) >= 0
    if not available.any():
        what = (
            f"none of the {len(published.run.names)} published runs (the first is "
            f"'{published.run.names[0]}') is a run of this campaign (the first is "
            f"'{data.own_gains.runs[0]}')"
        )
        raise InputError(Problem("audit.published", what, "use the same names of runs in both"))
    effects: dict[PolicySet, str] = {}
    for name in (*policies, *data.label_sets):
        effects.setdefault(data.effect(name), name)
    first, *further = sets = tuple(effects.values())
    overall: dict[tuple[str, str], Floats] = {}
    values = _recompute(published, parsed, data, first, overall)
    agree = {first: published.agrees(values)}
    unresolved = available & ~agree[first] & ~np.isnan(values)
    differing = {published.source.names[n] for n in np.unique(published.source.number[unresolved])}
    remaining = {source: measure for source, measure in parsed.items() if source in differing}
    for name in further if remaining else ():
        agree[name] = published.agrees(_recompute(published, remaining, data, name, overall))
    return AuditResult(
        published=published,
        measures=parsed,
        available=available,
        recomputed=values,
        sets=sets,
        meanings={name: data.meaning(name) for name in sets},
        agree=agree,
        overall=overall,
        runs=data.own_gains.runs,
    )


def _recompute(
    published: PublishedValues,
    measures: Mapping[str, AuditMeasure],
    data: CampaignData,
    name: str,
    overall: dict[tuple[str, str], Floats],
) -> Floats:
    """[row]: the recomputed value of each published one; NaN if there is none."""
    gains, missed = data.gains(name), data.effect(name).missed
    run, topic = published.run.among(gains.runs), published.topic.among(gains.topics)
    everything = published.topic.among([ALL]) == 0
    result = np.full(len(published), np.nan)
    sources = published.source.names
    numbered = with_progress(enumerate(sources), total=len(sources), task="audit, measures")
    for number, source in numbered:
        if source not in measures:
            continue
        values = measures[source].value(gains)
        overall[name, source] = means = _overall(measures[source], values, gains, missed=missed)
        rows = np.flatnonzero(published.source.number == number)
        by_topic = rows[(run[rows] >= 0) & (topic[rows] >= 0)]
        result[by_topic] = values[run[by_topic] * len(gains.topics) + topic[by_topic]]
        overall_rows = rows[(run[rows] >= 0) & everything[rows]]
        result[overall_rows] = means[run[overall_rows]]
    gains.cache.clear()  # the cached views refer back to the gains
    return result


def _overall(measure: AuditMeasure, values: Floats, gains: Gains, *, missed: str | None) -> Floats:
    """[run]: the value over all topics; `missed` says how topics without results count."""
    answered = gains.length > 0
    if missed == "zero" and not isinstance(measure, NumberOfTopics):
        return measure.overall(np.where(answered, values, 0.0), gains)
    if missed != "left out":
        return measure.overall(values, gains)
    figures = np.zeros(len(gains.runs))
    for place, run in enumerate(gains.runs):
        rows = answered & (np.arange(len(answered)) // len(gains.topics) == place)
        if rows.any():
            single_run = replace(gains.rows(rows), runs=(run,))
            figures[place] = measure.overall(values[rows], single_run)[0]
    return figures


def write(outcome: AuditResult, out: Path) -> None:
    """Write audit.csv with the values of the available runs."""
    published, rows = outcome.published, np.flatnonzero(outcome.available)
    names = [
        outcome.measures[source].name if source in outcome.measures else split(source)[1]
        for source in published.source.names
    ]

    def words(column: Column, names: Sequence[str] | None = None) -> pa.Array:
        cells = [marked(name) for name in names or column.names]
        return coded(column.number[rows], cells).cast(pa.string())

    def figures(values: Floats) -> pa.Array:
        return numbers(np.round(values, 6) + 0.0, blanks=True)

    table = pa.table(
        {
            "run": words(published.run),
            "topic": words(published.topic),
            "measure": words(published.source, names),
            "published": words(published.text),
            "ours": figures(outcome.recomputed[rows]),
            "difference": figures((outcome.recomputed - published.value)[rows]),
            "reason": words(Column.of(outcome.reason)),
            "source": words(published.source),
        }
    )
    with atomic(out) as draft:
        # Arrow quotes either every text or none, and most of these files need none.
        texts = (*published.run.names, *published.topic.names, *published.source.names, *names)
        style = "needed" if any(set('",\r\n') & set(text) for text in texts) else "none"
        options = pa.csv.WriteOptions(quoting_style=style, quoting_header="none")
        pa.csv.write_csv(table, draft, write_options=options)


def gather(outcome: AuditResult) -> dict[str, Any]:
    """Counts, overall and by source, and the published ranking of runs beside the recomputed one.

    - policies: [{name, meaning}], the first is that of `ours` in audit.csv
    - values, runs, missing_runs: published values; available and missing published runs
    - reasons: number of values by reason, blank if they agree
    - sources: [{source, measure, values, agree: {set: values}, reasons}], available runs only
    - boards: [{source, tool, measure, rows: [{run, published, values: {set: figure}}]}] of the
      sources whose value over all topics differs for some run
    """
    published, first = outcome.published, outcome.sets[0]
    available = set(np.unique(published.run.number[outcome.available]).tolist())
    is_overall = published.topic.among([ALL]) == 0
    sources, boards = [], []
    for number, source in enumerate(published.source.names):
        rows = np.flatnonzero((published.source.number == number) & outcome.available)
        reasons = Counter(outcome.reason[row] for row in rows.tolist())
        differs = len(rows) > reasons[""]
        agree = {
            name: int(agrees[rows].sum())
            for name, agrees in outcome.agree.items()
            if name == first or (differs and (name, source) in outcome.overall)
        }
        measure = outcome.measures[source].name if source in outcome.measures else None
        entry = {"source": source, "measure": measure, "values": len(rows)}
        sources.append({**entry, "agree": agree, "reasons": dict(reasons)})
        figures = rows[is_overall[rows]]
        if measure and not outcome.agree[first][figures].all():
            tool, board = split(source)[0], _board(outcome, source, figures)
            boards.append({"source": source, "tool": tool, "measure": measure, "rows": board})
    names = enumerate(published.run.names)
    return {
        "policies": [{"name": name, "meaning": outcome.meanings[name]} for name in outcome.sets],
        "values": len(published),
        "runs": len(available),
        "missing_runs": [name for place, name in names if place not in available],
        "reasons": dict(Counter(outcome.reason)),
        "sources": sources,
        "boards": boards,
    }


def _board(outcome: AuditResult, source: str, rows: Ints) -> list[dict[str, Any]]:
    published = outcome.published
    place = {run: at for at, run in enumerate(outcome.runs)}
    sets = [name for name in outcome.sets if (name, source) in outcome.overall]
    board = []
    for row in rows.tolist():
        run = published.run.names[published.run.number[row]]
        unit = 2 * float(published.half[row])  # rounded as printed, to keep ties
        figures = {name: outcome.overall[name, source][place[run]] for name in sets}
        values = {name: float(round(value / unit) * unit) for name, value in figures.items()}
        board.append({"run": run, "published": float(published.value[row]), "values": values})
    return board
