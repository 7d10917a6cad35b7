"""A drop-in replacement of trec_eval: its options, measures and output, for several runs."""

import gc
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.api.trec_eval.names import Options, OutputLine, Stop, output_lines, parse
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
from pipeline.runs.reader import RunPolicies
from pipeline.storage.arrays import Bools
from pipeline.storage.text import read_bytes

FIRST, POOL = "topicality", "pool"
NO_COMMON_TOPIC = 7  # the exit code if no topic has both results and judgements
SETTING = "use 'fathom evaluate --{option} {value}'"  # trec_eval has no such options


def main(argv: Sequence[str]) -> int:
    """Do what `trec_eval argv` does; returns the exit code."""
    code = 1  # until the options are read
    try:
        options = parse(argv)
        lines = output_lines(options.measures, options)
        code = 2
        scores = TrecScores(options, lines)
        for run, name in enumerate(options.runs):
            if not scores.counted[run].any():
                code = NO_COMMON_TOPIC
                raise InputError(Problem(name, "no topic has both results and judgements"))
            sys.stdout.write(scores.output(run))
    except Stop as stop:
        print(stop.text, file=sys.stderr if stop.error else sys.stdout)
        return stop.code
    except InputError as error:
        print(f"trec_eval: {error}", file=sys.stderr)
        return code
    return 0


def process(argv: Sequence[str]) -> int:
    """As `main`, for a process of its own, which a closed pipe (`... | head`) ends silently."""
    import signal

    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    gc.disable()  # the process ends before garbage matters
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


class TrecScores:
    """The scores of several runs, and their output."""

    def __init__(self, options: Options, lines: Sequence[OutputLine]) -> None:
        self._options = options
        qrels = read_qrels(Path(options.qrels))
        qrels = replace(qrels, label=np.trunc(qrels.label))
        maps = dict.fromkeys(line.gains for line in lines if line.gains)
        self._places = {gains: f"gains{place}" for place, gains in enumerate(maps)}
        labels = {FIRST: _judgements(qrels, options.level)}
        for gains, name in self._places.items():
            labels[name] = _with_gains(qrels, dict(gains), options.level)
        if (qrels.label < 0).any():
            labels[POOL] = _pooled_only(qrels)
        # trec_eval prints topics in the order of their bytes.
        topics = sorted(set(qrels.topic), key=str.encode)
        self.tags: dict[str, str] = {}
        data = self._read_gains(labels, topics)
        answered = data.length.reshape(len(options.runs), -1) > 0
        self.counted: Bools = np.ones_like(answered) if options.complete else answered
        if POOL in data.dimensions:
            dimensions = {name: d for name, d in data.dimensions.items() if name != POOL}
            sampled = data.dimensions[POOL].codes > UNJUDGED
            data = replace(data, dimensions=dimensions, sampled=sampled, cache={})
        self._gains = data.condensed(FIRST) if options.judged else data
        self._table = [(line, self._values(line)) for line in lines]
        summaries = [pair for pair in self._table if pair[0].summary]
        self._summaries = [(line, self._overall(line, values)) for line, values in summaries]

    def _read_gains(self, labels: Mapping[str, Judgements], topics: Sequence[str]) -> Gains:
        """Read the runs and join them with the labels; keeps the tag of each run."""
        order = "score32" if self._options.float32 else "score64"
        policies = RunPolicies(order=order, depth=self._options.depth, setting=SETTING)
        runs = {str(place): Path(run) for place, run in enumerate(self._options.runs)}
        if all(path.is_file() for path in runs.values()):  # a pipe can be read only once
            try:
                return build(runs, labels, policies, topics=topics, tags=self.tags)
            except InputError as error:
                texts = [problem.what for problem in error.problems]
                if not any("fields" in text or "the rank '" in text for text in texts):
                    raise
        return build(runs, labels, replace(policies, form=LENIENT), topics=topics, tags=self.tags)

    def output(self, run: int) -> str:
        by_topic = self._by_topic(run) if self._options.topics else ""
        if not self._options.summary:
            return by_topic
        overall = (f"{line.name:<22}\tall\t{cells[run]}\n" for line, cells in self._summaries)
        return by_topic + "".join(overall)

    def _by_topic(self, run: int) -> str:
        template, columns = "", []
        for line, values in self._table:
            if line.topics and values is not None:
                form = "%s" if not line.text else "%.0f" if line.whole else "%6.4f"
                template += f"{line.name:<22}\t\n\t{form}\n"
                columns.append(values[run].tolist())
        rows = np.flatnonzero(self.counted[run]).tolist()
        topics = ((row, self._gains.topics[row].replace("%", "%%")) for row in rows)
        return "".join(
            template.replace("\t\n\t", f"\t{topic}\t") % tuple(column[row] for column in columns)
            for row, topic in topics
        )

    def _overall(self, line: OutputLine, values: NDArray[Any] | None) -> Sequence[str]:
        """The summary of each run over the topics that count, summed in trec_eval's order."""
        runs = range(len(self._gains.runs))
        if line.name == "runid":
            return [self.tags[str(run)] for run in runs]
        count = self.counted.sum(axis=1)
        if values is None:
            return [str(number) for number in count.tolist()]
        if not line.topics:  # geometric means
            values = np.log(np.maximum(values, 1e-5))
        total = np.cumsum(np.where(self.counted, values, 0.0), axis=1)[:, -1]
        if line.whole:
            return [f"{number:.0f}" for number in total.tolist()]
        mean = total / np.maximum(count, 1)
        return [f"{value:6.4f}" for value in (mean if line.topics else np.exp(mean)).tolist()]

    def _values(self, line: OutputLine) -> NDArray[Any] | None:
        """The values of a line as [run, topic]; measures joined by + are averaged."""
        if not line.summary:
            return self._strings(line.size)
        dimensions = [self._places.get(line.gains, FIRST)]
        texts = filter(None, line.text.split("+"))
        parts = [parse_measure(text, dimensions=dimensions) for text in texts]
        values = [part.value(self._gains).reshape(len(self._gains.runs), -1) for part in parts]
        if len(values) > 1:
            return np.asarray(sum(values) / len(values))
        return values[0] if values else None

    def _strings(self, size: int) -> NDArray[Any]:
        """Relevance strings in quotes, as [run, topic]."""
        from pipeline.gains import relevance_strings  # rarely used

        strings = relevance_strings.of(self._gains.dimensions[FIRST], depth=size)
        if self._gains.sampled is not None:
            for row, rank in np.argwhere(self._gains.sampled[:, :size]).tolist():
                strings[row] = f"{strings[row][:rank]}.{strings[row][rank + 1 :]}"
        quoted = np.array([f"'{text}'" for text in strings], object)
        return quoted.reshape(len(self._gains.runs), -1)


