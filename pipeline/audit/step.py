"""The audit as a step: every published value against ours, audit.csv, and the report's summary."""

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

from pipeline.audit.names import Known, NumberOfTopics, measure_of
from pipeline.audit.policies import Bench, Changes
from pipeline.audit.published import ALL, Column, Published, read, split
from pipeline.errors import InputError, Problem
from pipeline.gains.gains import Gains
from pipeline.storage.arrays import Bools, Floats, Ints
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.atomic import atomic
from pipeline.storage.progress import with_progress
from pipeline.storage.sheets import marked

UNEXPLAINED = "unexplained"
NO_MEASURE = "measure not known"
NO_TOPIC = "topic does not count"
NO_RUN = "run not at hand"


@dataclass(frozen=True)
class Outcome:
    """What came out: of every published value ours, and why it differs where it does."""

    published: Published
    measures: Mapping[str, Known]  # by source
    at_hand: Bools  # [row]: whether the run is
    ours: Floats  # [row] under the first set; NaN where there is none
    tried: tuple[str, ...]  # the sets, the first being the one `ours` is under
    meanings: Mapping[str, str]  # of each of them
    agree: Mapping[str, Bools]  # [row], by set; only where the first set leaves something open
    overall: Mapping[tuple[str, str], Floats]  # (set, source): [run] figures over the topics
    runs: tuple[str, ...]

    @cached_property
    def reason(self) -> tuple[str, ...]:
        """[row]: the first set that gives the published value, or what else makes it differ.

        Blank where ours agrees.
        """
        known = np.array([source in self.measures for source in self.published.source.names])
        reason = np.full(len(self.published), UNEXPLAINED, dtype=object)
        for name in reversed([*self.agree]):
            reason[self.agree[name]] = name
        reason[self.agree[self.tried[0]]] = ""
        reason[np.isnan(self.ours)] = NO_TOPIC
        reason[~known[self.published.source.number]] = NO_MEASURE
        reason[~self.at_hand] = NO_RUN
        return tuple(reason.tolist())


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


def compare(
    published: Published, *, bench: Bench, policies: Sequence[str], measures: Mapping[str, str]
) -> Outcome:
    """Every published value against ours, under as many sets as it takes."""
    dimensions = list(bench.own.dimensions)
    known = {
        source: measure
        for source in published.source.names
        for measure in [measure_of(*split(source), own=measures, dimensions=dimensions)]
        if measure is not None
    }
    at_hand = published.run.among(bench.own.runs) >= 0
    if not at_hand.any():
        what = (
            f"none of the {len(published.run.names)} published runs, the first being "
            f"'{published.run.names[0]}', is a run of this campaign, the first being "
            f"'{bench.own.runs[0]}'"
        )
        raise InputError(Problem("audit.published", what, "rename the runs in one of them"))
    effects: dict[Changes, str] = {}
    for name in (*policies, *bench.others):
        effects.setdefault(bench.effect(name), name)
    first, *others = tried = tuple(effects.values())
    overall: dict[tuple[str, str], Floats] = {}
    ours = _recompute(published, known, bench, first, overall)
    agree = {first: published.agrees(ours)}
    open_ = at_hand & ~agree[first] & ~np.isnan(ours)
    differing = {published.source.names[n] for n in np.unique(published.source.number[open_])}
    some = {source: measure for source, measure in known.items() if source in differing}
    for name in others if some else ():
        agree[name] = published.agrees(_recompute(published, some, bench, name, overall))
    return Outcome(
        published=published,
        measures=known,
        at_hand=at_hand,
        ours=ours,
        tried=tried,
        meanings={name: bench.meaning(name) for name in tried},
        agree=agree,
        overall=overall,
        runs=bench.own.runs,
    )


def _recompute(
    published: Published,
    measures: Mapping[str, Known],
    bench: Bench,
    name: str,
    overall: dict[tuple[str, str], Floats],
) -> Floats:
    """[row]: our value for each published one; NaN where there is none."""
    gains, missed = bench.gains(name), bench.effect(name).missed
    run, topic = published.run.among(gains.runs), published.topic.among(gains.topics)
    everything = published.topic.among([ALL]) == 0
    ours = np.full(len(published), np.nan)
    sources = published.source.names
    for number, source in with_progress(
        enumerate(sources), total=len(sources), task="audit, measures"
    ):
        if source not in measures:
            continue
        values = measures[source].value(gains)
        overall[name, source] = means = _overall(measures[source], values, gains, missed=missed)
        mine = np.flatnonzero(published.source.number == number)
        single = mine[(run[mine] >= 0) & (topic[mine] >= 0)]
        ours[single] = values[run[single] * len(gains.topics) + topic[single]]
        whole = mine[(run[mine] >= 0) & everything[mine]]
        ours[whole] = means[run[whole]]
    gains.cache.clear()  # views hold the gains that hold them: memory that would wait for Python
    return ours


def _overall(measure: Known, values: Floats, gains: Gains, *, missed: str | None) -> Floats:
    """[run]: the figure over the topics, where those that a run misses count as `missed` says."""
    answered = gains.length > 0
    if missed == "zero" and not isinstance(measure, NumberOfTopics):
        return measure.overall(np.where(answered, values, 0.0), gains)
    if missed != "left out":
        return measure.overall(values, gains)
    figures = np.zeros(len(gains.runs))
    for place, run in enumerate(gains.runs):
        mine = answered & (np.arange(len(answered)) // len(gains.topics) == place)
        if mine.any():
            alone = replace(gains.rows(mine), runs=(run,))
            figures[place] = measure.overall(values[mine], alone)[0]
    return figures


def write(outcome: Outcome, out: Path) -> None:
    """Write audit.csv: the values of the runs at hand; what is not at hand is only counted."""
    published, rows = outcome.published, np.flatnonzero(outcome.at_hand)
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
            "ours": figures(outcome.ours[rows]),
            "difference": figures((outcome.ours - published.value)[rows]),
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
    whole = published.topic.among([ALL]) == 0
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
