"""Published results, one value per line, with the digits it was printed with.

Either a table, tab-separated with a line of column names, or what a tool itself prints, one file
per run: trec_eval's `-q` output, ubire's, and ndeval's. The first two have a line for each value:
the measure, the topic, then the value. ubire separates by tabs and in its first version puts the
run before the value, except in the lines over all topics. ndeval has a line for each topic,
separated by commas, and a first line that names the measures. The run is the file's name; a
campaign adds an ending for what else it computed.
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
ALL = "all"  # the topic of a figure over all topics
# The ending of a campaign's file, and the tool that wrote it: nDCG comes from the graded labels.
ENDINGS = {".ndcg": "trec_eval-graded", ".urbp": "ubire", ".csv": "ndeval"}
RUN_TAG = "runid"  # trec_eval prints the run's tag among the measures
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

    def among(self, known: Sequence[str]) -> Ints:
        """[row]: the place of the name among the known ones, -1 for none."""
        where = {name: place for place, name in enumerate(known)}
        return np.array([where.get(name, -1) for name in self.names], np.int64)[self.number]


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

    def agrees(self, ours: Floats, rows: Ints | slice = slice(None)) -> Bools:
        """Which of our values print as the published ones; rounding of an exact half may differ."""
        return np.asarray(np.abs(ours - self.value[rows]) <= self.half[rows] + 1e-9)


def read(files: Sequence[Path]) -> Published:
    """Read published results: tables, whose first line names the columns, and tools' outputs."""
    columns: dict[str, list[str]] = {name: [] for name in COLUMNS}
    for path in files:
        for name, values in _read(path).items():
            columns[name] += values
    tools = list(zip(columns["tool"], columns["measure"], strict=True))
    sources = {pair: f"{pair[0].replace(' ', '_')} {pair[1]}".strip() for pair in set(tools)}
    text = Column.of(columns["value"])
    return Published(
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
            raise InputError(Problem(path, what, "correct it", line=line))
    if not rows:
        raise InputError(Problem(path, "no value in this file", "take it out of audit.published"))
    return {name: [row[at] for _, row in rows] for at, name in enumerate(COLUMNS)}


def _table(path: Path, lines: list[str]) -> Rows:
    """The rows of a table, the run's tag left out."""
    first, *rest = lines
    header = [name.strip().lower() for name in first.split("\t")]
    missing = [name for name in NEEDED if name not in header]
    if missing:
        fix = (
            f"the first line must name the columns {', '.join(COLUMNS)}, with tabs between them, "
            "or be of trec_eval -q or ubire"
        )
        raise InputError(Problem(path, f"no column '{missing[0]}'", fix, line=1))
    width = len(header)
    for line, text in enumerate(rest, start=2):
        if (tabs := text.count("\t")) != width - 1:
            raise _wrong_width(path, line, tabs + 1, width)
    # Column by column: of a quarter of a million lines each, a list a line would take a second.
    fields = "\t".join(rest).split("\t") if rest else []
    blank = [""] * len(rest)  # of a column that is not there
    columns = [fields[header.index(n) :: width] if n in header else blank for n in COLUMNS]
    tags = fields[header.index("measure") :: width]
    rows = zip(range(2, len(lines) + 1), zip(*columns, strict=True), strict=True)
    return [row for row, tag in zip(rows, tags, strict=True) if tag != RUN_TAG]


def is_output(first: str) -> bool:
    """Whether a file that starts with this line is a tool's output and not a table."""
    fields = first.split()
    if first.startswith(NDEVAL) or fields[:1] == [RUN_TAG]:
        return True
    return len(fields) in (3, 4) and NUMBER.fullmatch(fields[-1]) is not None


def run_and_tool(path: Path, *, first: str) -> tuple[str, str]:
    """The run a file is about and the tool that wrote it.

    >>> run_and_tool(Path("evals/CUNI_EN_Run.1.dat.urbp"), first="RBP(0.8) qtest.1 0.5")
    ('CUNI_EN_Run.1.dat', 'ubire')
    """
    name = path.name.removesuffix(".gz")
    for ending, tool in ENDINGS.items():
        if name.endswith(ending):
            return name.removesuffix(ending), tool
    return name, "ubire" if UBIRE.match(first) else "trec_eval"


def _output(path: Path, lines: list[str]) -> Rows:
    """The rows of a tool's output, the run's tag left out."""
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
            what = f"the run '{fields[2]}' where the file is named after '{run}'"
            raise InputError(Problem(path, what, "rename the file or correct the line", line=line))
        if len(fields) not in (3, 4):
            fix = "write measure, topic and value, as trec_eval -q and ubire do"
            raise InputError(Problem(path, f"{len(fields)} fields", fix, line=line))
        rows.append((line, (run, tool, fields[0], fields[1], fields[-1])))
    return rows


def _wrong_width(path: Path, line: int, fields: int, wanted: int) -> InputError:
    what = f"{fields} fields where the first line names {wanted}"
    return InputError(Problem(path, what, "correct the line", line=line))


def _half(text: str) -> float:
    mantissa, _, exponent = text.strip().lower().partition("e")
    digits = len(mantissa.partition(".")[2]) - int(exponent or 0)
    return float(0.5 * 10.0**-digits)
