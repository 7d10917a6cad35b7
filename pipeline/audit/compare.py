"""Every published value against ours, under as many sets of policies as it takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.audit.names import Known, NumberOfTopics, measure_of
from pipeline.audit.policies import Bench, Changes
from pipeline.audit.published import ALL, Published, split
from pipeline.errors import InputError, Problem
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
        reason=_reasons(published, known, at_hand, ours, agree),
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
    run = _places(published.run.names, gains.runs)[published.run.number]
    topic = _places(published.topic.names, gains.topics)[published.topic.number]
    everything = np.array([name == ALL for name in published.topic.names])[published.topic.number]
    ours = np.full(len(published), np.nan)
    sources = published.source.names
    for number, source in told(enumerate(sources), total=len(sources), what="audit, measures"):
        if source not in measures:
            continue
        values = measures[source].value(gains)
        means = _overall(measures[source], values, gains, missed=missed)
        overall[name, source] = means
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
