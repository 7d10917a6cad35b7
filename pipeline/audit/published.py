"""Read published results with the precision they were printed with.

A file is either a tab-separated table with a header, or the output of a tool for one run. trec_eval
`-q` and ubire print one line per value: measure, topic, value. ubire separates by tabs, and its
first version has the run before the value, except for values over all topics. ndeval prints one
comma-separated line per topic after a header with the measures. The run is the file's name, without
the ending that a campaign adds for other tools' output.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.storage.arrays import Bools, Floats, Ints
from pipeline.storage.text import LONGEST, cut, number, read_text, refuse_long

COLUMNS = ("run", "tool", "measure", "topic", "value")
NEEDED = ("run", "measure", "topic", "value")
PUBLISHED_LINE = "run tool measure topic value"
ALL = "all"  # the topic of a value over all topics
# File endings of CLEF eHealth and the tool that wrote them; nDCG is from graded labels.
ENDINGS = {".ndcg": "trec_eval-graded", ".urbp": "ubire", ".csv": "ndeval"}
RUN_TAG = "runid"  # trec_eval prints the run's tag as a measure
UBIRE = re.compile(r"u?RBP(gr)?\(")
NDEVAL = "runid,topic,"  # then the measures
MEAN = "amean"  # ndeval's topic of a mean over topics
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
Rows = list[tuple[int, Sequence[str]]]  # the number of each line, with its values as in COLUMNS


@dataclass(frozen=True)
class Column:
    """Names by number: `names[number[i]]` is the name in row i."""

    names: tuple[str, ...]
    number: Ints

    @classmethod
    def of(cls, values: Sequence[str]) -> "Column":
        places = {name: place for place, name in enumerate(dict.fromkeys(values))}
        return cls(tuple(places), np.array([places[value] for value in values], np.int64))

    def among(self, candidates: Sequence[str]) -> Ints:
        """[row]: the position of the name among the candidates, -1 if absent."""
        places = {name: place for place, name in enumerate(candidates)}
        return np.array([places.get(name, -1) for name in self.names], np.int64)[self.number]


@dataclass(frozen=True)
class PublishedValues:
    """The published values of all files, in order."""

    run: Column
    source: Column  # tool and measure: "trec_eval P_10"; tools have no space in their names
    topic: Column
    text: Column  # the value as printed
    value: Floats
    half: Floats  # half a unit of the last printed digit

    def __len__(self) -> int:
        return len(self.value)

    def agrees(self, values: Floats, rows: Ints | slice = slice(None)) -> Bools:
        """Which values print as the published ones; exact halves may round either way."""
        return np.asarray(np.abs(values - self.value[rows]) <= self.half[rows] + 1e-9)


def read(files: Sequence[Path]) -> PublishedValues:
    """Read published results: tables with a header, and outputs of tools."""
    parts = [_read(path) for path in files]
    columns = {name: [text for part in parts for text in part[name]] for name in COLUMNS}
    tools = list(zip(columns["tool"], columns["measure"], strict=True))
    sources = {pair: f"{pair[0].replace(' ', '_')} {pair[1]}".strip() for pair in set(tools)}
    text = Column.of(columns["value"])
    return PublishedValues(
        run=Column.of(columns["run"]),
        source=Column.of([sources[pair] for pair in tools]),
        topic=Column.of(columns["topic"]),
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
    rows = (_output if is_output(lines[0]) else _table)(path, lines)
    if max(map(len, lines)) > LONGEST:
        for line, row in rows:
            refuse_long(path, line, row[:-1])
    bad = {text for text in {row[-1] for _, row in rows} if math.isnan(number(text.strip()))}
    for line, row in rows if bad else ():
        if row[-1] in bad:
            what = f"the value '{cut(row[-1])}' is not a number"
            raise InputError(Problem(path, what, "correct the value", line=line))
    if not rows:
        raise InputError(Problem(path, "has no values", "remove the file from audit.published"))
    return {name: [row[at] for _, row in rows] for at, name in enumerate(COLUMNS)}


def _table(path: Path, lines: list[str]) -> Rows:
    """The rows of a table, without the run's tag."""
    first, *rest = lines
    header = [name.strip().lower() for name in first.split("\t")]
    if missing := [name for name in NEEDED if name not in header]:
        fix = (
            f"start with a line of tab-separated column names ({', '.join(COLUMNS)}), "
            "or give the output of trec_eval -q, ubire or ndeval"
        )
        raise InputError(Problem(path, f"no column '{missing[0]}'", fix, line=1))
    width = len(header)
    for line, text in enumerate(rest, start=2):
        if (tabs := text.count("\t")) != width - 1:
            raise _wrong_width(path, line, tabs + 1, width)
    # By column: files have a quarter of a million lines, and a list per line takes a second.
    fields = "\t".join(rest).split("\t") if rest else []
    blank = [""] * len(rest)  # a missing column
    columns = [fields[header.index(n) :: width] if n in header else blank for n in COLUMNS]
    tags = fields[header.index("measure") :: width]
    rows = zip(range(2, len(lines) + 1), zip(*columns, strict=True), strict=True)
    return [row for row, tag in zip(rows, tags, strict=True) if tag != RUN_TAG]


