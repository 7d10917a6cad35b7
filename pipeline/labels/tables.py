"""Labels: what assessors said about a document in one dimension, turned into gains.

A dimension declares its scale, which end is better, the threshold that makes a label binary, the
gain of each label, and the codes that mean "not able to judge". Whatever the source, a dimension
leaves this step as one table: topic, document, label, binary, gain.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.labels.qrels import QRELS_LINE, Qrels, read_qrels
from pipeline.labels.scale import Scale
from pipeline.storage import arrow
from pipeline.storage.atomic import atomic
from pipeline.storage.text import natural, read_bytes

SCHEMA = pa.schema(
    [
        ("topic", pa.string()),  # null: the label holds for the document in every topic
        ("document", pa.string()),
        ("label", pa.float64()),
        ("binary", pa.float64()),
        ("gain", pa.float64()),
    ]
)
CONFLICTS = ("error", "first", "max", "mean")


def label(
    files: Sequence[Path], *, out: Path, scale: Scale, key: str = "topic", conflict: str = "error"
) -> None:
    """Read the label files of one dimension and write its table."""
    table = tabulate(files, scale=scale, key=key, conflict=conflict)
    arrow.write(out, table)


def tabulate(
    files: Sequence[Path], *, scale: Scale, key: str = "topic", conflict: str = "error"
) -> pa.Table:
    """The table of one dimension from its label files.

    Two labels for one key (in one file or in two) are a contradiction: `conflict` says whether that
    is an error or which of them stands; equal ones count once.
    """
    chosen: dict[tuple[str, str], list[tuple[float, Path, int]]] = {}
    for path in files:
        qrels = read_qrels(path)
        _check_scale(qrels, scale)
        for topic, document, value, line in zip(
            qrels.topic, qrels.document, qrels.label.tolist(), qrels.line, strict=True
        ):
            place = ("" if key == "document" else topic, document)
            chosen.setdefault(place, []).append((value, path, line))
    order = {topic: natural(topic) for topic in {topic for topic, _ in chosen}}
    rows = sorted(chosen, key=lambda place: (order[place[0]], place[1]))
    values = np.array([_settle(chosen[place], place, conflict, scale) for place in rows])
    by_document = key == "document"
    return _table(
        topic=[None if by_document else topic for topic, _ in rows],
        document=[document for _, document in rows],
        label=values,
        binary=scale.binary(values),
        gain=scale.gain(values),
        scale=(scale.lowest, scale.highest, scale.better),
    )


def binary_qrels(files: Sequence[Path], *, out: Path, scale: Scale) -> None:
    """Write label files as one binary qrels file, line for line: only the label changes.

    A line whose label means "not able to judge" is left out, for a qrels file has no word for it.
    """
    lines: list[bytes] = []
    for path in files:
        qrels = read_qrels(path)
        _check_scale(qrels, scale)
        content = read_bytes(path, what="qrels", line=QRELS_LINE).split(b"\n")
        for number, value in zip(qrels.line, scale.binary(qrels.label).tolist(), strict=True):
            if value == value:
                line = content[number - 1].rstrip()
                kept = line[: len(line) - len(line.split()[-1])]
                lines.append(kept + str(int(value)).encode())
    with atomic(out) as draft:
        draft.write_bytes(b"".join(line + b"\n" for line in lines))


def write(
    out: Path,
    *,
    topic: Sequence[str | None],
    document: Sequence[str],
    label: NDArray[np.float64],
    binary: NDArray[np.float64],
    gain: NDArray[np.float64],
    scale: tuple[float, float, str],
) -> None:
    """Write a dimension's table, from assessors or from an estimate.

    `scale` is the lowest and the highest label and which end is better, for readings that need
    more than the two gains (relevance levels, exponential gain).
    """
    table = _table(
        topic=topic, document=document, label=label, binary=binary, gain=gain, scale=scale
    )
    arrow.write(out, table)


def _table(
    *,
    topic: Sequence[str | None],
    document: Sequence[str],
    label: NDArray[np.float64],
    binary: NDArray[np.float64],
    gain: NDArray[np.float64],
    scale: tuple[float, float, str],
) -> pa.Table:
    return pa.table(
        {
            "topic": arrow.strings(topic),
            "document": arrow.strings(document),
            "label": arrow.numbers(label),
            "binary": arrow.numbers(binary),
            "gain": arrow.numbers(gain),
        },
        schema=SCHEMA.with_metadata({"scale": json.dumps(scale)}),
    )


def scale_of(table: pa.Table) -> tuple[float, float, float]:
    """Lowest label, highest label, and 1 if high is better or -1, of a table that was read."""
    lowest, highest, better = json.loads(table.schema.metadata[b"scale"])
    return lowest, highest, -1.0 if better == "low" else 1.0


def topics_of(labels: Path) -> list[str]:
    """The topics of a label table, in natural order."""
    return topics_in(arrow.read(labels, ["topic"]))


def topics_in(table: pa.Table) -> list[str]:
    """The topics of a label table that was read, in natural order."""
    found = table["topic"].unique().to_pylist()
    return sorted((topic for topic in found if topic is not None), key=natural)


def _check_scale(qrels: Qrels, scale: Scale) -> None:
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


def _settle(
    found: list[tuple[float, Path, int]], place: tuple[str, str], conflict: str, scale: Scale
) -> float:
    """The label that stands among those given for one key."""
    first, path, line = found[0]
    if all(value == first for value, _, _ in found):
        return first
    if conflict == "error":
        other, where, at = next(f for f in found if f[0] != first)
        topic = f" in topic '{place[0]}'" if place[0] else ""
        raise InputError(
            f"{where}, line {at}: document '{place[1]}'{topic} has the label {other:g}, but "
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
