"""Scoring a campaign again under other judgements, without looking anything up again.

A label's worth is a small table beside the codes of the rankings, so another threshold or gain map
is another table; a judgement that was never made is a code set to UNJUDGED. Many such changes are
evaluated in one pass by *stacking*: every altered topic is one more topic of a larger campaign.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.blocks import blocks
from pipeline.gains.dimension import UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.measures import Measure
from pipeline.measures.measure import Combined, Single, computed_here, scores_of
from pipeline.storage.arrays import Floats, Ints

BINARY, GAIN, LABEL = 0, 1, 2  # the columns of Dimension.worth
CELLS = 500_000  # of a stack at most: arrays small enough that their memory is used again


def values(measure: Measure, gains: Gains) -> Floats:
    """[run, topic]: what a measure says, without the bounds, which take longer."""
    return measure.value(gains).reshape(len(gains.runs), -1)


def values_of(measures: Sequence[Measure], gains: Gains) -> list[Floats]:
    """[run, topic] of each measure, some rows at a time; another tool gets all rows at once.

    What was computed on the way is forgotten.
    """
    found: dict[int, list[Floats]] = {n: [] for n, one in enumerate(measures) if computed_here(one)}
    for some in blocks(gains) if found else ():
        for number, parts in found.items():
            parts.append(measures[number].value(some))
    every = [
        np.concatenate(found[n]).reshape(len(gains.runs), -1) if n in found else values(one, gains)
        for n, one in enumerate(measures)
    ]
    gains.cache.clear()
    return every


def all_open(measures: Sequence[Measure], gains: Gains) -> list[Floats]:
    """For each measure [run, topic]: what unjudged documents leave open."""
    return [one.unjudged.reshape(len(gains.runs), -1) for one in scores_of(measures, gains)]


def combined(measure: Combined, parts: Sequence[Floats]) -> Floats:
    """A combination of its parts' values, whatever their shape."""
    return measure.combine([part.ravel() for part in parts]).reshape(parts[0].shape)


def means_combined(measure: Measure) -> TypeGuard[Combined]:
    """Whether a measure combines the parts' means rather than their values topic by topic."""
    return isinstance(measure, Combined) and measure.combination.means


def overall(measure: Measure, found: Floats, gains: Gains) -> Floats:
    """[run]: values over the topics, as the measure is aggregated."""
    return measure.overall(found.ravel(), gains)


def readings(measure: Measure, dimension: str) -> set[str]:
    """How a measure reads a dimension's labels: binary, gain, ...; nothing if it does not."""
    return {p.wanted[dimension] for p in singles(measure) if dimension in p.wanted}


def singles(measure: Measure) -> tuple[Single, ...]:
    """The declared measures one is made of."""
    return (measure,) if isinstance(measure, Single) else measure.parts


def cutoff(measures: Sequence[Measure]) -> int | None:
    """How deep measures look at most; None is to the end."""
    cuts = [part.cutoff for measure in measures for part in singles(measure)]
    known = [cut for cut in cuts if cut is not None]
    return max(known, default=None) if len(known) == len(cuts) else None


def unscored(measures: Sequence[Measure]) -> list[Measure]:
    """The measures that do without the systems' own scores, which are not kept here."""
    return [measure for measure in measures if not measure.scored]


def altered(gains: Gains, **changes: Any) -> Gains:
    """A changed copy that remembers nothing computed from the original."""
    return replace(gains, **changes, cache={})


def with_worth(
    gains: Gains, dimension: str, *, column: int, worth: Callable[[Floats], Floats]
) -> Gains:
    """The same judgements with other gains: `worth` says what labels are worth."""
    old = gains.dimensions[dimension]
    tables = old.worth.copy(), old.subtopics.copy()
    for table in tables:
        table[2:, ..., column] = worth(table[2:, ..., LABEL])
    changed = replace(old, worth=tables[0], subtopics=tables[1])
    return altered(gains, dimensions={**gains.dimensions, dimension: changed})


