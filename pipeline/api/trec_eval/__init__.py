"""A drop-in for trec_eval: its options, its measures, its output, for many runs in one call."""

import gc
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.api.trec_eval.names import Options, Printed, Stop, parse, printed
from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem
from pipeline.gains.build import build
from pipeline.gains.dimension import UNJUDGED
from pipeline.gains.gains import Gains
from pipeline.labels import judgements
from pipeline.labels.judgements import Judgements
from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.measures import parse as parse_measure
from pipeline.runs.format import RUN_LINE, Format
from pipeline.runs.reader import Policies
from pipeline.storage.arrays import Bools
from pipeline.storage.text import read_bytes

FIRST, POOL = "topicality", "pool"
NONE_IN_COMMON = 7  # the exit code where no topic has both results and judgements


def main(argv: Sequence[str]) -> int:
    """Do what `trec_eval argv` does; the exit code."""
    code = 1  # until the options are read
    try:
        options = parse(argv)
        wanted = printed(options.measures, options)
        code = 2
        found = Figures(options, wanted)
        for run, name in enumerate(options.runs):
            if not found.counted[run].any():
                code = NONE_IN_COMMON
                raise InputError(Problem(name, "no topic has both results and judgements"))
            sys.stdout.write(found.output(run))
    except Stop as stop:
        print(stop.said, file=sys.stderr if stop.error else sys.stdout)
        return stop.code
    except InputError as error:
        print(f"trec_eval: {error}", file=sys.stderr)
        return code
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

    def __init__(self, options: Options, shown: Sequence[Printed]) -> None:
        self._options = options
        qrels = read_qrels(Path(options.qrels))
        qrels = replace(qrels, label=np.trunc(qrels.label))
        maps = dict.fromkeys(line.gains for line in shown if line.gains)
        self._places = {gains: f"gains{place}" for place, gains in enumerate(maps)}
        labels = {FIRST: _judged(qrels, options.level)}
        for gains, name in self._places.items():
            labels[name] = _gaining(qrels, dict(gains), options.level)
        if (qrels.label < 0).any():
            labels[POOL] = _unjudged(qrels)
        # trec_eval goes through topics in the order of their bytes.
        topics = sorted(set(qrels.topic), key=str.encode)
        self.tags: dict[str, str] = {}
        gains_ = self._gathered(labels, topics)
        answered = gains_.length.reshape(len(options.runs), -1) > 0
        self.counted: Bools = np.ones_like(answered) if options.complete else answered
        if POOL in gains_.dimensions:
            others = {n: d for n, d in gains_.dimensions.items() if n != POOL}
            sampled = gains_.dimensions[POOL].codes > UNJUDGED
            gains_ = replace(gains_, dimensions=others, sampled=sampled, cache={})
        self._gains = gains_.condensed(FIRST) if options.judged else gains_
        self._table = [(line, self._of(line)) for line in shown]
        self._summaries = [(line, self._over(line, v)) for line, v in self._table if line.summary]

    def _gathered(self, labels: Mapping[str, Judgements], topics: Sequence[str]) -> Gains:
        """The runs met with the labels; keeps the tag of each."""
        order = "score32" if self._options.nine else "score64"
        reading = Policies(order=order, depth=self._options.depth)
        runs = {str(place): Path(run) for place, run in enumerate(self._options.runs)}
        if all(path.is_file() for path in runs.values()):  # what is piped can be read only once
            try:
                return build(runs, labels, reading, topics=topics, tags=self.tags)
            except InputError as error:
                whats = [problem.what for problem in error.problems]
                if not any("fields" in what or "the rank '" in what for what in whats):
                    raise
        return build(runs, labels, replace(reading, form=LOOSE), topics=topics, tags=self.tags)

    def output(self, run: int) -> str:
        """All lines about one run, as trec_eval prints them."""
        by_topic = self._by_topic(run) if self._options.topics else ""
        if not self._options.summary:
            return by_topic
        over = (f"{one.name:<22}\tall\t{figures[run]}\n" for one, figures in self._summaries)
        return by_topic + "".join(over)

    def _by_topic(self, run: int) -> str:
        template, columns = "", []
        for line, values in self._table:
            if line.topics and values is not None:
                form = "%s" if not line.text else "%.0f" if line.whole else "%6.4f"
                template += f"{line.name:<22}\t\n\t{form}\n"
                columns.append(values[run].tolist())
        rows = np.flatnonzero(self.counted[run]).tolist()
        named = ((row, self._gains.topics[row].replace("%", "%%")) for row in rows)
        return "".join(
            template.replace("\t\n\t", f"\t{topic}\t") % tuple(column[row] for column in columns)
            for row, topic in named
        )

    def _over(self, line: Printed, values: NDArray[Any] | None) -> Sequence[str]:
        """[run]: over the topics that count, added up in their order as trec_eval does."""
        runs = range(len(self._gains.runs))
        if line.name == "runid":
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

    def _of(self, line: Printed) -> NDArray[Any] | None:
        """[run, topic]: the values of a line; several measures joined by + are averaged."""
        if not line.summary:
            return self._strings(line.size)
        on = self._places.get(line.gains, FIRST)
        parts = [parse_measure(text, dimensions=[on]) for text in line.text.split("+") if text]
        values = [part.value(self._gains).reshape(len(self._gains.runs), -1) for part in parts]
        if len(values) > 1:
            return np.asarray(sum(values) / len(values))
        return values[0] if values else None

    def _strings(self, size: int) -> NDArray[Any]:
        """[run, topic]: relevance strings in quotes."""
        from pipeline.gains import relevance_strings  # seldom asked for

        every = relevance_strings.of(self._gains.dimensions[FIRST], depth=size)
        if self._gains.sampled is not None:
            for row, rank in np.argwhere(self._gains.sampled[:, :size]).tolist():
                every[row] = f"{every[row][:rank]}.{every[row][rank + 1 :]}"
        quoted = np.array([f"'{text}'" for text in every], object)
        return quoted.reshape(len(self._gains.runs), -1)


