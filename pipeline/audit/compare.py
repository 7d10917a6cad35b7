"""Every published value against ours, under as many sets of policies as it takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.audit.names import Known, NumberOfTopics, measure_of
from pipeline.audit.policies import Bench
from pipeline.audit.published import ALL, Published, split
from pipeline.errors import InputError
from pipeline.gains.gains import Gains
from pipeline.storage.arrays import Bools, Floats, Ints
from pipeline.storage.progress import told

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
    reason: tuple[str, ...]  # [row], blank where ours agrees


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
    at_hand = _places(published.run.names, bench.own.runs)[published.run.number] >= 0
    if not at_hand.any():
        raise InputError(
            f"audit.published: none of the {len(published.run.names)} published runs, the first "
            f"being '{published.run.names[0]}', is a run of this campaign, the first being "
            f"'{bench.own.runs[0]}'; rename the runs in one of them"
        )
    tried: list[str] = []
    for name in (*policies, *bench.others):
        if not any(bench.same(name, other) for other in tried):
            tried.append(name)

    first, *others = tried
    overall: dict[tuple[str, str], Floats] = {}
    ours = _recompute(published, known, bench, first, overall)
    rows = np.arange(len(published))
    agree = {first: published.agrees(rows, ours)}
    open_ = at_hand & ~agree[first] & ~np.isnan(ours)
    differing = {published.source.names[n] for n in np.unique(published.source.number[open_])}
    some = {source: measure for source, measure in known.items() if source in differing}
    for name in others if some else ():
        found = _recompute(published, some, bench, name, overall)
        agree[name] = published.agrees(rows, found)
    reason = _reasons(published, known, at_hand, ours, agree)
    return Outcome(
        published=published,
        measures=known,
        at_hand=at_hand,
        ours=ours,
        tried=tuple(tried),
        meanings={name: bench.changes(name).meaning for name in tried},
        agree=agree,
        overall=overall,
        runs=bench.own.runs,
        reason=reason,
    )


def _recompute(
    published: Published,
    measures: Mapping[str, Known],
    bench: Bench,
    name: str,
    overall: dict[tuple[str, str], Floats],
) -> Floats:
    """[row]: our value for each published one; NaN where there is none."""
    gains, missed = bench.gains(name), bench.missed(name)
    run = _places(published.run.names, gains.runs)[published.run.number]
    topic = _places(published.topic.names, gains.topics)[published.topic.number]
    everything = published.topic.number == _place(published.topic.names, ALL)
    ours = np.full(len(published), np.nan)
    by_source = np.argsort(published.source.number, kind="stable")
    bounds = np.searchsorted(
        published.source.number[by_source], np.arange(len(published.source.names) + 1)
    )
    sources = published.source.names
    for number, source in told(enumerate(sources), total=len(sources), what="audit, measures"):
        if source not in measures:
            continue
        mine = by_source[bounds[number] : bounds[number + 1]]
        values = measures[source].value(gains)
        means = _overall(measures[source], values, gains, missed=missed)
        overall[name, source] = means
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


def _reasons(
    published: Published,
    measures: Mapping[str, Known],
    at_hand: Bools,
    ours: Floats,
    agree: Mapping[str, Bools],
) -> tuple[str, ...]:
    """Why each value differs: the first set of policies that gives the published one."""
    known = np.array([source in measures for source in published.source.names])
    reason = np.full(len(published), UNEXPLAINED, dtype=object)
    for name in reversed(list(agree)):
        reason[agree[name]] = name
    first = next(iter(agree))
    reason[agree[first]] = ""
    reason[np.isnan(ours)] = NO_TOPIC
    reason[~known[published.source.number]] = NO_MEASURE
    reason[~at_hand] = NO_RUN
    return tuple(reason.tolist())


def _places(names: Sequence[str], known: Sequence[str]) -> Ints:
    """The place of each name among the known ones, -1 for none."""
    where = {name: place for place, name in enumerate(known)}
    return np.array([where.get(name, -1) for name in names], np.int64)


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else -1
