"""Rescore a campaign under other judgements without joining runs and labels again.

`swap` compares the ranking of runs under different judgement sets; `sweep` and `leaving_out` use
the other functions. Gains are a small table by label code. Another threshold or gain map replaces
that table; to remove a judgement, its code is set to UNJUDGED.
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
    """The values [run, topic] of each measure, without bounds; clears the cache of the gains."""
    blocks = by_blocks(measures, gains, lambda measure, block: measure.value(block))
    gains.cache.clear()
    return [np.concatenate(parts).reshape(len(gains.runs), -1) for parts in blocks]


def label_kinds(measure: Measure, dimension: str) -> set[str]:
    """The kinds of labels (binary, gain, ...) that a measure uses of a dimension."""
    return {p.readings[dimension] for p in measure.parts if dimension in p.readings}


def rescored(names: Sequence[str], gains: Gains) -> list[Measure]:
    """Parse measures; leave out those that need the retrieval scores, which gains do not have."""
    measures = [parse(name, dimensions=list(gains.dimensions)) for name in names]
    return [measure for measure in measures if not measure.scored]


def with_worth(
    gains: Gains, dimension: str, *, column: int, worth: Callable[[Floats], Floats]
) -> Gains:
    """Replace a column of the gains of a dimension: `worth` maps labels to gains."""
    old = gains.dimensions[dimension]
    tables = old.worth.copy(), old.subtopics.copy()
    for table in tables:
        table[2:, ..., column] = worth(table[2:, ..., LABEL])
    changed = replace(old, worth=tables[0], subtopics=tables[1])
    return replace(gains, dimensions={**gains.dimensions, dimension: changed}, cache={})


def compare(base: Floats, scores: Floats, *, runs: Sequence[str]) -> dict[str, Any]:
    """Compare the ranking of runs by `scores` with the baseline ranking."""
    # The best runs first; ties by their order in the table.
    before, after = (np.argsort(-table, kind="stable")[:TOP].tolist() for table in (base, scores))
    return {
        "mean": f"{scores.mean():.6f}",
        "tau_b": sheets.decimals(tau_b(base, scores)),
        "tau_ap_b": sheets.decimals(tau_ap_b(base, scores)),
        "top10_changes": len(set(before) - set(after)),
        "largest_move": int(np.abs(ranks(base) - ranks(scores)).max()),
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
    """Score the campaign with each judgement set in place of the dimension's labels.

    `sets` has the campaign's gains with the labels of each set. Pairs of runs are compared by
    paired t-tests over topics, uncorrected. A difference that is significant with the labels is,
    with the set, *still* significant, *lost*, or *flipped*: significant in the other direction.
    """
    affected = [measure for measure in rescored(measures, data) if label_kinds(measure, dimension)]
    first = values_of(affected, data)
    rows = []
    for name, swapped in sets.items():
        values = values_of(affected, swapped)
        for measure, before, after in zip(affected, first, values, strict=True):
            both = measure.overall(before, data), measure.overall(after, swapped)
            row = compare(*both, runs=data.runs) | pairs(before, after, significance=significance)
            rows.append({"set": name, "measure": measure.name, **row})
    sheets.write(out, COLUMNS, rows)


def pairs(before: Floats, after: Floats, *, significance: float) -> dict[str, Any]:
    """Count the pairs of runs that differ significantly; values are [run, topic]."""
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
    """[pair]: 1 if the first run is significantly better, -1 if worse, 0 otherwise."""
    change = differences(values)
    p, _, _ = paired_t(change, topics=values.shape[1], alpha=significance)
    return np.where(p < significance, np.sign(change.mean), 0.0)