def _judged(qrels: Qrels, level: int) -> Judgements:
    """Labels as trec_eval reads them: whole, from 0 up; those below 0 are not judged."""
    highest = max(1.0, float(level), float(qrels.label.max(initial=1.0)))
    codes = tuple(np.unique(qrels.label[qrels.label < 0]).tolist())
    scale = Scale(0.0, highest, "high", float(level), None, codes)
    return judgements.settled([qrels], scale=scale)


def _gaining(qrels: Qrels, gains: Mapping[int, float], level: int) -> Judgements:
    """The same, some labels with other gains; what is relevant stays."""
    made = np.array([gains.get(int(v), v) if v >= 0 else v for v in qrels.label.tolist()])
    return replace(_judged(replace(qrels, label=made), level), binary=_judged(qrels, level).binary)


def _unjudged(qrels: Qrels) -> Judgements:
    """The other way round: only the documents of the pool that nobody judged have a label."""
    lowest, highest = float(qrels.label.min()), float(qrels.label.max())
    codes = tuple(np.unique(qrels.label[qrels.label >= 0]).tolist())
    scale = Scale(lowest, max(highest, 0.0), "high", 0.0, None, codes)
    return judgements.settled([qrels], scale=scale)


def _read_loose(path: Path) -> bytes:
    """The lines of a run, the rank being 0, without a seventh field: trec_eval reads neither."""
    source = Path("/dev/stdin") if str(path) == "-" else path
    every = map(bytes.split, read_bytes(source, what="run", line=RUN_LINE).split(b"\n"))
    kept = ([*line[:3], b"0", *line[4:6]] if len(line) > 5 else line for line in every)
    return b"\n".join(map(b" ".join, kept))


LOOSE = Format(name="trec_eval", title="runs as trec_eval reads them", function=_read_loose)
