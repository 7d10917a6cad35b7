"""Every unit left out in turn: all runs scored without what it alone brought to the pool.

Units are taken in blocks, because a value for each of a thousand units, runs and fifty topics would
fill gigabytes; and of each only the rankings are scored again that its absence changes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.gains.gains import Gains
from pipeline.judging.rescoring import (
    CELLS,
    Cases,
    Owners,
    all_open,
    combined,
    cutoff,
    means_combined,
    overall,
    stacked,
    unlisted,
    values,
    values_of,
)
from pipeline.measures import Measure
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.progress import told

KEPT = 8_000_000  # values by unit, run and topic at once, of all measures


@dataclass(frozen=True)
class Units:
    """What is left out in turn: teams or runs, all runs of each, and those that were pooled."""

    kind: str
    names: tuple[str, ...]
    members: tuple[tuple[int, ...], ...]
    giving: tuple[tuple[int, ...], ...]
    others: tuple[int, ...] = ()  # pooled runs of no unit: what they gave is nobody's alone


@dataclass(frozen=True)
class Lists:
    """Rankings to leave units out of: as submitted, or condensed by a dimension."""

    data: Gains
    owners: Owners
    condensed: str | None

    def again(self, stack: Gains) -> Gains:
        """Altered rankings, treated as these were."""
        return stack.condensed(self.condensed) if self.condensed else stack


def everyone(lists: Lists, units: Units, cases: Cases, measures: Sequence[Measure]) -> list[Floats]:
    """For each measure [1 + unit, run]: all runs' overall values, and with each unit left out."""
    data = lists.data
    simple = [m for measure in measures for m in _parts(measure)]
    base = values_of(simple, data)
    # A measure that compares with an ideal changes for every run of an altered topic; any other
    # only where a ranking held one of the lost documents.
    bare = values_of(simple, unlisted(data))
    free = [np.array_equal(mine, found) for mine, found in zip(bare, base, strict=True)]
    ways: list[tuple[list[int], int | None, Touched | None]] = []
    for alone in (True, False):
        mine = [place for place, independent in enumerate(free) if independent is alone]
        if mine:
            depth = None if lists.condensed else cutoff([simple[place] for place in mine])
            ways.append((mine, depth, touched(lists, depth=depth) if alone else None))
    found = [np.empty((len(units.names) + 1, len(data.runs))) for _ in simple]
    at_once = max(1, KEPT // max(1, len(simple) * base[0].size))
    blocks = [range(at, min(at + at_once, len(units.names) + 1))
              for at in range(0, len(units.names) + 1, at_once)]  # fmt: skip
    for block in told(blocks, total=len(blocks), what=f"reusability, {units.kind} by {units.kind}"):
        # In place 0 nothing is left out, in place u + 1 unit u is.
        tables = [np.repeat(one[None], len(block), axis=0) for one in base]
        some = range(block.start - 1, block.stop - 1)
        for mine, depth, held in ways:
            stacks = (
                _touched(lists, held, some, depth=depth)
                if held
                else _altered(lists, cases, some, depth=depth)
            )
            for unit, run, topic, stack in stacks:
                for place in mine:
                    again = values(simple[place], stack)
                    here = again[0] if held else again.T  # the stack of the former is one run
                    tables[place][unit + 1 - block.start, run, topic] = here
                stack.cache.clear()
        for place, measure in enumerate(simple):
            for row, table in zip(block, tables[place], strict=True):
                found[place][row] = overall(measure, table, data)
    each = iter(found)
    return [
        combined(measure, [next(each) for _ in measure.parts])
        if means_combined(measure)
        else next(each)
        for measure in measures
    ]


def _parts(measure: Measure) -> Sequence[Measure]:
    """What to score: the measure, or the parts whose means it combines."""
    return measure.parts if means_combined(measure) else (measure,)


Stack = tuple[Ints, Ints, Ints, Gains]  # unit, run and topic of what the altered rankings are for


@dataclass(frozen=True)
class Touched:
    """Rankings that hold a document somebody alone brought in: their rows, by unit."""

    rows: Ints
    cases: Cases


def touched(lists: Lists, *, depth: int | None) -> Touched:
    """Which rankings change for a measure that looks at them alone."""
    owner = lists.owners.ranked[:, :depth]
    row, rank = np.nonzero(owner >= 0)
    most = int(owner.max(initial=0)) + 1
    pairs = np.unique(row * most + owner[row, rank])
    rows, unit = pairs // most, pairs % most
    return Touched(rows, Cases(rows % len(lists.data.topics), unit))


def _touched(lists: Lists, held: Touched, some: range, *, depth: int | None) -> Iterator[Stack]:
    """Only the rankings that hold a document one of some units alone brought in."""
    data, owners = unlisted(lists.data), lists.owners
    mine = (held.cases.unit >= some.start) & (held.cases.unit < some.stop)
    rows, cases = held.rows[mine], held.cases[mine]
    for part in _portions(len(rows), width=owners.ranked.shape[1]):
        # One run on many topics, each row a topic of its own.
        stack = stacked(data, owners, cases[part], rows=rows[part], runs=("any",), depth=depth)
        run = rows[part] // len(data.topics)
        yield cases.unit[part], run, cases.topic[part], lists.again(stack)


def _altered(lists: Lists, cases: Cases, some: range, *, depth: int | None) -> Iterator[Stack]:
    """All runs on every topic that one of some units alters."""
    data, owners = lists.data, lists.owners
    cases = cases[(cases.unit >= some.start) & (cases.unit < some.stop)]
    runs = np.arange(len(data.runs))
    width = min(depth or owners.ranked.shape[1], owners.ranked.shape[1])
    for part in _portions(len(cases), width=width * len(runs)):
        here = cases[part]
        rows = (runs[:, None] * len(data.topics) + here.topic).ravel()
        stack = stacked(data, owners, here, rows=rows, runs=data.runs, depth=depth)
        yield here.unit[:, None], runs[None, :], here.topic[:, None], lists.again(stack)


def _portions(total: int, *, width: int) -> Iterator[slice]:
    """Stretches whose arrays fit into memory."""
    size = max(1, CELLS // max(1, width))
    for start in range(0, total, size):
        yield slice(start, start + size)


def left_open(data: Gains, measures: Sequence[Measure]) -> list[Floats]:
    """For each measure [run, topic]: what unjudged documents leave open, whoever is left out.

    Ranks past the end of a list are not theirs and do not count.
    """
    return all_open(measures, replace(data, ended=True, cache={}))


def residuals(
    lists: Lists,
    units: Units,
    cases: Cases,
    measures: Sequence[Measure],
    *,
    before: Sequence[Floats],
) -> list[Floats]:
    """For each measure [2, run]: what is open `before` (see left_open), and without the own unit.

    On average over the topics.
    """
    data, owners = replace(lists.data, ended=True, cache={}), lists.owners
    topics = len(data.topics)
    widths = [np.array([one, one]) for one in before]
    unit_of = np.full(len(data.runs), -1)
    for u, members in enumerate(units.members):
        unit_of[list(members)] = u
    run, case = np.nonzero(unit_of[:, None] == cases.unit)
    parts = list(_portions(len(run), width=owners.ranked.shape[1]))
    for part in told(parts, total=len(parts), what="reusability, what is left open"):
        mine, some = run[part], cases[case[part]]
        stack = stacked(data, owners, some, rows=mine * topics + some.topic, runs=("own",))
        for width, measure in zip(widths, measures, strict=True):
            width[1, mine, some.topic] = measure.scores(stack).unjudged
        stack.cache.clear()
    return [width.mean(axis=2) for width in widths]
