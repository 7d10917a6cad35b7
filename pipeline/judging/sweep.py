"""Threshold sensitivity: how much the ranking of runs depends on thresholds and gain mappings.

For each dimension, every threshold that its scale allows and, for graded measures, several gain
mappings replace the configured ones. Each row compares the resulting ranking of the runs with that
under the campaign's configuration.
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
from pipeline.judging.rescoring import LABEL, compare, label_kinds, rescored, values_of, with_worth
from pipeline.measures import Measure
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats
from pipeline.storage.progress import with_progress

GRID = 11  # thresholds tried on a scale with more labels
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
    """Write sweep.csv: one row per dimension, setting and measure that depends on the setting."""
    parsed = rescored(measures, data)
    rows = (sweep_rows(data, name, plan=plan, measures=parsed) for name, plan in dimensions.items())
    sheets.write(out, COLUMNS, chain.from_iterable(rows))


def sweep_rows(
    data: Gains, dimension: str, *, plan: Sweep, measures: Sequence[Measure]
) -> list[dict[str, Any]]:
    """The rows of one dimension."""
    tables = data.dimensions[dimension].worth, data.dimensions[dimension].subtopics
    labels = np.unique(np.concatenate([table[2:, ..., LABEL].ravel() for table in tables]))
    base = _overall([m for m in measures if label_kinds(m, dimension) & {"binary", "gain"}], data)
    rows: list[dict[str, Any]] = []
    variants = settings(plan, labels=labels)
    task = f"sweep, settings of {dimension}"
    for setting in with_progress(variants, total=len(variants), task=task):
        label_kind = "binary" if setting.kind == "threshold" else "gain"
        conversion = setting.scale.binary if label_kind == "binary" else setting.scale.gain
        changed = with_worth(data, dimension, column=STORED.index(label_kind), worth=conversion)
        readers = [measure for measure in measures if label_kind in label_kinds(measure, dimension)]
        row: dict[str, Any] = {"dimension": dimension, "kind": setting.kind}
        row |= {"setting": setting.name, "chosen": int(setting.chosen)}
        rows += [
            {**row, "measure": name, **compare(base[name], values, runs=data.runs)}
            for name, values in _overall(readers, changed).items()
        ]
    return rows


def _overall(measures: Sequence[Measure], data: Gains) -> dict[str, Floats]:
    scores = zip(measures, values_of(measures, data), strict=True)
    return {measure.name: measure.overall(values, data) for measure, values in scores}


def settings(plan: Sweep, *, labels: Floats) -> list[Setting]:
    """The settings to try, which always include the configured one."""
    scale = plan.scale
    thresholds = set(_thresholds(scale, labels) if plan.thresholds is None else plan.thresholds)
    sign = "<=" if scale.better == "low" else ">="
    tried = [
        Setting("threshold", f"{sign} {t:g}", t == scale.threshold, replace(scale, threshold=t))
        for t in sorted({*thresholds, scale.threshold})
    ]
    maps: dict[str, Scale] = {"configured" if scale.gains else "linear": scale}
    if plan.gains is None:
        maps |= {name: replace(scale, gains=g) for name, g in _gain_maps(scale, labels).items()}
    else:
        for mapping in plan.gains:
            name = ", ".join(f"{label:g}: {gain:g}" for label, gain in sorted(mapping.items()))
            maps[name] = replace(scale, gains=mapping)
    first = next(iter(maps))
    return tried + [Setting("gains", name, name == first, scale) for name, scale in maps.items()]


def _thresholds(scale: Scale, labels: Floats) -> list[float]:
    """Every label but the worst, which all documents reach; a grid if there are many labels."""
    worst = scale.highest if scale.better == "low" else scale.lowest
    grid = labels if len(labels) <= GRID else np.linspace(scale.lowest, scale.highest, GRID)
    return [float(threshold) for threshold in grid if threshold != worst]


def _gain_maps(scale: Scale, labels: Floats) -> dict[str, Mapping[float, float] | None]:
    """Linear, binary at the threshold, and exponential (2^grade - 1, as in nDCG's second form)."""
    maps: dict[str, Mapping[float, float] | None] = {"linear": None} if scale.gains else {}
    maps["binary"] = dict(zip(labels.tolist(), scale.binary(labels).tolist(), strict=True))
    if len(labels) <= GRID:
        grade = labels - scale.lowest if scale.better == "high" else scale.highest - labels
        power = (2**grade - 1) / (2 ** (scale.highest - scale.lowest) - 1)
        maps["exponential"] = dict(zip(labels.tolist(), power.tolist(), strict=True))
    return maps