def is_output(first: str) -> bool:
    """Whether a file with this first line is a tool's output, not a table."""
    fields = first.split()
    if first.startswith(NDEVAL) or fields[:1] == [RUN_TAG]:
        return True
    return len(fields) in (3, 4) and NUMBER.fullmatch(fields[-1]) is not None


def run_and_tool(path: Path, *, first: str) -> tuple[str, str]:
    """The run that a file evaluates and the tool that wrote the file.

    >>> run_and_tool(Path("evals/CUNI_EN_Run.1.dat.urbp"), first="RBP(0.8) qtest.1 0.5")
    ('CUNI_EN_Run.1.dat', 'ubire')
    """
    name = path.name.removesuffix(".gz")
    for ending, tool in ENDINGS.items():
        if name.endswith(ending):
            return name.removesuffix(ending), tool
    return name, "ubire" if UBIRE.match(first) else "trec_eval"


def _output(path: Path, lines: list[str]) -> Rows:
    """The rows of a tool's output, without the run's tag."""
    run, tool = run_and_tool(path, first=lines[0])
    rows: Rows = []
    if lines[0].startswith(NDEVAL):
        _, _, *measures = lines[0].strip().split(",")
        for line, text in enumerate(lines[1:], start=2):
            fields = text.strip().split(",")
            if len(fields) != len(measures) + 2:
                raise _wrong_width(path, line, len(fields), len(measures) + 2)
            _, topic, *values = fields
            topic = ALL if topic == MEAN else topic
            pairs = zip(measures, values, strict=True)
            rows += [(line, (run, "ndeval", measure, topic, value)) for measure, value in pairs]
        return rows
    for line, text in enumerate(lines, start=1):
        fields = text.split()
        if not fields or fields[0] == RUN_TAG:
            continue
        if len(fields) == 4 and fields[2] != run:
            what = f"has the run '{fields[2]}', but the file is named after '{run}'"
            raise InputError(Problem(path, what, "rename the file or correct the line", line=line))
        if len(fields) not in (3, 4):
            fix = "write measure, topic and value, like trec_eval -q and ubire"
            raise InputError(Problem(path, f"has {len(fields)} fields, not 3 or 4", fix, line=line))
        rows.append((line, (run, tool, fields[0], fields[1], fields[-1])))
    return rows


def _wrong_width(path: Path, line: int, fields: int, expected: int) -> InputError:
    what = f"has {fields} fields, but the header names {expected}"
    return InputError(Problem(path, what, "correct the line", line=line))


def _half(text: str) -> float:
    mantissa, _, exponent = text.strip().lower().partition("e")
    digits = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return float(0.5 * 10.0**-digits)
