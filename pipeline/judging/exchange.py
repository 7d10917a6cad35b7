"""What another judgement set would have made of the ranking of systems."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.files import read as read_gains
from pipeline.judging.rescoring import overall, readings, unscored, values_of
from pipeline.judging.sweep import compare
from pipeline.measures import parse
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats

COLUMNS = (
    "set", "measure", "mean", "tau_b", "tau_ap_b", "top10_changes", "largest_move", "leader",
    "pairs", "significant", "significant_swapped", "still", "lost", "flipped",
)  # fmt: skip


def swap(
    gains: Mapping[str, Path],
    *,
    dimension: str,
    sets: Mapping[str, Path],
    measures: Sequence[str],
    unjudged: str,
    significance: float,
    out: Path,
) -> None:
    """Score the campaign with each set in place of the dimension's labels.

    Pairs of runs are tested by paired t over topics, uncorrected. Of those significant with the
    labels, some still are, some are lost, and some *flip*: significant the other way round.
    """
    wanted = unscored([parse(name, dimensions=list(gains)) for name in measures])
    mine = [measure for measure in wanted if readings(measure, dimension)]
    data = read_gains(gains, unjudged=unjudged)
    first = values_of(mine, data)
    rows = []
    for name, path in sets.items():
        other = read_gains({**gains, dimension: path}, unjudged=unjudged)
        for measure, before, after in zip(mine, first, values_of(mine, other), strict=True):
            rows.append(
                {
                    "set": name,
                    "measure": measure.name,
                    **compare(
                        overall(measure, before, data),
                        overall(measure, after, other),
                        runs=data.runs,
                    ),
                    **pairs(before, after, significance=significance),
                }
            )
    sheets.write(out, COLUMNS, rows)


def pairs(before: Floats, after: Floats, *, significance: float) -> dict[str, Any]:
    """Pairs of runs that differ significantly, before and after a swap; [run, topic] values."""
    old, new = (_verdicts(found, significance=significance) for found in (before, after))
    upper = np.triu_indices(len(before), 1)
    a, b = old[upper], new[upper]
    return {
        "pairs": len(a),
        "significant": int((a != 0).sum()),
        "significant_swapped": int((b != 0).sum()),
        "still": int(((a != 0) & (a == b)).sum()),
        "lost": int(((a != 0) & (b == 0)).sum()),
        "flipped": int((a * b < 0).sum()),
    }


def _verdicts(found: Floats, *, significance: float) -> NDArray[np.int64]:
    """[run, run]: 1 where the row's run is significantly better, -1 worse, 0 neither."""
    from scipy.special import stdtrit  # scipy.stats costs a job over a second

    runs, topics = found.shape
    if topics < 2:
        return np.zeros((runs, runs), np.int64)
    centred = found - found.mean(axis=1, keepdims=True)
    cross = centred @ centred.T
    square = np.diag(cross)
    variance = np.maximum(square[:, None] + square - 2 * cross, 0) / (topics - 1)
    apart = found.mean(axis=1)[:, None] - found.mean(axis=1)
    error = np.sqrt(variance / topics)
    critical = stdtrit(topics - 1, 1 - significance / 2)
    return np.where(np.abs(apart) > critical * error + 1e-12, np.sign(apart), 0).astype(np.int64)
