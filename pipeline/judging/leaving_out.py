"""Every unit left out in turn: all runs scored without its unique contributions to the pool.

Without a unit, two kinds of rankings score differently: those that retrieve a contribution of its
own, and, where a measure compares with an ideal, all rankings of the topics it contributed to.
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

KEPT = 8_000_000  # values by unit, run and topic at once
CELLS = 500_000  # ranks at once: arrays small enough that their memory is used again
NONE = -1  # in place of a unit


@dataclass(frozen=True)
class Units:
    """What is left out in turn: teams or runs."""

    names: Sequence[str]
    of: Ints  # [run]: the unit of each run, or NONE


@dataclass(frozen=True)
class Owners:
    """The unit that alone contributed a document to the pool, or NONE."""

    ranked: NDArray[np.int16]  # [run x topic, rank]
    judged: Mapping[str, NDArray[np.int16]]  # for each labelled dimension, [judged document]


def owners_of(
    data: Gains,
    ranked: Rankings,
    units: Units,
    *,
    giving: Sequence[int],
    reach: int | None,
    labelled: Sequence[str],
) -> Owners:
    """Whose unique contributions the ranked and judged documents are.

    `giving` are the pooled runs, read as deep as `reach`. A document that also a run of no unit
    contributed is unique to no unit.
    """
    topics, runs = len(ranked.topics), np.array(giving, np.int64)
    unit = units.of[runs].astype(np.int16)[:, None]
    number = {
        name: ranked.find(data.dimensions[name].judged_document.tolist()) for name in labelled
    }
    cells = np.empty(ranked.number.shape, np.int16)
    judged = {name: np.full(len(found), NONE, np.int16) for name, found in number.items()}
    owner = np.full(len(ranked.documents) + 1, NONE, np.int16)  # the last is of no document, -1
    for topic in range(topics):
        top = ranked.number[runs * topics + topic, :reach]
        owner[top] = unit
        owner[top[owner[top] != unit]] = NONE  # several units contributed it
        owner[-1] = NONE
        cells[topic::topics] = owner[ranked.number[topic::topics]]
        for name, found in number.items():
            here = data.dimensions[name].judged_topic == topic
            judged[name][here] = owner[found[here]]
        owner[top] = NONE
    return Owners(cells, judged)


def alike(data: Gains, owners: Owners, units: int, *, lean: bool, apart: bool) -> Ints:
    """[unit, topic]: the first unit that leaves the same ideal as this one; NONE: all is judged.

    Documents with the same labels in every dimension are alike, unless they are kept `apart`;
    `lean` leaves out documents without any relevance.
    """
    levels = [
        dict(zip(zip(*keys, strict=True), one.judged_level.tolist(), strict=True))
        for one in data.dimensions.values()
        for keys in [(one.judged_topic.tolist(), one.judged_document.tolist())]
    ]
    lost = defaultdict[tuple[int, int], list[Any]](list)
    for name, owner in owners.judged.items():
        one = data.dimensions[name]
        for place in np.flatnonzero((owner >= 0) & ~(worthless(one)[one.judged_level] & lean)):
            topic, document = int(one.judged_topic[place]), str(one.judged_document[place])
            labels = [each.get((topic, document), each.get((-1, document), -1)) for each in levels]
            lost[topic, int(owner[place])].append((name, *labels, document if apart else ""))
    first: dict[Any, int] = {}
    found = np.full((units, len(data.topics)), NONE)
    for (topic, unit), every in sorted(lost.items()):
        found[unit, topic] = first.setdefault((topic, *sorted(every)), unit)
    return found


def worthless(dimension: Dimension) -> Bools:
    """[level]: whether it is worth nothing, however labels are read."""
    found = np.ones(len(dimension.worth), bool)
    for part in (dimension, *map(dimension.subtopic, range(dimension.subtopics.shape[1]))):
        for reading in ("binary", "gain", "grade"):
            found &= np.nan_to_num(part.read(reading)[0]) == 0
    return found


def unlisted(data: Gains) -> Gains:
    """The same rankings without judgements, which ideals are made of."""
    return _changed(data, {n: _listed(d, np.empty(0, int)) for n, d in data.dimensions.items()})


def relevant_only(data: Gains) -> Gains:
    """The same with every document unjudged that is worth nothing."""
    dimensions = {}
    for name, one in data.dimensions.items():
        level = np.arange(len(one.worth), dtype=one.codes.dtype)
        level[worthless(one) & (level > UNJUDGED)] = UNJUDGED
        dimensions[name] = _listed(replace(one, codes=level[one.codes]), _relevant(one))
    return _changed(data, dimensions)


def _relevant(one: Dimension) -> Ints:
    """The judgements that are worth anything."""
    return np.flatnonzero(~worthless(one)[one.judged_level])


def _changed(data: Gains, dimensions: Mapping[str, Dimension], **others: Any) -> Gains:
    return replace(data, dimensions=dimensions, cache={}, **others)


def _listed(one: Dimension, kept: Ints, topic: Ints | None = None) -> Dimension:
    """Only some of the judgements, or those of other topics."""
    return replace(
        one,
        judged_topic=one.judged_topic[kept] if topic is None else topic,
        judged_document=one.judged_document[kept],
        judged_level=one.judged_level[kept],
    )


def _squeezed(data: Gains, keep: Bools, width: int) -> tuple[Gains, Any]:
    """Rankings without some of their documents, and a function that packs an array alike."""
    length = keep.sum(axis=1)
    inside = np.arange(width) < length[:, None]

    def packed(values: NDArray[Any], fill: int) -> NDArray[Any]:
        short = np.full(inside.shape, fill, values.dtype)
        short[inside] = values[keep]
        return short

    dimensions = {n: replace(d, codes=packed(d.codes, NOTHING)) for n, d in data.dimensions.items()}
    return _changed(data, dimensions, length=length, sampled=None), packed


@dataclass(frozen=True)
class Lists:
    """Rankings to leave units out of: as submitted, or condensed by a dimension."""

    data: Gains
    owners: Owners
    condensed: str | None = None

    def condense(self, by: str) -> "Lists":
        """The same without the documents that dimension `by` does not know."""
        keep = self.data.dimensions[by].codes > UNJUDGED
        data, packed = _squeezed(self.data, keep, max(1, int(keep.sum(axis=1).max(initial=0))))
        return Lists(data, replace(self.owners, ranked=packed(self.owners.ranked, NONE)), by)

    def seen(self, *, lean: bool, listed: bool, look: int | None) -> "Lists":
        """All that some measures see: relevant documents only, no ideals, no deeper than `look`."""
        data, owner, judged = self.data, self.owners.ranked.copy(), dict(self.owners.judged)
        if lean:
            for name, one in self.owners.judged.items():
                judged[name] = one[_relevant(data.dimensions[name])]
            data = relevant_only(data)
        if not listed:
            data = unlisted(data)
        if self.condensed not in judged:  # else every document is judged
            known = [data.dimensions[name].codes > UNJUDGED for name in judged]
            owner[~np.any(known, axis=0)] = NONE
        if not self.condensed:  # there, documents move up
            short = {n: replace(d, codes=d.codes[:, :look]) for n, d in data.dimensions.items()}
            data, owner = _changed(data, short), owner[:, :look]
        return Lists(data, Owners(owner, judged), self.condensed)

    def touched(self, look: int | None) -> tuple[Ints, Ints]:
        """Row and unit: which rankings hold contributions of which units, by unit."""
        owner = self.owners.ranked[:, :look]
        place = np.flatnonzero(owner >= 0)
        row = place // max(1, owner.shape[1])
        pairs = np.unique(
            owner[row, place % max(1, owner.shape[1])].astype(np.int64) * len(owner) + row
        )
        return pairs % len(owner), pairs // len(owner)

    def scored(
        self, measures: Sequence[Measure], rows: Ints, like: Ints, unit: Ints, *, bounds: bool
    ) -> Floats:
        """[measure, row]: values, or what unjudged documents leave open.

        The ideal lacks the contributions of the units `like`, the ranking those of `unit`.
        """
        found = np.empty((len(measures), len(rows)))
        order = np.lexsort((rows % len(self.data.topics), like))  # the same ideals together
        size = max(1, CELLS // max(1, self.owners.ranked.shape[1]))
        for start in range(0, len(rows), size):
            at = order[start : start + size]
            some = self._without(rows[at], like[at], unit[at])
            for values, measure in zip(found, measures, strict=True):
                values[at] = measure.scores(some).unjudged if bounds else measure.value(some)
            some.cache.clear()  # views there hold the rankings in turn
        return found

    @cached_property
    def _by_topic(self) -> Mapping[str, list[Ints]]:
        """The judgements of every topic, then each topic's own."""
        found = {}
        for name, one in self.data.dimensions.items():
            order = np.argsort(one.judged_topic, kind="stable")
            first = np.searchsorted(one.judged_topic[order], np.arange(len(self.data.topics)))
            found[name] = np.split(order, first)
        return found

    def _without(self, rows: Ints, like: Ints, unit: Ints) -> Gains:
        topics = len(self.data.topics)
        case, topic = np.unique(like * topics + rows % topics, return_inverse=True)
        some = self.data.rows(rows)
        owner = self.owners.ranked[rows]
        gone = (owner == unit.astype(np.int16)[:, None]) & (owner != NONE)
        dimensions = {}
        for name, one in some.dimensions.items():
            judged, by_topic = self.owners.judged.get(name), self._by_topic[name]
            lists = [by_topic[0], *(by_topic[1 + t] for t in (case % topics).tolist())]
            if judged is not None:  # an estimate is known all the same
                each = zip(lists[1:], (case // topics).tolist(), strict=True)
                lists[1:] = [at if u == NONE else at[judged[at] != u] for at, u in each]
                one.codes[gone & (one.codes > UNJUDGED)] = UNJUDGED
            number = np.repeat(np.arange(len(lists)) - 1, [len(at) for at in lists])
            dimensions[name] = replace(
                _listed(one, np.concatenate(lists), number), chances=one.of_topics(case % topics)
            )
        names = tuple(map(str, case.tolist()))
        some = _changed(some, dimensions, runs=("any",), topics=names, topic=topic.reshape(-1))
        if self.condensed not in self.owners.judged:
            return some
        inside = np.arange(gone.shape[1]) < some.length[:, None]
        return _squeezed(some, inside & ~gone, gone.shape[1])[0]


def everyone(
    lists: Lists, units: Units, measures: Sequence[Measure], same: Sequence[Ints]
) -> list[Floats]:
    """For each measure [1 + unit, run]: all runs' overall values, and with each unit left out.

    `same` says which units leave the same ideals (see alike), of all and of relevant documents.
    """
    data = lists.data
    simple = [m for measure in measures for m in _parts(measure)]
    base = values_of(simple, data)
    # Most measures do not know the judged from the unjudged without relevance, and many compare
    # with no ideal: both are found out, and save most of the work.
    free, lean = values_of(simple, unlisted(data)), values_of(simple, relevant_only(data))
    groups: dict[tuple[bool, bool, int], list[int]] = {}
    for place, (measure, own) in enumerate(zip(simple, base, strict=True)):
        cuts = [part.cutoff or 0 for part in measure.parts]
        ignores, free_of = (np.array_equal(own, other[place]) for other in (lean, free))
        key = (ignores, free_of, max(cuts) if min(cuts) else 0)
        groups.setdefault(key, []).append(place)
    found = [np.empty((len(units.names) + 1, len(data.runs))) for _ in simple]
    for measure, table, values in zip(simple, found, base, strict=True):
        table[0] = measure.overall(values, data)
    for (irrelevant_ignored, no_ideal, look), places in groups.items():
        like = np.full_like(same[0], NONE) if no_ideal else same[irrelevant_ignored]
        seen = lists.seen(lean=irrelevant_ignored, listed=not no_ideal, look=look or None)
        chosen = [simple[place] for place in places]
        tables_of = np.array([base[place] for place in places])
        for unit, tables in _left_out(seen, chosen, tables_of, like, look=look or None):
            for place, table in zip(places, tables, strict=True):
                found[place][unit + 1] = simple[place].overall(table, data)
    each = iter(found)
    return [_whole(measure, [next(each) for _ in _parts(measure)]) for measure in measures]


def _left_out(
    lists: Lists, measures: Sequence[Measure], base: Floats, like: Ints, *, look: int | None
) -> Iterator[tuple[int, Floats]]:
    """Each unit, and [measure, run, topic]: the values without it."""
    topics, runs = len(lists.data.topics), np.arange(len(lists.data.runs))
    touched, owner = lists.touched(look)
    again: dict[tuple[int, int], Floats] = {}  # [measure, run], by unit and topic
    at_once = max(1, KEPT // max(1, base.size))
    starts = range(0, len(like), at_once)
    for start in with_progress(starts, total=len(starts), task="reusability, units left out"):
        block = like[start : start + at_once]
        number = np.arange(start, start + len(block))
        first, new = np.nonzero(block == number[:, None])  # units are alike to the first of them
        own = slice(*np.searchsorted(owner, [start, start + len(block)]))
        rows, unit = touched[own], owner[own]
        every = np.concatenate([(runs * topics + new[:, None]).ravel(), rows])
        ideal = np.concatenate([np.repeat(number[first], len(runs)), like[unit, rows % topics]])
        gone = np.concatenate([np.full(len(first) * len(runs), NONE), unit])
        values = lists.scored(measures, every, ideal, gone, bounds=False)
        changed = values[:, : len(first) * len(runs)].reshape(len(base), len(first), len(runs))
        for place, key in enumerate(zip(number[first].tolist(), new.tolist(), strict=True)):
            again[key] = changed[:, place].copy()
        tables = np.repeat(base[None], len(block), axis=0)
        for place, topic in np.argwhere(block != NONE).tolist():
            tables[place, :, :, topic] = again[int(block[place, topic]), topic]
        tables[unit - start, :, rows // topics, rows % topics] = values[:, changed[0].size :].T
        yield from zip(number.tolist(), tables, strict=True)


def _parts(measure: Measure) -> Sequence[Measure]:
    """What to score: the measure, or the parts whose means it combines."""
    means = isinstance(measure, Combined) and measure.combination.means
    return measure.parts if means else (measure,)


def _whole(measure: Measure, parts: Sequence[Floats]) -> Floats:
    """The measure, given what its parts say overall."""
    if not isinstance(measure, Combined) or not measure.combination.means:
        return parts[0]
    return measure.combine([part.ravel() for part in parts]).reshape(parts[0].shape)


def residuals(
    lists: Lists, units: Units, measures: Sequence[Measure], like: Ints, *, before: Sequence[Floats]
) -> list[Floats]:
    """For each measure [2, run]: what unjudged documents leave open, and without the own unit.

    `before` is the former by topic; both on average over the topics.
    """
    lists = lists.seen(lean=False, listed=True, look=None)
    lists = replace(lists, data=replace(lists.data, ended=True, cache={}))
    rows = np.arange(len(lists.data.topic))
    run, topic = np.divmod(rows, len(lists.data.topics))
    unit = units.of[run]
    changed = (lists.owners.ranked == unit.astype(np.int16)[:, None]).any(axis=1)
    rows = np.flatnonzero((changed | (like[unit, topic] != NONE)) & (unit != NONE))
    found = lists.scored(measures, rows, like[unit, topic][rows], unit[rows], bounds=True)
    widths = [np.array([one, one]) for one in before]
    for width, values in zip(widths, found, strict=True):
        width[1].reshape(-1)[rows] = values
    return [width.mean(axis=2) for width in widths]
