"""Scoring a campaign again under other judgements, without looking anything up again.

What another judgement set would have made of the ranking of runs is `swap`; `sweep` and
`leaving_out` build on the rest. A label's worth is a small table beside the codes of the rankings,
so another threshold or gain map is another table; a judgement that was never made is a code set to
UNJUDGED.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.gains.dimension import STORED
from pipeline.gains.gains import Gains
from pipeline.measures import Measure, parse
from pipeline.measures.measure import by_blocks
from pipeline.statistics.correlation.statistics.pairs import tau_ap_b, tau_b
from pipeline.statistics.ranks import ranks
from pipeline.statistics.significance.pairwise import differences, paired_t
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats

LABEL = STORED.index("label")
TOP = 10
COLUMNS = (
    "set", "measure", "mean", "tau_b", "tau_ap_b", "top10_changes", "largest_move", "leader",
    "pairs", "significant", "significant_swapped", "still", "lost", "flipped",
)  # fmt: skip


def values_of(measures: Sequence[Measure], gains: Gains) -> list[Floats]:
    """[run, topic] of each measure, without bounds; then all is forgotten."""
    every = by_blocks(measures, gains, lambda measure, some: measure.value(some))
    gains.cache.clear()
    return [np.concatenate(parts).reshape(len(gains.runs), -1) for parts in every]


def readings(measure: Measure, dimension: str) -> set[str]:
    """How a measure reads a dimension's labels: binary, gain, ...; nothing if it does not."""
    return {p.readings[dimension] for p in measure.parts if dimension in p.readings}


def rescored(names: Sequence[str], gains: Gains) -> list[Measure]:
    """The measures of these names that do without the systems' own scores, not kept here."""
    measures = [parse(name, dimensions=list(gains.dimensions)) for name in names]
    return [measure for measure in measures if not measure.scored]


def with_worth(
    gains: Gains, dimension: str, *, column: int, worth: Callable[[Floats], Floats]
) -> Gains:
    """The same judgements with other gains: `worth` says what labels are worth."""
    old = gains.dimensions[dimension]
    tables = old.worth.copy(), old.subtopics.copy()
    for table in tables:
        table[2:, ..., column] = worth(table[2:, ..., LABEL])
    changed = replace(old, worth=tables[0], subtopics=tables[1])
    return replace(gains, dimensions={**gains.dimensions, dimension: changed}, cache={})


def compare(base: Floats, found: Floats, *, runs: Sequence[str]) -> dict[str, Any]:
    """How a ranking of the runs differs from the published one."""
    # The best runs first; ties by their order in the table.
    before, after = (np.argsort(-scores, kind="stable")[:TOP].tolist() for scores in (base, found))
    return {
        "mean": f"{found.mean():.6f}",
        "tau_b": sheets.decimals(tau_b(base, found)),
        "tau_ap_b": sheets.decimals(tau_ap_b(base, found)),
        "top10_changes": len(set(before) - set(after)),
        "largest_move": int(np.abs(ranks(base) - ranks(found)).max()),
        "leader": runs[after[0]],
    }


def swap(
    data: Gains,
    *,
    dimension: str,
    sets: Mapping[str, Gains],
    measures: Sequence[str],
    significance: float,
    out: Path,
) -> None:
    """Score the campaign with each set in place of the dimension's labels.

    `sets` has the campaign's gains with the labels of each set.

    Pairs of runs are tested by paired t over topics, uncorrected. Of those significant with the
    labels, some still are, some are lost, and some *flip*: significant the other way round.
    """
    mine = [measure for measure in rescored(measures, data) if readings(measure, dimension)]
    first = values_of(mine, data)
    rows = []
    for name, other in sets.items():
        for measure, before, after in zip(mine, first, values_of(mine, other), strict=True):
            both = measure.overall(before, data), measure.overall(after, other)
            row = compare(*both, runs=data.runs)
            row |= pairs(before, after, significance=significance)
            rows.append({"set": name, "measure": measure.name, **row})
    sheets.write(out, COLUMNS, rows)


def pairs(before: Floats, after: Floats, *, significance: float) -> dict[str, Any]:
    """Pairs of runs that differ significantly, before and after a swap; [run, topic] values."""
    a, b = (verdicts(values, significance=significance) for values in (before, after))
    return {
        "pairs": len(a),
        "significant": int((a != 0).sum()),
        "significant_swapped": int((b != 0).sum()),
        "still": int(((a != 0) & (a == b)).sum()),
        "lost": int(((a != 0) & (b == 0)).sum()),
        "flipped": int((a * b < 0).sum()),
    }


def verdicts(values: Floats, *, significance: float) -> Floats:
    """[pair]: 1 where the first run is significantly better, -1 worse, 0 neither."""
    found = differences(values)
    p, _, _ = paired_t(found, topics=values.shape[1], alpha=significance)
    return np.where(p < significance, np.sign(found.mean), 0.0)
