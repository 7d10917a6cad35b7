"""The constructor of Gains: it joins rankings with labels.

    labels = {"topicality": read([Path("qrels.txt")], scale=...)}    # pipeline.labels.judgements
    gains = build({"bm25": Path("bm25.run")}, labels)
    parse("nDCG@10", dimensions=["topicality"]).value(gains)

Runs are files, mappings, or rankings that were read before; all are ranked alike. They become
document numbers [run x topic, rank], which `LabelLevels` turns into levels. Threads read files in
parallel, since the compiled reader releases the lock of the interpreter. Only rankings need Arrow,
whose import takes longer than an evaluation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import compress, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import each
from pipeline.gains.dimension import NOTHING, STORED, UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.labels.judgements import Judgements
from pipeline.runs.mappings import RunMapping, rank_mapping
from pipeline.runs.reader import RunPolicies, RunReader, joined, read_runs
from pipeline.storage.arrays import Floats, Ints

if TYPE_CHECKING:
    from pipeline.runs.rankings import Rankings

UNKNOWN, END = -1, -2  # numbers of an unjudged document, and past the end of a ranking
DEFAULT = RunPolicies()
THREADS = 2
BATCH = 32  # files whose documents are looked up together


class LabelLevels:
    """The labels of one dimension as levels: labels with the same gains have the same level.

    Level 0 means no document, level 1 an unjudged document; levels of labels start at 2.
    """

    def __init__(self, judged: Judgements, topics: Sequence[str]) -> None:
        judgeable = ~np.isnan(judged.gain)  # "cannot judge" counts as unjudged
        usable = judgeable.tolist()
        self.documents = list(compress(judged.document, usable))
        number_of: dict[str | None, int] = {topic: number for number, topic in enumerate(topics)}
        number_of[None] = -1  # every topic
        numbers = map(number_of.get, compress(judged.topic, usable), repeat(-2))
        self.topic: Ints = np.array(list(numbers), np.int64)
        lowest, highest, better = judged.scale
        self._scale = np.array([lowest, highest, -1.0 if better == "low" else 1.0])
        values = np.column_stack([getattr(judged, kind)[judgeable] for kind in STORED])
        each, self._chances = _by_subtopic(judged, topics)
        levels = _number_levels(values.reshape(-1, 3), each[judgeable])
        self._worth, self._subtopics, self.level = levels
        self._kind = np.uint8 if len(self._worth) <= 256 else np.int32

    def codes(
        self, number: NDArray[np.int32], place: Ints, *, documents: int, end: int
    ) -> NDArray[Any]:
        """The levels at every rank of numbered documents; rows are sorted by run, then topic.

        `place` has the number of each label's document, or -1 if no run retrieves it; `end` is the
        number past the end of a ranking.
        """
        codes, topics = np.empty(number.shape, self._kind), len(self._chances)
        level_of = np.full(documents + 2, UNJUDGED, self._kind)  # the last two: UNKNOWN and END
        all_topics = (self.topic == -1) & (place >= 0)
        level_of[place[all_topics]] = self.level[all_topics]
        level_of[end] = NOTHING
        labels = np.flatnonzero((self.topic >= 0) & (place >= 0))
        labels = labels[np.argsort(self.topic[labels], kind="stable")]
        bounds = np.searchsorted(self.topic[labels], np.arange(topics + 1))
        for t in range(topics):
            own = labels[bounds[t] : bounds[t + 1]]
            previous = level_of[place[own]]
            level_of[place[own]] = self.level[own]
            codes[t::topics] = level_of[number[t::topics]]
            level_of[place[own]] = previous
        return codes

    def dimension(self, codes: NDArray[Any]) -> Dimension:
        keep = self.topic >= -1
        return Dimension(
            codes=codes,
            worth=self._worth,
            scale=self._scale,
            judged_topic=self.topic[keep],
            judged_document=np.array(self.documents, dtype=str)[keep],
            judged_level=self.level[keep],
            subtopics=self._subtopics,
            chances=self._chances,
        )


def _by_subtopic(judged: Judgements, topics: Sequence[str]) -> tuple[Floats, Floats]:
    """[label, subtopic, stored reading] and [topic, subtopic] probabilities, padded with 0."""
    width = max((len(chances_of) for chances_of in judged.subtopics.values()), default=0)
    lowest, highest, better = judged.scale
    each = np.zeros((len(judged.label), width, 3))
    each[:, :, STORED.index("label")] = highest if better == "low" else lowest
    chances = np.zeros((len(topics), width))
    for index, reading in enumerate(STORED if width else ()):
        each[np.arange(width) < judged.size[:, None], index] = judged.each[reading]
    for row, topic in enumerate(topics):
        for column, chance in enumerate(judged.subtopics.get(topic, {}).values()):
            chances[row, column] = np.nan if chance is None else chance
    return each, chances


def _number_levels(values: Floats, each: Floats) -> tuple[Floats, Floats, Ints]:
    """The gains of each level, the same by subtopic, and the level of each label."""
    # Usually the label determines all gains, so only its few distinct values are compared.
    label = values[:, STORED.index("label")]
    _, first, index = np.unique(label, return_index=True, return_inverse=True)
    distinct, index = values[first], index.ravel()
    if each.shape[1] or not (distinct[index] == values).all():
        distinct = np.hstack([values, each.reshape(len(values), 3 * each.shape[1])])
        index = np.arange(len(values))
    levels, level = np.unique(distinct, axis=0, return_inverse=True)
    by_subtopic = levels[:, 3:].reshape(len(levels), each.shape[1], 3)
    ends = np.stack([np.zeros(by_subtopic.shape[1:]), np.full(by_subtopic.shape[1:], np.nan)])
    worth = np.vstack([[0.0] * 3, [np.nan] * 3, levels[:, :3]])
    return worth, np.concatenate([ends, by_subtopic]), level.ravel()[index] + 2


@dataclass(frozen=True)
class _Part:
    """A subset of the runs: levels of each dimension and scores, [run x topic, rank]."""

    runs: Sequence[str]
    codes: Mapping[str, NDArray[Any]]
    length: Ints
    score: Floats | None


def build(
    runs: "Rankings | Mapping[str, Path | RunMapping]",
    labels: Mapping[str, Judgements],
    policies: RunPolicies = DEFAULT,
    *,
    topics: Sequence[str] | None = None,
    scores: bool = False,
    tags: dict[str, str] | None = None,
) -> Gains:
    """Build the gains of runs, in their order, for every dimension of `labels`.

    `topics` defaults to those of the first dimension. With `scores` the systems' own scores are
    kept. `tags` is filled with the run tag in the last line of each file.
    """
    topics = next(iter(labels.values())).topics if topics is None else list(topics)
    levels = {name: LabelLevels(judged, topics) for name, judged in labels.items()}
    if isinstance(runs, Mapping):
        builder = _Builder(levels, topics, policies, scores, {} if tags is None else tags)
        files = {name: run for name, run in runs.items() if isinstance(run, Path)}
        parts = builder.files(files) if files else []
        parts += [builder.mapping(n, r) for n, r in runs.items() if not isinstance(r, Path)]
        return _join_parts(parts, levels, topics=topics, order=list(runs))
    codes = {name: of_rankings(runs, levels[name]) for name in levels}
    part = _Part(runs.runs, codes, runs.length.astype(np.int64), runs.score)
    return _join_parts([part], levels, topics=topics, order=runs.runs)


def of_rankings(ranked: "Rankings", levels: LabelLevels) -> NDArray[Any]:
    """The levels of one dimension at every rank."""
    place = ranked.find(levels.documents)
    return levels.codes(ranked.number, place, documents=len(ranked.documents), end=UNKNOWN)


@dataclass(frozen=True)
class _Builder:
    """Joins runs with labels; judged documents have the same numbers in all dimensions."""

    levels: Mapping[str, LabelLevels]
    topics: Sequence[str]
    policies: RunPolicies
    scores: bool
    tags: dict[str, str]

    @cached_property
    def numbers(self) -> dict[str, int]:
        names = (name for levels in self.levels.values() for name in levels.documents)
        return {name: number for number, name in enumerate(dict.fromkeys(names))}

    @cached_property
    def places(self) -> dict[str, Ints]:
        return {
            name: np.array([self.numbers[document] for document in levels.documents], np.int64)
            for name, levels in self.levels.items()
        }

    def _part(
        self, runs: Sequence[str], number: NDArray[np.int32], length: Ints, score: Floats | None
    ) -> _Part:
        codes = {
            name: levels.codes(number, self.places[name], documents=len(self.numbers), end=END)
            for name, levels in self.levels.items()
        }
        return _Part(runs, codes, length, score)

    def mapping(self, name: str, run: RunMapping) -> _Part:
        ranked = rank_mapping(
            run, topics=self.topics, numbers=self.numbers, policies=self.policies,
            scores=self.scores, name=name,
        )  # fmt: skip
        return self._part([name], *ranked)

    def files(self, files: Mapping[str, Path]) -> list[_Part]:
        """Read files in batches, in threads, and report the problems of all files together."""
        names = list(files)
        rounds = -(-len(names) // (THREADS * BATCH))
        size = -(-len(names) // (THREADS * rounds))
        shares = [names[start : start + size] for start in range(0, len(names), size)]
        documents = joined(self.numbers)
        readers: list[RunReader] = []

        def read(share: Sequence[str]) -> _Part:
            make_reader = partial(RunReader, self.policies, scores=self.scores, documents=documents)
            reader = readers.pop() if readers else make_reader()
            try:
                return self._read({name: files[name] for name in share}, reader)
            finally:
                readers.append(reader)

        if len(shares) == 1:
            return [read(names)]
        from concurrent.futures import Future, ThreadPoolExecutor

        with ThreadPoolExecutor(THREADS) as pool:
            return each(Future.result, [pool.submit(read, share) for share in shares])

    def _read(self, files: Mapping[str, Path], reader: RunReader) -> _Part:
        runs = read_runs(files.items(), reader)
        self.tags.update((run.name, run.last_tag) for run in runs)
        number_of = {name: topic_number for topic_number, name in enumerate(self.topics)}
        topic_number = np.array([number_of.get(topic, -1) for topic in reader.topics()], np.int64)
        # The width that the evaluated topics need, so that sums equal those of the workflow.
        sizes = (run.rows.group_size[topic_number[run.rows.group_topic] >= 0] for run in runs)
        width = max((int(lengths.max(initial=0)) for lengths in sizes), default=0)
        shape = len(runs) * len(number_of), width
        number, length = np.full(shape, END, np.int32), np.zeros(shape[0], np.int64)
        score = np.full(shape, np.nan) if self.scores else None
        for index, run in enumerate(runs):
            for topic, rows in run.rows.groups:
                if topic_number[topic] < 0:
                    continue
                row = index * len(number_of) + int(topic_number[topic])
                size = rows.stop - rows.start
                number[row, :size] = run.rows.document[rows]
                length[row] = size
                if score is not None:
                    score[row, :size] = run.rows.score[rows]
        return self._part(list(files), number, length, score)


def _join_parts(
    parts: Sequence[_Part],
    levels: Mapping[str, LabelLevels],
    *,
    topics: Sequence[str],
    order: Sequence[str],
) -> Gains:
    depth = max(next(iter(part.codes.values())).shape[1] for part in parts)
    row = {run: place * len(topics) + np.arange(len(topics)) for place, run in enumerate(order)}
    rows = [np.concatenate([row[run] for run in part.runs]) for part in parts if len(parts) > 1]

    def join(pieces: Sequence[NDArray[Any]], fill: float, width: int) -> NDArray[Any]:
        if len(pieces) == 1:
            return pieces[0]
        table = np.full((len(order) * len(topics), width), fill, pieces[0].dtype)
        for indices, piece in zip(rows, pieces, strict=True):
            table[indices, : piece.shape[1]] = piece
        return table

    scores = [part.score for part in parts if part.score is not None]
    codes = {name: join([part.codes[name] for part in parts], 0, depth) for name in levels}
    return Gains(
        runs=tuple(order),
        topics=tuple(topics),
        topic=np.tile(np.arange(len(topics)), len(order)),
        length=join([part.length[:, None] for part in parts], 0, 1)[:, 0],
        dimensions={name: labels.dimension(codes[name]) for name, labels in levels.items()},
        score=join(scores, np.nan, depth) if scores else None,
    )
