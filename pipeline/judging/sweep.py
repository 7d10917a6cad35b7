"""The threshold sweep: how far the ranking of systems rests on where a line was drawn.

For each dimension every threshold that its scale allows, and for graded measures several gain
maps, one after the other in place of the configured one. Each row compares the ranking of the runs
with the one the campaign publishes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.config.dimensions import Sweep
from pipeline.config.scale import Scale
from pipeline.gains.dimension import STORED
from pipeline.gains.gains import Gains
from pipeline.judging.rescoring import LABEL, compare, readings, rescored, values_of, with_worth
from pipeline.measures import Measure
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats
from pipeline.storage.progress import with_progress

GRID = 11  # thresholds of a scale with more labels than that
COLUMNS = (
    "dimension", "kind", "setting", "chosen", "measure", "mean", "tau_b", "tau_ap_b",
    "top10_changes", "largest_move", "leader",
)  # fmt: skip


@dataclass(frozen=True)
class Setting:
    """One threshold or gain mapping of a dimension's labels."""

    kind: str  # threshold or gains
    name: str
    chosen: bool
    scale: Scale


def sweep(
    data: Gains, *, measures: Sequence[str], dimensions: Mapping[str, Sweep], out: Path
) -> None:
    """Write sweep.csv: one row per dimension, setting and measure that reads it."""
    wanted = rescored(measures, data)
    each = (swept_rows(data, name, swept=one, measures=wanted) for name, one in dimensions.items())
    sheets.write(out, COLUMNS, chain.from_iterable(each))


def swept_rows(
    data: Gains, dimension: str, *, swept: Sweep, measures: Sequence[Measure]
) -> list[dict[str, Any]]:
    """The rows of one dimension."""
    tables = data.dimensions[dimension].worth, data.dimensions[dimension].subtopics
    labels = np.unique(np.concatenate([table[2:, ..., LABEL].ravel() for table in tables]))
    base = _overall([m for m in measures if readings(m, dimension) & {"binary", "gain"}], data)
    rows: list[dict[str, Any]] = []
    tried = settings(swept, labels=labels)
    for setting in with_progress(tried, total=len(tried), task=f"sweep, settings of {dimension}"):
        reading = "binary" if setting.kind == "threshold" else "gain"
        worth = setting.scale.binary if reading == "binary" else setting.scale.gain
        changed = with_worth(data, dimension, column=STORED.index(reading), worth=worth)
        some = [measure for measure in measures if reading in readings(measure, dimension)]
        rows += [
            {
                "dimension": dimension,
                "kind": setting.kind,
                "setting": setting.name,
                "chosen": int(setting.chosen),
                "measure": name,
                **compare(base[name], values, runs=data.runs),
            }
            for name, values in _overall(some, changed).items()
        ]
    return rows


def _overall(measures: Sequence[Measure], data: Gains) -> dict[str, Floats]:
    """What each measure says of each run."""
    found = zip(measures, values_of(measures, data), strict=True)
    return {measure.name: measure.overall(values, data) for measure, values in found}


def settings(swept: Sweep, *, labels: Floats) -> list[Setting]:
    """What to try; the configured setting is always among it."""
    scale = swept.scale
    thresholds = set(_thresholds(scale, labels) if swept.thresholds is None else swept.thresholds)
    sign = "<=" if scale.better == "low" else ">="
    found = [
        Setting("threshold", f"{sign} {t:g}", t == scale.threshold, replace(scale, threshold=t))
        for t in sorted({*thresholds, scale.threshold})
    ]
    maps: dict[str, Scale] = {"configured" if scale.gains else "linear": scale}
    if swept.gains is None:
        maps |= {name: replace(scale, gains=g) for name, g in _gain_maps(scale, labels).items()}
    else:
        for given in swept.gains:
            name = ", ".join(f"{label:g}: {gain:g}" for label, gain in sorted(given.items()))
            maps[name] = replace(scale, gains=given)
    first = next(iter(maps))
    return found + [Setting("gains", name, name == first, given) for name, given in maps.items()]


def _thresholds(scale: Scale, labels: Floats) -> list[float]:
    """Every label but the worst, which all documents reach; a grid where there are many."""
    worst = scale.highest if scale.better == "low" else scale.lowest
    if len(labels) <= GRID:
        return [float(label) for label in labels if label != worst]
    grid = np.linspace(scale.lowest, scale.highest, GRID)
    return [float(threshold) for threshold in grid if threshold != worst]


def _gain_maps(scale: Scale, labels: Floats) -> dict[str, Mapping[float, float] | None]:
    """Linear, binary at the threshold, and exponential as in nDCG's other form."""
    maps: dict[str, Mapping[float, float] | None] = {"linear": None} if scale.gains else {}
    maps["binary"] = dict(zip(labels.tolist(), scale.binary(labels).tolist(), strict=True))
    if len(labels) <= GRID:
        grade = labels - scale.lowest if scale.better == "high" else scale.highest - labels
        power = (2**grade - 1) / (2 ** (scale.highest - scale.lowest) - 1)
        maps["exponential"] = dict(zip(labels.tolist(), power.tolist(), strict=True))
    return maps
