"""Which label stands: labels must be on the scale, and one key has one label."""

from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.labels.qrels import Qrels
from pipeline.labels.scale import Scale


def check_scale(qrels: Qrels, scale: Scale) -> None:
    """Refuse a label outside the scale or its gain map."""
    value = qrels.label
    known = np.isin(value, scale.cannot_judge)
    known |= (value >= scale.lowest) & (value <= scale.highest)
    if scale.gains is not None:
        known &= np.isin(value, [*scale.gains, *scale.cannot_judge])
    if known.all():
        return
    at = int(np.flatnonzero(~known)[0])
    allowed = (
        f"the scale {scale.lowest:g} to {scale.highest:g}"
        if scale.gains is None
        else f"the gain map ({', '.join(f'{g:g}' for g in sorted(scale.gains))})"
    )
    raise InputError(
        f"{qrels.path}, line {qrels.line[at]}: the label {value[at]:g} is outside {allowed}; "
        "correct the label, the dimension's scale, or name the code under cannot_judge"
    )


def settle(
    found: list[tuple[float, Path, int]], place: tuple[str, ...], conflict: str, scale: Scale
) -> float:
    """The label that stands among those given for one key: topic, document, perhaps subtopic."""
    first, path, line = found[0]
    if all(value == first for value, _, _ in found):
        return first
    if conflict == "error":
        other, where, at = next(f for f in found if f[0] != first)
        topic, document, *subtopic = place
        within = f" in topic '{topic}'" if topic else ""
        within += f", subtopic '{subtopic[0]}'," if subtopic else ""
        raise InputError(
            f"{where}, line {at}: document '{document}'{within} has the label {other:g}, but "
            f"{first:g} in {path}, line {line}; remove one, or set the dimension's conflict rule"
        )
    if conflict == "first":
        return first
    judged = [value for value, _, _ in found if value not in scale.cannot_judge]
    if not judged:
        return first
    if conflict == "max":  # the best label, whichever end of the scale that is
        return min(judged) if scale.better == "low" else max(judged)
    return sum(judged) / len(judged)
