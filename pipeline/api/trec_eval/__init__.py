"""A drop-in for trec_eval: its options, its measures, its output, for many runs in one call."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import numpy as np

from pipeline.api.trec_eval import loose
from pipeline.api.trec_eval.names import Asked, Printed, printed
from pipeline.api.trec_eval.options import Options, Stop, parse
from pipeline.errors import InputError
from pipeline.gains import relevance_strings
from pipeline.gains.dimension import UNJUDGED
from pipeline.gains.gains import Gains
from pipeline.gains.gather import Reading, gather
from pipeline.labels import judgements
from pipeline.labels.judgements import Judgements
from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.labels.scale import Scale
from pipeline.measures import parse as parse_measure
from pipeline.measures.measure import Single
from pipeline.storage.arrays import Bools, Floats

FIRST, POOL = "topicality", "pool"
NONE_IN_COMMON = 7  # the exit code where no topic has both results and judgements


def main(
    argv: Sequence[str], *, stdin: Any = None, stdout: IO[str] | None = None,
    stderr: IO[str] | None = None,
) -> int:  # fmt: skip
    """Do what `trec_eval argv` does; the exit code."""
    out, told = stdout or sys.stdout, stderr or sys.stderr
    try:
        options = parse(argv)
        lines = printed(
            options.measures,
            Asked(nearest=not options.nine, collection=options.collection),
        )
    except Stop as stop:
        print(stop.said, file=told if stop.error else out)
        return stop.code
    except InputError as error:
        print(f"trec_eval: {error}", file=told)
        return 1
    try:
        with TemporaryDirectory() as folder:
            runs = [_file(run, folder, stdin) for run in options.runs]
            found = Figures(options, lines, runs)
    except InputError as error:
        print(f"trec_eval: {error}", file=told)
        return 2
    for run in range(len(runs)):
        if not found.counted[run].any():
            name = options.runs[run]
            print(f"trec_eval: {name}: no topic has both results and judgements", file=told)
            return NONE_IN_COMMON
        out.writelines(found.output(run))
    return 0


def _file(run: str, folder: str, stdin: Any) -> Path:
    """A run as a file; what comes in by pipe may be read again."""
    if run != "-":
        return Path(run)
    path = Path(folder) / "stdin"
    path.write_bytes((stdin or sys.stdin.buffer).read())
    return path


class Figures:
    """The figures of several runs, and how they are printed."""

    def __init__(self, options: Options, lines: Sequence[Printed], runs: Sequence[Path]) -> None:
        self._options, self._lines = options, lines
        qrels = read_qrels(Path(options.qrels))
        qrels = replace(qrels, label=np.trunc(qrels.label))
        maps = dict.fromkeys(line.gains for line in lines if line.gains)
        self._places = {gains: f"gains{place}" for place, gains in enumerate(maps)}
        labels = {FIRST: _judged(qrels, options.level)}
        for gains, name in self._places.items():
            labels[name] = _gaining(qrels, dict(gains), options.level)
        if (qrels.label < 0).any():
            labels[POOL] = _pooled(qrels)
        # trec_eval goes through topics in the order of their bytes.
        topics = sorted(set(qrels.topic), key=str.encode)
        named = {str(place): path for place, path in enumerate(runs)}
        gains_, self.tags = _gathered(named, labels, topics, options)
        answered = gains_.length.reshape(len(runs), -1) > 0
        self.counted: Bools = np.ones_like(answered) if options.complete else answered
        if POOL in gains_.dimensions:
            others = {n: d for n, d in gains_.dimensions.items() if n != POOL}
            sampled = gains_.dimensions[POOL].codes > UNJUDGED
            gains_ = replace(gains_, dimensions=others, sampled=sampled, cache={})
        self._gains = gains_.condensed(FIRST) if options.judged else gains_
        self._values: dict[tuple[str, str], Floats] = {}

    @cached_property
    def _table(self) -> list[tuple[Printed, Floats | None]]:
        return [(line, self._of(line) if line.text else None) for line in self._lines]

    def output(self, run: int) -> Iterator[str]:
        """All lines about one run, as trec_eval prints them."""
        topics = self._gains.topics
        rows = np.flatnonzero(self.counted[run]).tolist()
        if self._options.topics:
            shown = [
                (f"{line.name:<22}\t", self._cells(line, values, run))
                for line, values in self._table
                if line.topics
            ]
            for row in rows:
                end = f"{topics[row]}\t"
                for head, cells in shown:
                    yield f"{head}{end}{cells[row]}\n"
        if self._options.summary:
            for line, values in self._table:
                if line.summary:
                    yield f"{line.name:<22}\tall\t{self._over(line, values, run, rows)}\n"

    def _cells(self, line: Printed, values: Floats | None, run: int) -> Sequence[str]:
        if values is None:
            return [f"'{text}'" for text in self._strings(line.size)[run]]
        mine = values[run].tolist()
        return [f"{value:.0f}" for value in mine] if line.whole else [f"{v:6.4f}" for v in mine]

    def _over(self, line: Printed, values: Floats | None, run: int, rows: Sequence[int]) -> str:
        """A figure over the topics that count, added up in their order as trec_eval does."""
        if line.word == "runid":
            return self.tags[str(run)]
        if values is None:
            return str(len(rows))
        mine = values[run, rows]
        if line.whole:
            return f"{mine.sum():.0f}"
        if not line.topics:  # the geometric ones
            mine = np.log(np.maximum(mine, 1e-5))
        mean = float(np.cumsum(mine)[-1]) / len(rows)
        return f"{mean if line.topics else np.exp(mean):6.4f}"

    def _of(self, line: Printed) -> Floats:
        """[run, topic]: the values of a line; several measures joined by + are averaged."""
        on = self._places.get(line.gains, FIRST)
        parts = [self._measured(text, on) for text in line.text.split("+")]
        return parts[0] if len(parts) == 1 else np.asarray(sum(parts) / len(parts))

    def _measured(self, text: str, on: str) -> Floats:
        if (text, on) not in self._values:
            measure = parse_measure(text, dimensions=[on])
            assert isinstance(measure, Single)
            found = measure.value(self._gains).reshape(len(self._gains.runs), -1)
            self._values[text, on] = found
        return self._values[text, on]

    def _strings(self, size: int) -> list[list[str]]:
        every = relevance_strings.of(self._gains.dimensions[FIRST], depth=size)
        sampled = self._gains.sampled
        if sampled is not None:
            for row, rank in np.argwhere(sampled[:, :size]).tolist():
                every[row] = f"{every[row][:rank]}.{every[row][rank + 1 :]}"
        each = len(self._gains.topics)
        return [every[at : at + each] for at in range(0, len(every), each)]


def _judged(qrels: Qrels, level: int) -> Judgements:
    """Labels as trec_eval reads them: whole, from 0 up; those below 0 are not judged."""
    highest = max(1.0, float(level), float(qrels.label.max(initial=1.0)))
    codes = tuple(sorted({value for value in qrels.label.tolist() if value < 0}))
    scale = Scale(0.0, highest, "high", float(level), None, codes)
    return judgements.settled([qrels], scale=scale)


def _gaining(qrels: Qrels, gains: Mapping[int, float], level: int) -> Judgements:
    """The same, some labels with other gains; what is relevant stays."""
    made = np.array([gains.get(int(v), v) if v >= 0 else v for v in qrels.label.tolist()])
    found = _judged(replace(qrels, label=made), level)
    relevant = _judged(qrels, level)
    return replace(found, binary=relevant.binary)


def _pooled(qrels: Qrels) -> Judgements:
    """The documents of the pool that nobody judged, each with the label 1."""
    kept = np.flatnonzero(qrels.label < 0).tolist()
    some = replace(
        qrels,
        topic=[qrels.topic[at] for at in kept],
        document=[qrels.document[at] for at in kept],
        label=np.ones(len(kept)),
        line=[qrels.line[at] for at in kept],
    )
    return judgements.settled([some], scale=Scale(0.0, 1.0, "high", 1.0, None, ()))


def _gathered(
    runs: Mapping[str, Path],
    labels: Mapping[str, Judgements],
    topics: Sequence[str],
    options: Options,
) -> tuple[Gains, dict[str, str]]:
    reading = Reading(order="score32" if options.nine else "score64", depth=options.depth)
    tags: dict[str, str] = {}
    try:
        return gather(runs, labels=labels, reading=reading, topics=topics, tags=tags), tags
    except InputError as error:
        if not loose.needed(error):
            raise
    with TemporaryDirectory() as folder:
        made = {name: Path(folder) / name for name in runs}
        for name, path in runs.items():
            loose.written(path, made[name])
        try:
            return gather(made, labels=labels, reading=reading, topics=topics, tags=tags), tags
        except InputError as error:
            told = str(error)
            for name, path in runs.items():
                told = told.replace(f"{made[name]},", f"{path},").replace(
                    f"{made[name]}:", f"{path}:"
                )
            raise InputError(told) from None
