"""What another judgement set would have made of the ranking of systems."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.gains.gains import Gains
from pipeline.judging.rescoring import readings, rescored, values_of
from pipeline.judging.sweep import compare
from pipeline.statistics.significance.pairwise import differences, paired_t
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats

COLUMNS = (
    "set", "measure", "mean", "tau_b", "tau_ap_b", "top10_changes", "largest_move", "leader",
    "pairs", "significant", "significant_swapped", "still", "lost", "flipped",
)  # fmt: skip


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
    wanted = rescored(measures, data)
    mine = [measure for measure in wanted if readings(measure, dimension)]
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
