"""The threshold sweep: how far the ranking of systems rests on where a line was drawn.

For each dimension every threshold that its scale allows, and for graded measures several gain
maps, one after the other in place of the configured one. Each row compares the ranking of the runs
with the one the campaign publishes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.judging.rescoring import (
    BINARY,
    GAIN,
    LABEL,
    overall,
    readings,
    unscored,
    values_of,
    with_worth,
)
from pipeline.labels.scale import Scale
from pipeline.measures import Measure, parse
from pipeline.statistics.correlation.statistics.pairs import tau_ap_b, tau_b
from pipeline.statistics.ranks import ranks
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats
from pipeline.storage.progress import told

TOP = 10
GRID = 11  # thresholds of a scale with more labels than that
COLUMNS = (
    "dimension", "kind", "setting", "chosen", "measure", "mean", "tau_b", "tau_ap_b",
    "top10_changes", "largest_move", "leader",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """One dimension to sweep: its scale, and what to try; None is what the scale suggests."""

    scale: Scale
    thresholds: tuple[float, ...] | None
    gains: tuple[Mapping[float, float], ...] | None


@dataclass(frozen=True)
class Setting:
    """One way to read a dimension's labels."""

    kind: str  # threshold or gains
    name: str
    chosen: bool
    scale: Scale

    def worth(self, label: Floats) -> Floats:
        """What a label is worth under this setting."""
        return self.scale.binary(label) if self.kind == "threshold" else self.scale.gain(label)


def sweep(
    gains: Mapping[str, Path],
    *,
    measures: Sequence[str],
    dimensions: Mapping[str, Sweep],
    unjudged: str,
    out: Path,
) -> None:
    """Write sweep.csv: one row a dimension, setting and measure that reads it."""
    data = read_gains(gains, unjudged=unjudged)
    wanted = unscored([parse(name, dimensions=list(gains)) for name in measures])
    rows: list[dict[str, Any]] = []
    for name, swept in dimensions.items():
        rows += swept_rows(data, name, swept=swept, measures=wanted)
    sheets.write(out, COLUMNS, rows)


def swept_rows(
    data: Gains, dimension: str, *, swept: Sweep, measures: Sequence[Measure]
) -> list[dict[str, Any]]:
    """The rows of one dimension."""
    swept_one = data.dimensions[dimension]
    tables = swept_one.worth, swept_one.subtopics
    labels = np.unique(np.concatenate([table[2:, ..., LABEL].ravel() for table in tables]))
    base = _overall([m for m in measures if readings(m, dimension) & {"binary", "gain"}], data)
    rows: list[dict[str, Any]] = []
    tried = settings(swept, labels=labels)
    for setting in told(tried, total=len(tried), what=f"sweep, settings of {dimension}"):
        column = BINARY if setting.kind == "threshold" else GAIN
        changed = with_worth(data, dimension, column=column, worth=setting.worth)
        kind = "binary" if setting.kind == "threshold" else "gain"
        reading = [measure for measure in measures if kind in readings(measure, dimension)]
        rows += [
            {
                "dimension": dimension,
                "kind": setting.kind,
                "setting": setting.name,
                "chosen": int(setting.chosen),
                "measure": name,
                **compare(base[name], found, runs=data.runs),
            }
            for name, found in _overall(reading, changed).items()
        ]
    return rows


def _overall(measures: Sequence[Measure], data: Gains) -> dict[str, Floats]:
    """What each measure says of each run."""
    found = zip(measures, values_of(measures, data), strict=True)
    return {measure.name: overall(measure, values, data) for measure, values in found}


def settings(swept: Sweep, *, labels: Floats) -> list[Setting]:
    """What to try; the configured setting is always among it."""
    scale = swept.scale
    thresholds = set(_thresholds(scale, labels) if swept.thresholds is None else swept.thresholds)
    found = [
        Setting("threshold", f"{sign(scale)} {t:g}", t == scale.threshold, _at(scale, t))
        for t in sorted({*thresholds, scale.threshold})
    ]
    maps: dict[str, Scale] = {"configured" if scale.gains else "linear": scale}
    if swept.gains is None:
        maps |= {name: replace(scale, gains=g) for name, g in _gain_maps(scale, labels).items()}
    else:
        maps |= {_shown(given): replace(scale, gains=given) for given in swept.gains}
    first = next(iter(maps))
    return found + [Setting("gains", name, name == first, given) for name, given in maps.items()]


def compare(base: Floats, found: Floats, *, runs: Sequence[str]) -> dict[str, Any]:
    """How a ranking of the runs differs from the published one."""
    before, after = ranks(base), ranks(found)
    top = min(TOP, len(runs))
    return {
        "mean": f"{found.mean():.6f}",
        "tau_b": _text(tau_b(base, found)),
        "tau_ap_b": _text(tau_ap_b(base, found)),
        "top10_changes": len(set(_first(base, top)) - set(_first(found, top))),
        "largest_move": int(np.abs(before - after).max()),
        "leader": runs[_first(found, 1)[0]],
    }


def sign(scale: Scale) -> str:
    """The side of a threshold that counts."""
    return "<=" if scale.better == "low" else ">="


def _at(scale: Scale, threshold: float) -> Scale:
    return replace(scale, threshold=threshold)


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


def _first(scores: Floats, count: int) -> list[int]:
    """The best runs; ties by their order in the table."""
    best: list[int] = np.argsort(-scores, kind="stable")[:count].tolist()
    return best


def _shown(gains: Mapping[float, float]) -> str:
    return ", ".join(f"{label:g}: {gain:g}" for label, gain in sorted(gains.items()))


def _text(value: float) -> str:
    return "" if np.isnan(value) else f"{value + 0.0:.6f}"
