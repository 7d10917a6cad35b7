"""A drop-in for trec_eval: its options, its measures, its output, for many runs in one call."""

import gc
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import IO, Any

import numpy as np

from pipeline.api.trec_eval import lines
from pipeline.api.trec_eval.names import Asked, Printed, printed
from pipeline.api.trec_eval.options import Options, Stop, parse
from pipeline.errors import InputError
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
        asked = Asked(nearest=not options.nine, collection=options.collection)
        wanted = printed(options.measures, asked)
    except Stop as stop:
        print(stop.said, file=told if stop.error else out)
        return stop.code
    except InputError as error:
        print(f"trec_eval: {error}", file=told)
        return 1
    try:
        found = Figures(options, wanted, [Path(run) for run in options.runs], stdin=stdin)
    except InputError as error:
        print(f"trec_eval: {error}", file=told)
        return 2
    for run in range(len(options.runs)):
        if not found.counted[run].any():
            name = options.runs[run]
            print(f"trec_eval: {name}: no topic has both results and judgements", file=told)
            return NONE_IN_COMMON
        out.write(found.output(run))
    return 0


def process(argv: Sequence[str]) -> int:
    """As `main`, for a process of its own: `... | head` ends it quietly, as other tools."""
    import signal

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    gc.disable()  # a process this short ends before there is anything to collect
    try:
        code = main(argv)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        from pipeline.storage.streams import unwritten

        print(f"trec_eval: {unwritten(error)}", file=sys.stderr)
        return 1


class Figures:
    """The figures of several runs, and how they are printed."""

    def __init__(
        self, options: Options, shown: Sequence[Printed], runs: Sequence[Path], *, stdin: Any = None
    ) -> None:
        self._options, self._lines = options, shown
        qrels = read_qrels(Path(options.qrels))
        qrels = replace(qrels, label=np.trunc(qrels.label))
        maps = dict.fromkeys(line.gains for line in shown if line.gains)
        self._places = {gains: f"gains{place}" for place, gains in enumerate(maps)}
        labels = {FIRST: _judged(qrels, options.level)}
        for gains, name in self._places.items():
            labels[name] = _gaining(qrels, dict(gains), options.level)
        if (qrels.label < 0).any():
            labels[POOL] = _pooled(qrels)
        # trec_eval goes through topics in the order of their bytes.
        topics = sorted(set(qrels.topic), key=str.encode)
        named = {str(place): path for place, path in enumerate(runs)}
        gains_, self.tags = _gathered(named, labels, topics, options, stdin)
        answered = gains_.length.reshape(len(runs), -1) > 0
        self.counted: Bools = np.ones_like(answered) if options.complete else answered
        if POOL in gains_.dimensions:
            others = {n: d for n, d in gains_.dimensions.items() if n != POOL}
            sampled = gains_.dimensions[POOL].codes > UNJUDGED
            gains_ = replace(gains_, dimensions=others, sampled=sampled, cache={})
        self._gains = gains_.condensed(FIRST) if options.judged else gains_
        self._values: dict[tuple[str, str], Floats] = {}
        self._texts: dict[int, list[list[str]]] = {}

    @cached_property
    def _table(self) -> list[tuple[Printed, Floats | None]]:
        return [(line, self._of(line) if line.text else None) for line in self._lines]

    def output(self, run: int) -> str:
        """All lines about one run, as trec_eval prints them."""
        by_topic = self._by_topic(run) if self._options.topics and self._shown else ""
        if not self._options.summary:
            return by_topic
        over = (f"{lines.head(one.name)}all\t{figures[run]}\n" for one, figures in self._summaries)
        return by_topic + "".join(over)

    def _by_topic(self, run: int) -> str:
        rows = np.flatnonzero(self.counted[run])
        names = [self._gains.topics[row] for row in rows.tolist()]
        strings = [self._strings(line.size)[run] for line in self._shown if not line.text]
        texts = [f"'{column[row]}'" for row in rows.tolist() for column in strings]
        return lines.lines(names, self._columns, self._figures[run][rows], texts)

    @cached_property
    def _shown(self) -> list[Printed]:
        """The lines that each topic has."""
        return [line for line, _ in self._table if line.topics]

    @cached_property
    def _columns(self) -> list[lines.Column]:
        kinds = {True: lines.WHOLE, False: lines.DECIMAL}
        return [
            lines.Column(one.name, kinds[one.whole] if one.text else lines.TEXT)
            for one in self._shown
        ]

    @cached_property
    def _figures(self) -> Floats:
        """[run, topic, line]: the figures of each topic; nothing where a line is a text."""
        nothing = np.zeros(self.counted.shape)
        shown = [values for line, values in self._table if line.topics]
        return np.stack([nothing if values is None else values for values in shown], axis=2)

    @cached_property
    def _summaries(self) -> list[tuple[Printed, Sequence[str]]]:
        """The lines over the topics, with the figure of each run."""
        return [(line, self._over(line, found)) for line, found in self._table if line.summary]

    def _over(self, line: Printed, values: Floats | None) -> Sequence[str]:
        """[run]: over the topics that count, added up in their order as trec_eval does."""
        runs = range(len(self._gains.runs))
        if line.word == "runid":
            return [self.tags[str(run)] for run in runs]
        count = self.counted.sum(axis=1)
        if values is None:
            return [str(number) for number in count.tolist()]
        if not line.topics:  # the geometric ones
            values = np.log(np.maximum(values, 1e-5))
        total = np.cumsum(np.where(self.counted, values, 0.0), axis=1)[:, -1]
        if line.whole:
            return [f"{number:.0f}" for number in total.tolist()]
        mean = total / np.maximum(count, 1)
        return [f"{value:6.4f}" for value in (mean if line.topics else np.exp(mean)).tolist()]

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
        if size not in self._texts:
            self._texts[size] = self._relevance_strings(size)
        return self._texts[size]

    def _relevance_strings(self, size: int) -> list[list[str]]:
        from pipeline.gains import relevance_strings  # seldom asked for

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
    stdin: Any,
) -> tuple[Gains, dict[str, str]]:
    """The runs met with the labels, and the tag of each."""
    reading = Reading(order="score32" if options.nine else "score64", depth=options.depth)
    tags: dict[str, str] = {}

    def gathered(files: Mapping[str, Path]) -> tuple[Gains, dict[str, str]]:
        return gather(files, labels=labels, reading=reading, topics=topics, tags=tags), tags

    piped = {name: path for name, path in runs.items() if str(path) == "-"}
    try:
        if not piped:
            return gathered(runs)
    except InputError as error:
        from pipeline.api.trec_eval import loose

        if not loose.needed(error):
            raise
    from tempfile import TemporaryDirectory  # seldom needed, and slow to import

    from pipeline.api.trec_eval import loose

    with TemporaryDirectory() as folder:
        given = dict(runs)
        for name in piped:  # what comes in by pipe can be read only once
            given[name] = Path(folder) / "stdin"
            given[name].write_bytes((stdin or sys.stdin.buffer).read())
        made = {name: Path(folder) / name for name in runs}
        for name, path in given.items():
            loose.written(path, made[name])
        try:
            return gathered(made)
        except InputError as error:
            told = str(error)
            for name, path in runs.items():
                told = told.replace(str(made[name]), str(path))
            raise InputError(told) from None