@dataclass(frozen=True)
class Cases:
    """Altered topics: in case i, topic `topic[i]` loses what unit `unit[i]` alone brought in."""

    topic: Ints
    unit: Ints

    def __getitem__(self, keep: Any) -> "Cases":
        return Cases(self.topic[keep], self.unit[keep])

    def __len__(self) -> int:
        return len(self.topic)


@dataclass(frozen=True)
class Owners:
    """Who alone brought a document in: a unit's number, or -1."""

    ranked: NDArray[np.int16]  # [run x topic, rank]
    judged: Mapping[str, NDArray[np.int16]]  # for each altered dimension, [judged document]


def stacked(
    gains: Gains,
    owners: Owners,
    cases: Cases,
    *,
    rows: Ints,
    runs: Sequence[str],
    depth: int | None = None,
) -> Gains:
    """A campaign of `runs` on the altered topics; `rows` are the rows it is made of, by run."""
    n = len(cases)
    unit = np.tile(cases.unit, len(runs))
    gone = owners.ranked[rows, :depth] == unit[:, None]
    dimensions = {
        name: _stacked(dimension, owners.judged.get(name), cases, rows=rows, gone=gone, depth=depth)
        for name, dimension in gains.dimensions.items()
    }
    return altered(
        gains,
        runs=tuple(runs),
        topics=tuple(f"{place}" for place in range(n)),
        topic=np.tile(np.arange(n), len(runs)),
        length=gains.length[rows],
        dimensions=dimensions,
        score=None,
        tie=None,
    )


def _stacked(
    dimension: Dimension,
    owner: NDArray[np.int16] | None,
    cases: Cases,
    *,
    rows: Ints,
    gone: NDArray[np.bool_],
    depth: int | None,
) -> Dimension:
    codes = dimension.codes[rows, :depth]
    if owner is not None:  # what was estimated from pages is known whoever brought it in
        codes = np.where(gone & (codes > UNJUDGED), UNJUDGED, codes).astype(codes.dtype)
    # Each case gets the judgements of its topic, but for those its unit brought in.
    order = np.argsort(dimension.judged_topic, kind="stable")
    sorted_ = dimension.judged_topic[order]
    first, end = (np.searchsorted(sorted_, cases.topic, side=side) for side in ("left", "right"))
    size = end - first
    case = np.repeat(np.arange(len(cases)), size)
    start = np.repeat(first - (np.cumsum(size) - size), size)
    place = order[np.arange(len(case)) + start]
    if owner is not None:
        stays = owner[place] != cases.unit[case]
        place, case = place[stays], case[stays]
    everywhere = order[: np.searchsorted(sorted_, 0)]
    kept = np.concatenate([everywhere, place])
    case = np.concatenate([np.full(len(everywhere), -1), case])
    return replace(
        dimension,
        codes=codes,
        judged_topic=case.astype(np.int64),
        judged_document=dimension.judged_document[kept],
        judged_level=dimension.judged_level[kept],
        chances=dimension.of_topics(cases.topic),
    )


def squeezed(gains: Gains, owners: Owners, *, by: str) -> tuple[Gains, Owners]:
    """Condensed lists and the owners of what is left in them, no wider than the longest."""
    judged = gains.dimensions[by].codes > UNJUDGED
    order = np.argsort(~judged, axis=1, kind="stable")
    short = gains.condensed(by)
    width = max(1, int(short.length.max(initial=0)))
    ranked = np.take_along_axis(owners.ranked, order, axis=1)[:, :width]
    beyond = np.arange(ranked.shape[1]) >= short.length[:, None]
    dimensions = {
        name: replace(dimension, codes=dimension.codes[:, :width])
        for name, dimension in short.dimensions.items()
    }
    kept = np.where(beyond, -1, ranked).astype(owners.ranked.dtype)
    return altered(short, dimensions=dimensions), replace(owners, ranked=kept)


def unlisted(gains: Gains) -> Gains:
    """The same rankings, without the lists of all that was judged, which ideals are made of."""
    none = np.empty(0, np.int64)
    dimensions = {
        name: replace(d, judged_topic=none, judged_document=none.astype(str), judged_level=none)
        for name, d in gains.dimensions.items()
    }
    return altered(gains, dimensions=dimensions)
