"""The constructor of Gains: rankings meet labels, wherever both come from.

    labels = {"topicality": read([Path("qrels.txt")], scale=...)}    # pipeline.labels.judgements
    gains = build({"bm25": Path("bm25.run")}, labels)
    parse("nDCG@10", dimensions=["topicality"]).value(gains)

Runs are files or mappings, ranked alike, or rankings that were read before. All become numbers of
documents [run x topic, rank], which `Levels` turns into levels. Each thread reads its share of the
files (the compiled reader lets the others go on meanwhile). Arrow, which would cost more than
evaluating, is needed for rankings alone.
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

UNKNOWN, END = -1, -2  # numbers of a document that is not judged, and behind the end of a ranking
DEFAULT = RunPolicies()
THREADS = 2
TOGETHER = 32  # files whose documents are looked up at once


class Levels:
    """The labels of one dimension as levels: equal readings of labels have one number.

    Level 0 is no document and level 1 an unjudged one (see `dimension`); labels follow from 2.
    """

    def __init__(self, judged: Judgements, topics: Sequence[str]) -> None:
        able = ~np.isnan(judged.gain)  # not able to judge = not judged
        kept = able.tolist()
        self.documents = list(compress(judged.document, kept))
        place: dict[str | None, int] = {name: at for at, name in enumerate(topics)}
        place[None] = -1  # in every topic
        self.topic: Ints = np.array(
            list(map(place.get, compress(judged.topic, kept), repeat(-2))), np.int64
        )
        lowest, highest, better = judged.scale
        self._scale = np.array([lowest, highest, -1.0 if better == "low" else 1.0])
        values = np.column_stack([getattr(judged, kind)[able] for kind in STORED])
        each, self._chances = _by_subtopic(judged, topics)
        self._worth, self._subtopics, self.level = _numbered(values.reshape(-1, 3), each[able])
        self._kind = np.uint8 if len(self._worth) <= 256 else np.int32

    def codes(
        self, number: NDArray[np.int32], place: Ints, *, documents: int, end: int
    ) -> NDArray[Any]:
        """The levels at every rank of numbered documents; rows go by run, then topic.

        `place` has the number of each label's document, -1 where no run retrieves it; `end` is the
        number that stands behind the end of a ranking.
        """
        codes, topics = np.empty(number.shape, self._kind), len(self._chances)
        found = np.full(documents + 2, UNJUDGED, self._kind)  # the last two: UNKNOWN and END
        everywhere = (self.topic == -1) & (place >= 0)
        found[place[everywhere]] = self.level[everywhere]
        found[end] = NOTHING
        labels = np.flatnonzero((self.topic >= 0) & (place >= 0))
        labels = labels[np.argsort(self.topic[labels], kind="stable")]
        bounds = np.searchsorted(self.topic[labels], np.arange(topics + 1))
        for t in range(topics):
            own = labels[bounds[t] : bounds[t + 1]]
            before = found[place[own]]
            found[place[own]] = self.level[own]
            codes[t::topics] = found[number[t::topics]]
            found[place[own]] = before
        return codes

    def dimension(self, codes: NDArray[Any]) -> Dimension:
        """The dimension of levels that were found, with all that was judged."""
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
    """[label, subtopic, stored reading] and the subtopics' chances; none in plain judgements.

    Topics have as many subtopics as the one with most: what a topic has not has chance 0.
    """
    most = max((len(given) for given in judged.subtopics.values()), default=0)
    lowest, highest, better = judged.scale
    each = np.zeros((len(judged.label), most, 3))
    each[:, :, STORED.index("label")] = highest if better == "low" else lowest
    chances = np.zeros((len(topics), most))
    for place, kind in enumerate(STORED if most else ()):
        each[np.arange(most) < judged.size[:, None], place] = judged.each[kind]
    for row, topic in enumerate(topics):
        given = judged.subtopics.get(topic, {}).values()
        chances[row, : len(given)] = [np.nan if one is None else one for one in given]
    return each, chances


def _numbered(values: Floats, each: Floats) -> tuple[Floats, Floats, Ints]:
    """What each level is worth, the same by subtopic, and the level of each label."""
    # Few labels are distinct, and mostly a label says all: only those few are compared.
    _, first, kind = np.unique(
        values[:, STORED.index("label")], return_index=True, return_inverse=True
    )
    few, kind = values[first], kind.ravel()
    if each.shape[1] or not (few[kind] == values).all():
        few = np.hstack([values, each.reshape(len(values), 3 * each.shape[1])])
        kind = np.arange(len(values))
    found, level = np.unique(few, axis=0, return_inverse=True)
    parts = found[:, 3:].reshape(len(found), each.shape[1], 3)
    ends = np.stack([np.zeros(parts.shape[1:]), np.full(parts.shape[1:], np.nan)])
    worth = np.vstack([[0.0] * 3, [np.nan] * 3, found[:, :3]])
    return worth, np.concatenate([ends, parts]), level.ravel()[kind] + 2


@dataclass(frozen=True)
class _Part:
    """Some runs: levels of each dimension and scores, [run x topic, rank]."""

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
    """The gains of runs, in their order, in every labelled dimension.

    Over the topics of the first dimension, unless other ones are given. `scores` keeps the systems'
    own scores; `tags` is filled with the run tag that the last line of each file has.
    """
    counted = next(iter(labels.values())).topics if topics is None else list(topics)
    levels = {name: Levels(judged, counted) for name, judged in labels.items()}
    if isinstance(runs, Mapping):
        builder = _Builder(levels, counted, policies, scores, {} if tags is None else tags)
        files = {name: run for name, run in runs.items() if isinstance(run, Path)}
        parts = builder.files(files) if files else []
        parts += [builder.mapping(n, r) for n, r in runs.items() if not isinstance(r, Path)]
        return _joined(parts, levels, topics=counted, order=list(runs))
    codes = {name: of_rankings(runs, one) for name, one in levels.items()}
    part = _Part(runs.runs, codes, runs.length.astype(np.int64), runs.score)
    return _joined([part], levels, topics=counted, order=runs.runs)


def of_rankings(ranked: "Rankings", levels: Levels) -> NDArray[Any]:
    """The levels of one dimension at every rank of rankings."""
    place = ranked.find(levels.documents)
    return levels.codes(ranked.number, place, documents=len(ranked.documents), end=UNKNOWN)


@dataclass(frozen=True)
class _Builder:
    """Runs met with labels; the judged documents of all dimensions have one numbering."""

    levels: Mapping[str, Levels]
    topics: Sequence[str]
    policies: RunPolicies
    scores: bool
    tags: dict[str, str]

    @cached_property
    def numbers(self) -> dict[str, int]:
        names = (name for one in self.levels.values() for name in one.documents)
        return {name: at for at, name in enumerate(dict.fromkeys(names))}

    @cached_property
    def places(self) -> dict[str, Ints]:
        return {
            name: np.array([self.numbers[document] for document in one.documents], np.int64)
            for name, one in self.levels.items()
        }

    def _part(
        self, runs: Sequence[str], number: NDArray[np.int32], length: Ints, score: Floats | None
    ) -> _Part:
        size = len(self.numbers)
        codes = {
            name: one.codes(number, self.places[name], documents=size, end=END)
            for name, one in self.levels.items()
        }
        return _Part(runs, codes, length, score)

    def mapping(self, name: str, run: RunMapping) -> _Part:
        ranked = rank_mapping(
            run, topics=self.topics, numbers=self.numbers, policies=self.policies,
            scores=self.scores, name=name,
        )  # fmt: skip
        return self._part([name], *ranked)

    def files(self, files: Mapping[str, Path]) -> list[_Part]:
        """Files in shares, of which each thread takes the next; all their problems at once."""
        names = list(files)
        rounds = -(-len(names) // (THREADS * TOGETHER))
        size = -(-len(names) // (THREADS * rounds))
        shares = [names[start : start + size] for start in range(0, len(names), size)]
        documents = joined(self.numbers)
        idle: list[RunReader] = []

        def read(share: Sequence[str]) -> _Part:
            new = partial(RunReader, self.policies, scores=self.scores, documents=documents)
            reader = idle.pop() if idle else new()
            try:
                return self._read({name: files[name] for name in share}, reader)
            finally:
                idle.append(reader)

        if len(shares) == 1:
            return [read(names)]
        from concurrent.futures import Future, ThreadPoolExecutor

        with ThreadPoolExecutor(THREADS) as pool:
            return each(Future.result, [pool.submit(read, share) for share in shares])

    def _read(self, files: Mapping[str, Path], reader: RunReader) -> _Part:
        runs = read_runs(files.items(), reader)
        self.tags.update((run.name, run.last_tag) for run in runs)
        where = {name: place for place, name in enumerate(self.topics)}
        place = np.array([where.get(topic, -1) for topic in reader.topics()], np.int64)
        # As wide as the topics that count need: sums are then added up as in the workflow.
        sizes = (run.rows.group_size[place[run.rows.group_topic] >= 0] for run in runs)
        shape = len(runs) * len(where), max((int(own.max(initial=0)) for own in sizes), default=0)
        number, length = np.full(shape, END, np.int32), np.zeros(shape[0], np.int64)
        score = np.full(shape, np.nan) if self.scores else None
        for at, run in enumerate(runs):
            for topic, rows in run.rows.groups:
                if place[topic] < 0:
                    continue
                row, size = at * len(where) + int(place[topic]), rows.stop - rows.start
                number[row, :size] = run.rows.document[rows]
                length[row] = size
                if score is not None:
                    score[row, :size] = run.rows.score[rows]
        return self._part(list(files), number, length, score)


def _joined(
    parts: Sequence[_Part],
    levels: Mapping[str, Levels],
    *,
    topics: Sequence[str],
    order: Sequence[str],
) -> Gains:
    """The parts put together, runs in the order asked for."""
    depth = max(next(iter(part.codes.values())).shape[1] for part in parts)
    row = {run: place * len(topics) + np.arange(len(topics)) for place, run in enumerate(order)}
    rows = [np.concatenate([row[run] for run in part.runs]) for part in parts if len(parts) > 1]

    def whole(pieces: Sequence[NDArray[Any]], fill: float, width: int) -> NDArray[Any]:
        if len(pieces) == 1:
            return pieces[0]
        together = np.full((len(order) * len(topics), width), fill, pieces[0].dtype)
        for own, piece in zip(rows, pieces, strict=True):
            together[own, : piece.shape[1]] = piece
        return together

    scores = [part.score for part in parts if part.score is not None]
    codes = {name: whole([part.codes[name] for part in parts], 0, depth) for name in levels}
    return Gains(
        runs=tuple(order),
        topics=tuple(topics),
        topic=np.tile(np.arange(len(topics)), len(order)),
        length=whole([part.length[:, None] for part in parts], 0, 1)[:, 0],
        dimensions={name: one.dimension(codes[name]) for name, one in levels.items()},
        score=whole(scores, np.nan, depth) if scores else None,
    )
