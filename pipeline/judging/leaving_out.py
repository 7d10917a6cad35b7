"""Leave-one-out: all runs rescored without the unique contributions of one unit to the pool.

Leaving out a unit changes the scores of two kinds of rankings: those that retrieve one of its
contributions and, for measures with an ideal ranking, all rankings of the topics it contributed to.
Units whose contributions to a topic had the same labels leave the same ideal, which is scored once.
So the work grows with the rankings and judgements, not with units times runs.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.dimension import NOTHING, UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.judging.rescoring import values_of
from pipeline.measures import Measure
from pipeline.measures.measure import Combined
from pipeline.runs.rankings import Rankings
from pipeline.storage.arrays import Bools, Floats, Ints
from pipeline.storage.progress import with_progress

MAX_VALUES = 8_000_000  # values by unit, run and topic at once
MAX_CELLS = 500_000  # ranks at once: small enough for memory to be reused
NONE = -1  # no unit


@dataclass(frozen=True)
class Units:
    """The units to leave out one at a time: teams or runs."""

    names: Sequence[str]
    of: Ints  # [run]: the unit of each run, or NONE


@dataclass(frozen=True)
class Owners:
    """For each document, the only unit that contributed it to the pool, or NONE."""

    ranked: NDArray[np.int16]  # [run x topic, rank]
    judged: Mapping[str, NDArray[np.int16]]  # for each labelled dimension, [judged document]


def owners_of(
    data: Gains,
    ranked: Rankings,
    units: Units,
    *,
    pooled_runs: Sequence[int],
    reach: int | None,
    labelled: Sequence[str],
) -> Owners:
    """Find the owner of each ranked and judged document.

    `pooled_runs` were pooled to depth `reach`. A document has no owner if a run without a unit also
    contributed it.
    """
    topics, runs = len(ranked.topics), np.array(pooled_runs, np.int64)
    unit = units.of[runs].astype(np.int16)[:, None]
    judged_documents = {name: data.dimensions[name].judged_document for name in labelled}
    numbers = {name: ranked.find(ids.tolist()) for name, ids in judged_documents.items()}
    cells = np.empty(ranked.number.shape, np.int16)
    judged = {name: np.full(len(ids), NONE, np.int16) for name, ids in numbers.items()}
    owner = np.full(len(ranked.documents) + 1, NONE, np.int16)  # the last is for no document, -1
    for topic in range(topics):
        top = ranked.number[runs * topics + topic, :reach]
        owner[top] = unit
        owner[top[owner[top] != unit]] = NONE  # several units contributed it
        owner[-1] = NONE
        cells[topic::topics] = owner[ranked.number[topic::topics]]
        for name, document in numbers.items():
            rows = data.dimensions[name].judged_topic == topic
            judged[name][rows] = owner[document[rows]]
        owner[top] = NONE
    return Owners(cells, judged)


def group_ideals(
    data: Gains, owners: Owners, units: int, *, relevant: bool, by_document: bool
) -> Ints:
    """[unit, topic]: the first unit that leaves the same ideal; NONE if the ideal is unchanged.

    Documents with equal labels in every dimension are interchangeable, unless `by_document`. With
    `relevant`, documents without any gain are ignored.
    """
    levels = [
        dict(zip(zip(*keys, strict=True), dimension.judged_level.tolist(), strict=True))
        for dimension in data.dimensions.values()
        for keys in [(dimension.judged_topic.tolist(), dimension.judged_document.tolist())]
    ]
    lost = defaultdict[tuple[int, int], list[Any]](list)
    for name, owner in owners.judged.items():
        dimension = data.dimensions[name]
        counted = has_gain(dimension)[dimension.judged_level] | (not relevant)
        for row in np.flatnonzero((owner >= 0) & counted):
            topic, document = int(dimension.judged_topic[row]), str(dimension.judged_document[row])
            labels = [each.get((topic, document), each.get((-1, document), -1)) for each in levels]
            lost[topic, int(owner[row])].append((name, *labels, document if by_document else ""))
    first: dict[Any, int] = {}
    groups = np.full((units, len(data.topics)), NONE)
    for (topic, unit), contributions in sorted(lost.items()):
        groups[unit, topic] = first.setdefault((topic, *sorted(contributions)), unit)
    return groups


def has_gain(dimension: Dimension) -> Bools:
    """[level]: whether its binary, gain or grade value is not 0."""
    result = np.zeros(len(dimension.worth), bool)
    for part in (dimension, *map(dimension.subtopic, range(dimension.subtopics.shape[1]))):
        for kind in ("binary", "gain", "grade"):
            result |= np.nan_to_num(part.read(kind)[0]) != 0
    return result


def without_judgements(data: Gains) -> Gains:
    """The same rankings without the judgements that ideal rankings are built from."""
    return _replace(data, {n: _select(d, np.empty(0, int)) for n, d in data.dimensions.items()})


def relevant_only(data: Gains) -> Gains:
    """The same gains, where documents without any gain count as unjudged."""
    dimensions = {}
    for name, dimension in data.dimensions.items():
        level = np.arange(len(dimension.worth), dtype=dimension.codes.dtype)
        gain = has_gain(dimension)
        level[~gain & (level > UNJUDGED)] = UNJUDGED
        changed = replace(dimension, codes=level[dimension.codes])
        dimensions[name] = _select(changed, gain[dimension.judged_level])
    return _replace(data, dimensions)


def _replace(data: Gains, dimensions: Mapping[str, Dimension], **fields: Any) -> Gains:
    return replace(data, dimensions=dimensions, cache={}, **fields)


def _select(dimension: Dimension, rows: Ints | Bools, topic: Ints | None = None) -> Dimension:
    return replace(
        dimension,
        judged_topic=dimension.judged_topic[rows] if topic is None else topic,
        judged_document=dimension.judged_document[rows],
        judged_level=dimension.judged_level[rows],
    )


def _compact(data: Gains, keep: Bools, width: int) -> tuple[Gains, Any]:
    """Remove documents from rankings; also return the function that packs other arrays."""
    length = keep.sum(axis=1)
    inside = np.arange(width) < length[:, None]

    def pack(values: NDArray[Any], fill: int) -> NDArray[Any]:
        compact = np.full(inside.shape, fill, values.dtype)
        compact[inside] = values[keep]
        return compact

    dimensions = {n: replace(d, codes=pack(d.codes, NOTHING)) for n, d in data.dimensions.items()}
    return _replace(data, dimensions, length=length, sampled=None), pack


@dataclass(frozen=True)
class Submissions:
    """The rankings of all runs, as submitted or condensed by a dimension."""

    data: Gains
    owners: Owners
    condensed: str | None = None

    def condense(self, by: str) -> "Submissions":
        """The same without the documents that are unjudged in dimension `by`."""
        keep = self.data.dimensions[by].codes > UNJUDGED
        data, pack = _compact(self.data, keep, max(1, int(keep.sum(axis=1).max(initial=0))))
        return Submissions(data, replace(self.owners, ranked=pack(self.owners.ranked, NONE)), by)

    def restrict(self, *, relevant: bool, ideals: bool, cutoff: int | None) -> "Submissions":
        """What some measures depend on: only relevant documents, no ideals, ranks to a cutoff."""
        data, owner, judged = self.data, self.owners.ranked.copy(), dict(self.owners.judged)
        if relevant:
            for name, owned in self.owners.judged.items():
                dimension = data.dimensions[name]
                judged[name] = owned[has_gain(dimension)[dimension.judged_level]]
            data = relevant_only(data)
        if not ideals:
            data = without_judgements(data)
        if self.condensed not in judged:  # otherwise every document is judged
            judged_ranks = [data.dimensions[name].codes > UNJUDGED for name in judged]
            owner[~np.any(judged_ranks, axis=0)] = NONE
        if not self.condensed:  # condensed documents move up
            cut = {n: replace(d, codes=d.codes[:, :cutoff]) for n, d in data.dimensions.items()}
            data, owner = _replace(data, cut), owner[:, :cutoff]
        return Submissions(data, Owners(owner, judged), self.condensed)

    def contributions(self, cutoff: int | None) -> tuple[Ints, Ints]:
        """Row and unit of every ranking that has contributions of a unit, by unit."""
        owner = self.owners.ranked[:, :cutoff]
        row, rank = np.nonzero(owner >= 0)
        pairs = np.unique(owner[row, rank].astype(np.int64) * len(owner) + row)
        return pairs % len(owner), pairs // len(owner)

    def score(
        self, measures: Sequence[Measure], rows: Ints, group: Ints, unit: Ints, *, bounds: bool
    ) -> Floats:
        """[measure, row]: values, or with `bounds` the residuals.

        The ideal lacks the contributions of the units `group`, the ranking those of `unit`.
        """
        table = np.empty((len(measures), len(rows)))
        order = np.lexsort((rows % len(self.data.topics), group))  # equal ideals together
        size = max(1, MAX_CELLS // max(1, self.owners.ranked.shape[1]))
        for start in range(0, len(rows), size):
            block = order[start : start + size]
            gains = self._remove(rows[block], group[block], unit[block])
            for values, measure in zip(table, measures, strict=True):
                values[block] = measure.scores(gains).unjudged if bounds else measure.value(gains)
            gains.cache.clear()  # the cached views refer back to the gains
        return table

    @cached_property
    def _by_topic(self) -> Mapping[str, list[Ints]]:
        """By dimension: the judgements that hold for every topic, then those of each topic."""
        rows = {}
        for name, dimension in self.data.dimensions.items():
            order = np.argsort(dimension.judged_topic, kind="stable")
            first = np.searchsorted(dimension.judged_topic[order], np.arange(len(self.data.topics)))
            rows[name] = np.split(order, first)
        return rows

    def _remove(self, rows: Ints, group: Ints, unit: Ints) -> Gains:
        topics = len(self.data.topics)
        case, topic = np.unique(group * topics + rows % topics, return_inverse=True)
        gains = self.data.rows(rows)
        owner = self.owners.ranked[rows]
        removed = (owner == unit.astype(np.int16)[:, None]) & (owner != NONE)
        dimensions = {}
        for name, dimension in gains.dimensions.items():
            judged, by_topic = self.owners.judged.get(name), self._by_topic[name]
            rows_of = [by_topic[0], *(by_topic[1 + t] for t in (case % topics).tolist())]
            if judged is not None:  # estimates do not depend on the pool
                pairs = zip(rows_of[1:], (case // topics).tolist(), strict=True)
                rows_of[1:] = [at if u == NONE else at[judged[at] != u] for at, u in pairs]
                dimension.codes[removed & (dimension.codes > UNJUDGED)] = UNJUDGED
            number = np.repeat(np.arange(len(rows_of)) - 1, [len(at) for at in rows_of])
            dimension = _select(dimension, np.concatenate(rows_of), number)
            dimensions[name] = replace(dimension, chances=dimension.of_topics(case % topics))
        names = tuple(map(str, case.tolist()))
        gains = _replace(gains, dimensions, runs=("any",), topics=names, topic=topic.reshape(-1))
        if self.condensed not in self.owners.judged:
            return gains
        inside = np.arange(removed.shape[1]) < gains.length[:, None]
        return _compact(gains, inside & ~removed, removed.shape[1])[0]


def leave_one_out(
    rankings: Submissions, units: Units, measures: Sequence[Measure], groups: Sequence[Ints]
) -> list[Floats]:
    """For each measure, [1 + unit, run]: overall values with all units, then without each unit.

    `groups` are the units with equal ideals (see group_ideals), of all and of relevant documents.
    """
    data = rankings.data
    simple = [m for measure in measures for m in _parts(measure)]
    base = values_of(simple, data)
    # Most measures treat nonrelevant documents as unjudged, and many have no ideal ranking. Both
    # are detected here, because they save most of the work.
    reduced, idealless = (values_of(simple, f(data)) for f in (relevant_only, without_judgements))
    batches: dict[tuple[bool, bool, int], list[int]] = {}
    for place, (measure, with_all) in enumerate(zip(simple, base, strict=True)):
        cuts = [part.cutoff or 0 for part in measure.parts]
        same = [np.array_equal(with_all, changed[place]) for changed in (reduced, idealless)]
        key = (same[0], same[1], max(cuts) if min(cuts) else 0)
        batches.setdefault(key, []).append(place)
    tables = [np.empty((len(units.names) + 1, len(data.runs))) for _ in simple]
    for measure, table, values in zip(simple, tables, base, strict=True):
        table[0] = measure.overall(values, data)
    for (relevant, no_ideal, cutoff), places in batches.items():
        group_of = np.full_like(groups[0], NONE) if no_ideal else groups[relevant]
        view = rankings.restrict(relevant=relevant, ideals=not no_ideal, cutoff=cutoff or None)
        batch = [simple[place] for place in places]
        all_values = np.array([base[place] for place in places])
        for unit, blocks in _leave_out(view, batch, all_values, group_of, cutoff or None):
            for place, table in zip(places, blocks, strict=True):
                tables[place][unit + 1] = simple[place].overall(table, data)
    remaining = iter(tables)
    return [_combine(measure, [next(remaining) for _ in _parts(measure)]) for measure in measures]


def _leave_out(
    rankings: Submissions, simple: Sequence[Measure], base: Floats, groups: Ints, cutoff: int | None
) -> Iterator[tuple[int, Floats]]:
    """Yield each unit with the values without it, [measure, run, topic]."""
    topics, runs = len(rankings.data.topics), np.arange(len(rankings.data.runs))
    contributions, owner = rankings.contributions(cutoff)
    rescored: dict[tuple[int, int], Floats] = {}  # [measure, run], by unit and topic
    at_once = max(1, MAX_VALUES // max(1, base.size))
    starts = range(0, len(groups), at_once)
    for start in with_progress(starts, total=len(starts), task="reusability, units left out"):
        block = groups[start : start + at_once]
        number = np.arange(start, start + len(block))
        first, topic_of = np.nonzero(block == number[:, None])  # the first units of their groups
        first, cases = number[first], len(first) * len(runs)
        span = slice(*np.searchsorted(owner, [start, start + len(block)]))
        rows, unit = contributions[span], owner[span]
        every = np.concatenate([(runs * topics + topic_of[:, None]).ravel(), rows])
        ideal = np.concatenate([np.repeat(first, len(runs)), groups[unit, rows % topics]])
        removed = np.concatenate([np.full(cases, NONE), unit])
        values = rankings.score(simple, every, ideal, removed, bounds=False)
        changed = values[:, :cases].reshape(len(base), len(first), len(runs))
        for place, key in enumerate(zip(first.tolist(), topic_of.tolist(), strict=True)):
            rescored[key] = changed[:, place].copy()
        tables = np.repeat(base[None], len(block), axis=0)
        for place, topic in np.argwhere(block != NONE).tolist():
            tables[place, :, :, topic] = rescored[int(block[place, topic]), topic]
        tables[unit - start, :, rows // topics, rows % topics] = values[:, cases:].T
        yield from zip(number.tolist(), tables, strict=True)


def _parts(measure: Measure) -> Sequence[Measure]:
    """The measures to score: the measure itself, or the parts whose means it combines."""
    means = isinstance(measure, Combined) and measure.combination.means
    return measure.parts if means else (measure,)


def _combine(measure: Measure, parts: Sequence[Floats]) -> Floats:
    if not isinstance(measure, Combined) or not measure.combination.means:
        return parts[0]
    return measure.combine([part.ravel() for part in parts]).reshape(parts[0].shape)


def residuals(
    rankings: Submissions,
    units: Units,
    measures: Sequence[Measure],
    groups: Ints,
    *,
    before: Sequence[Floats],
) -> list[Floats]:
    """For each measure, [2, run]: mean residuals with all units, and without the run's own unit.

    `before` has those with all units, by topic.
    """
    rankings = rankings.restrict(relevant=False, ideals=True, cutoff=None)
    rankings = replace(rankings, data=replace(rankings.data, ended=True, cache={}))
    rows = np.arange(len(rankings.data.topic))
    run, topic = np.divmod(rows, len(rankings.data.topics))
    unit = units.of[run]
    lost = (rankings.owners.ranked == unit.astype(np.int16)[:, None]).any(axis=1)
    rows = np.flatnonzero((lost | (groups[unit, topic] != NONE)) & (unit != NONE))
    bounds = rankings.score(measures, rows, groups[unit, topic][rows], unit[rows], bounds=True)
    widths = [np.array([values, values]) for values in before]
    for width, changed_values in zip(widths, bounds, strict=True):
        width[1].reshape(-1)[rows] = changed_values
    return [width.mean(axis=2) for width in widths]
