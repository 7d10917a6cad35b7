"""Published results, one value a line, with the digits it was printed with.

Either a table, tab-separated with a line of column names, or a tool's own output (`outputs`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.audit import outputs
from pipeline.audit.outputs import RUN_TAG
from pipeline.errors import InputError
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.text import LONGEST, cut, number, read_text, refuse_long

COLUMNS = ("run", "tool", "measure", "topic", "value")
NEEDED = ("run", "measure", "topic", "value")
PUBLISHED_LINE = "run tool measure topic value"
ALL = "all"  # the topic of a figure over all topics


@dataclass(frozen=True)
class Column:
    """Names by number: `names[number[i]]` is the name in row i."""

    names: tuple[str, ...]
    number: Ints


@dataclass(frozen=True)
class Published:
    """Every published value of all files, in their order."""

    run: Column
    source: Column  # tool and measure, as "trec_eval P_10"; a tool has no space in its name
    topic: Column
    text: Column  # the value as printed
    value: Floats
    half: Floats  # half a unit of the last printed digit

    def __len__(self) -> int:
        return len(self.value)

    def agrees(self, rows: Ints, ours: Floats) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
        """Which of our values print as the published ones; rounding of an exact half may differ."""
        return np.abs(ours - self.value[rows]) <= self.half[rows] + 1e-9


def read(files: Sequence[Path]) -> Published:
    """Read published results: tables, whose first line names the columns, and tools' outputs."""
    columns: dict[str, list[str]] = {name: [] for name in COLUMNS}
    for path in files:
        for name, values in _read(path).items():
            columns[name] += values
    tools = list(zip(columns["tool"], columns["measure"], strict=True))
    sources = {pair: f"{pair[0].replace(' ', '_')} {pair[1]}".strip() for pair in set(tools)}
    text = _column(columns["value"])
    return Published(
        run=_column(columns["run"]),
        source=_column([sources[pair] for pair in tools]),
        topic=_column(columns["topic"]),
        text=text,
        value=np.array([number(name.strip()) for name in text.names])[text.number],
        half=np.array([_half(name) for name in text.names])[text.number],
    )


def split(source: str) -> tuple[str, str]:
    """Tool and measure of a source."""
    tool, _, measure = source.partition(" ")
    return (tool, measure) if measure else ("", tool)


def _read(path: Path) -> dict[str, list[str]]:
    text = read_text(path, what="published result", line=PUBLISHED_LINE)
    lines = text.rstrip("\n").split("\n")
    rows = outputs.rows(path, lines) if outputs.is_output(lines[0]) else _table(path, lines)
    if max(map(len, lines)) > LONGEST:
        for line, row in rows:
            refuse_long(path, line, row[:-1])
    bad = {text for text in {row[-1] for _, row in rows} if math.isnan(number(text.strip()))}
    for line, row in rows if bad else ():
        if row[-1] in bad:
            raise InputError(
                f"{path}, line {line}: the value '{cut(row[-1])}' is not a number; correct it"
            )
    if not rows:
        raise InputError(f"{path}: no value in this file; take it out of audit.published")
    return {name: [row[at] for _, row in rows] for at, name in enumerate(COLUMNS)}


def _table(path: Path, lines: list[str]) -> list[tuple[int, Sequence[str]]]:
    """The number of each line with its values in the order of COLUMNS, the run's tag left out."""
    first, *rest = lines
    header = [name.strip().lower() for name in first.split("\t")]
    missing = [name for name in NEEDED if name not in header]
    if missing:
        raise InputError(
            f"{path}, line 1: no column '{missing[0]}'; the first line must name the columns "
            f"{', '.join(COLUMNS)}, with tabs between them, or be of trec_eval -q or ubire"
        )
    width = len(header)
    for line, text in enumerate(rest, start=2):
        if (tabs := text.count("\t")) != width - 1:
            raise InputError(
                f"{path}, line {line}: {tabs + 1} fields where the first line names "
                f"{width}; correct the line"
            )
    # Column by column: of a quarter of a million lines each, a list a line would take a second.
    fields = "\t".join(rest).split("\t") if rest else []
    blank = [""] * len(rest)  # of a column that is not there
    columns = [fields[header.index(n) :: width] if n in header else blank for n in COLUMNS]
    tags = fields[header.index("measure") :: width]
    rows = zip(range(2, len(lines) + 1), zip(*columns, strict=True), strict=True)
    return [row for row, tag in zip(rows, tags, strict=True) if tag != RUN_TAG]


def _column(values: Sequence[str]) -> Column:
    places = {name: place for place, name in enumerate(dict.fromkeys(values))}
    return Column(tuple(places), np.array([places[value] for value in values], np.int64))


def _half(text: str) -> float:
    mantissa, _, exponent = text.strip().lower().partition("e")
    digits = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return float(0.5 * 10.0**-digits)