def _judgements(qrels: Qrels, level: int) -> Judgements:
    """Labels as trec_eval reads them: whole numbers; those below 0 mean unjudged."""
    highest = max(1.0, float(level), float(qrels.label.max(initial=1.0)))
    codes = tuple(np.unique(qrels.label[qrels.label < 0]).tolist())
    scale = Scale(0.0, highest, "high", float(level), None, codes)
    return judgements.from_qrels([qrels], scale=scale)


def _with_gains(qrels: Qrels, gains: Mapping[int, float], level: int) -> Judgements:
    """The same judgements with other gains for some labels; relevance is unchanged."""
    labels = np.array([gains.get(int(v), v) if v >= 0 else v for v in qrels.label.tolist()])
    binary = _judgements(qrels, level).binary
    return replace(_judgements(replace(qrels, label=labels), level), binary=binary)


def _pooled_only(qrels: Qrels) -> Judgements:
    """The reverse: only documents that were pooled but not judged have a label."""
    lowest, highest = float(qrels.label.min()), float(qrels.label.max())
    codes = tuple(np.unique(qrels.label[qrels.label >= 0]).tolist())
    scale = Scale(lowest, max(highest, 0.0), "high", 0.0, None, codes)
    return judgements.from_qrels([qrels], scale=scale)


def _read_lenient(path: Path) -> bytes:
    """The lines of a run with rank 0 and without a seventh field, which trec_eval ignores."""
    source = Path("/dev/stdin") if str(path) == "-" else path
    lines = map(bytes.split, read_bytes(source, what="run", line=RUN_LINE).split(b"\n"))
    normal = ([*fields[:3], b"0", *fields[4:6]] if len(fields) > 5 else fields for fields in lines)
    return b"\n".join(map(b" ".join, normal))


LENIENT = Format(name="trec_eval", title="runs as trec_eval reads them", function=_read_lenient)
