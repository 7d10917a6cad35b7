"""Gains without a workflow: judgements and runs in, everything in memory.

    labels = {"topicality": read([Path("qrels.txt")], scale=...)}    # pipeline.labels.judgements
    gains = gather({"bm25": Path("bm25.run")}, labels=labels)
    parse("nDCG@10", dimensions=["topicality"]).value(gains)

Runs are files or mappings, ranked alike. Each thread reads its share of the files (the compiled
reader lets the others go on meanwhile). Arrow is not needed, which would cost more than evaluating.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress, groupby, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.gains.dimension import Dimension
from pipeline.gains.gains import Gains
from pipeline.gains.labelled import Labelled
from pipeline.labels.judgements import Judgements
from pipeline.runs import mappings, straight
from pipeline.storage.arrays import Bools, Floats, Ints
from pipeline.storage.threads import in_threads

if TYPE_CHECKING:
    from pipeline.runs import batch


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How runs are read: the policies of a campaign, with their defaults."""

    order: str = "score"
    depth: int = 1000
    duplicates: str = "error"
    bad_scores: str = "error"
    form: str = "trec"
    scores: bool = False  # whether the systems' own scores are kept


@dataclass(frozen=True)
class Part:
    """Some runs: the levels of each dimension, [run x topic, rank]."""

    runs: Sequence[str]
    codes: Mapping[str, NDArray[Any]]
    length: Ints
    score: Floats | None
    tags: Sequence[str]


class _Known:
    """Judgements of one dimension, ready to be looked up."""

    def __init__(self, judged: Judgements, topics: Sequence[str]) -> None:
        able = ~np.isnan(judged.gain)  # not able to judge = not judged
        kept = able.tolist()
        self.names = list(compress(judged.document, kept))
        topic = list(compress(judged.topic, kept))
        self.labelled = Labelled.of(judged.binary[able], judged.gain[able], judged.label[able])
        place: dict[str | None, int] = {name: at for at, name in enumerate(topics)}
        self.topic_of: Ints = np.array(list(map(place.get, topic, repeat(-1))), np.int64)
        self.everywhere: Bools = np.array([one is None for one in topic], bool)
        lowest, highest, better = judged.scale
        self.scale = (lowest, highest, -1.0 if better == "low" else 1.0)

    @cached_property
    def ids(self) -> tuple[NDArray[np.int64], bytes]:
        """The documents, as the reader takes them."""
        parts = [name.encode() for name in self.names]
        starts = np.zeros(len(parts) + 1, np.int64)
        np.cumsum([len(part) for part in parts], out=starts[1:])
        return starts, b"".join(parts)

    @property
    def labels(self) -> straight.Labels:
        """Levels by the number of the topic."""
        return straight.Labels(self._where, self.names, self.labelled.level)

    @property
    def _where(self) -> Ints:
        """The number of each label's topic; -1 of one that holds everywhere, -2 of none here."""
        return np.where(self.everywhere, -1, np.where(self.topic_of < 0, -2, self.topic_of))

    def levels(self, topics: Sequence[str]) -> mappings.Levels:
        """Levels by topic and document, as mappings are looked up."""
        here: dict[str, dict[str, int]] = {topic: {} for topic in topics}
        everywhere: dict[str, int] = {}
        level = self.labelled.level.tolist()
        start = 0
        for topic, same in groupby(self._where.tolist()):  # judgements go by topic
            end = start + len(list(same))
            mine = zip(self.names[start:end], level[start:end], strict=True)
            if topic >= 0:
                here[topics[topic]].update(mine)
            elif topic == -1:
                everywhere.update(mine)
            start = end
        return mappings.Levels(here, everywhere)

    def placed(self, found: "batch.Batch", number: NDArray[np.int32], topics: int) -> NDArray[Any]:
        """The levels of a batch of files at every rank."""
        return self.labelled.dimension(
            number,
            documents=len(found.documents[0]) - 1,
            topics=topics,
            topic_of=self.topic_of,
            everywhere=self.everywhere,
            document_of=found.reader.find(*self.ids).astype(np.int64),
            names=self.names,
            scale=self.scale,
        ).codes

    def dimension(self, codes: NDArray[Any]) -> Dimension:
        return self.labelled.over(
            codes, topic_of=self.topic_of, everywhere=self.everywhere, names=self.names,
            scale=self.scale,
        )  # fmt: skip


def gather(
    runs: Mapping[str, Path | mappings.Lists],
    *,
    labels: Mapping[str, Judgements],
    reading: Reading,
    topics: Sequence[str] | None = None,
    threads: int = 2,
    tags: dict[str, str] | None = None,
) -> Gains:
    """The gains of runs, in their order, in every labelled dimension.

    Over the topics of the first dimension, unless other ones are given. `tags` is filled with the
    run tag that the last line of each file has, for whom names say little.
    """
    counted = next(iter(labels.values())).topics if topics is None else list(topics)
    known = {name: _Known(judged, counted) for name, judged in labels.items()}
    files = {name: run for name, run in runs.items() if isinstance(run, Path)}
    lists = {name: run for name, run in runs.items() if not isinstance(run, Path)}
    seen = _straight(files, known, counted, reading, threads)
    rest = {name: path for name, path in files.items() if name not in seen}
    parts = [*_placed(seen, known, len(counted)), *_ranked(rest, known, counted, reading, threads)]
    parts += _mappings(lists, known, counted, reading)
    if tags is not None:
        for one in parts:
            tags.update(zip(one.runs, one.tags, strict=True))
    return _joined(parts, known, topics=counted, order=list(runs))


def _straight(
    files: Mapping[str, Path],
    known: Mapping[str, _Known],
    topics: Sequence[str],
    reading: Reading,
    threads: int,
) -> dict[str, straight.Seen]:
    """What is seen of every run that can be read straight; each thread takes the next."""
    if not files or reading.form != "trec":
        return {}
    asked = straight.wanted(
        topics,
        [one.labels for one in known.values()],
        kind=_kind(known),
        order=reading.order,
        depth=reading.depth,
        duplicates=reading.duplicates,
        bad_scores=reading.bad_scores,
        scores=reading.scores,
    )
    if not asked:
        return {}
    # What comes by a pipe can be read only once, so an odd run would be lost.
    waiting = iter([(name, path) for name, path in files.items() if path.is_file()])
    found: dict[str, straight.Seen] = {}

    def work() -> None:
        reader = straight.StraightReader(asked)
        for name, path in waiting:
            if (seen := reader.read(path)) is not None:
                found[name] = seen

    in_threads(work, min(threads, len(files)))
    return {name: found[name] for name in files if name in found}


def _kind(known: Mapping[str, _Known]) -> type[np.uint8] | type[np.int32]:
    """The numbers that hold the levels of every dimension."""
    return np.int32 if any(o.labelled.kind is np.int32 for o in known.values()) else np.uint8


def _placed(
    seen: Mapping[str, straight.Seen], known: Mapping[str, _Known], topics: int
) -> list[Part]:
    """Runs that were read straight, a row a topic."""
    if not seen:
        return []
    width = max(int(run.size.max(initial=0)) for run in seen.values())
    shape = (len(seen) * topics, width)
    codes = {name: np.zeros(shape, _kind(known)) for name in known}
    length = np.zeros(shape[0], np.int64)
    scored = any(len(run.score) for run in seen.values())
    score = np.full(shape, np.nan) if scored else None
    for at, run in enumerate(seen.values()):
        row = at * topics + run.topic
        length[row] = run.size
        end = np.cumsum(run.size).tolist()
        for r, b, n in zip(row.tolist(), end, run.size.tolist(), strict=True):
            for to, levels in zip(codes.values(), run.levels, strict=True):
                to[r, :n] = levels[b - n : b]
            if score is not None:
                score[r, :n] = run.score[b - n : b]
    return [Part(list(seen), codes, length, score, [run.tag for run in seen.values()])]


def _ranked(
    files: Mapping[str, Path],
    known: Mapping[str, _Known],
    topics: Sequence[str],
    reading: Reading,
    threads: int,
) -> list[Part]:
    """Runs that are read into rankings first; all that is wrong with them is told at once."""
    share = max(1, -(-len(files) // threads))
    names = list(files)
    shares = [names[start : start + share] for start in range(0, len(names), share)]
    found: dict[int, Part | InputError] = {}

    waiting = iter(range(len(shares)))

    def work() -> None:
        for place in waiting:
            mine = {name: files[name] for name in shares[place]}
            try:
                found[place] = _files(mine, known, topics, reading)
            except InputError as error:
                found[place] = error

    in_threads(work, len(shares))
    parts = [found[place] for place in range(len(shares))]
    if wrong := [str(one) for one in parts if isinstance(one, InputError)]:
        raise InputError("\n".join(wrong))
    return [one for one in parts if isinstance(one, Part)]


def _files(
    files: Mapping[str, Path], known: Mapping[str, _Known], topics: Sequence[str], reading: Reading
) -> Part:
    from pipeline.runs import batch  # only runs that cannot be read straight need it

    found = batch.read(
        list(files.values()),
        order=reading.order,
        depth=reading.depth,
        duplicates=reading.duplicates,
        bad_scores=reading.bad_scores,
        form=reading.form,
    )
    where = {name: place for place, name in enumerate(topics)}
    place = np.array([where.get(topic, -1) for topic in found.topics], np.int64)
    # As wide as the topics that count need: the same sums, in the same order, as the steps make.
    sizes = (run.rows.group_size[place[run.rows.group_topic] >= 0] for run in found.runs)
    depth = max((int(mine.max(initial=0)) for mine in sizes), default=0)
    rows = len(found.runs) * len(topics)
    number = np.full((rows, depth), -1, np.int32)
    length = np.zeros(rows, np.int64)
    score = np.full((rows, depth), np.nan) if reading.scores else None
    for at, run in enumerate(found.runs):
        start = 0
        for topic, size in zip(
            run.rows.group_topic.tolist(), run.rows.group_size.tolist(), strict=True
        ):
            end = start + size
            if place[topic] >= 0:
                row = at * len(topics) + int(place[topic])
                number[row, :size] = run.rows.document[start:end]
                length[row] = size
                if score is not None:
                    score[row, :size] = run.rows.score[start:end]
            start = end
    codes = {name: one.placed(found, number, len(topics)) for name, one in known.items()}
    return Part(list(files), codes, length, score, [run.last_tag for run in found.runs])


def _mappings(
    lists: Mapping[str, mappings.Lists],
    known: Mapping[str, _Known],
    topics: Sequence[str],
    reading: Reading,
) -> list[Part]:
    if not lists:
        return []
    levels = [one.levels(topics) for one in known.values()]
    parts = []
    wide = _kind(known)
    for name, run in lists.items():
        found = mappings.rank(
            run,
            topics=topics,
            dimensions=levels,
            order=reading.order,
            depth=reading.depth,
            bad_scores=reading.bad_scores,
            levels=wide,
            scores=reading.scores,
            name=name,
        )
        codes = dict(zip(known, found.levels, strict=True))
        parts.append(Part([name], codes, found.length, found.score, [""]))
    return parts


def _joined(
    parts: Sequence[Part],
    known: Mapping[str, _Known],
    *,
    topics: Sequence[str],
    order: Sequence[str],
) -> Gains:
    """The parts put together, runs in the order asked for."""
    depth = max(next(iter(part.codes.values())).shape[1] for part in parts)
    came = [run for part in parts for run in part.runs]
    where = {run: place for place, run in enumerate(came)}
    wanted = np.array([where[run] for run in order], np.int64)
    rows = (wanted[:, None] * len(topics) + np.arange(len(topics))).ravel()
    moved = came != list(order)

    def whole(pieces: Sequence[NDArray[Any]], fill: float) -> NDArray[Any]:
        if len(pieces) == 1 and not moved:
            return pieces[0]
        padded = [
            piece
            if piece.shape[1] == depth
            else np.pad(piece, ((0, 0), (0, depth - piece.shape[1])), constant_values=fill)
            for piece in pieces
        ]
        together = np.concatenate(padded)
        return together[rows] if moved else together

    dimensions = {
        name: one.dimension(whole([part.codes[name] for part in parts], 0))
        for name, one in known.items()
    }
    length = np.concatenate([part.length for part in parts])
    scores = [part.score for part in parts if part.score is not None]
    return Gains(
        runs=tuple(order),
        topics=tuple(topics),
        topic=np.tile(np.arange(len(topics)), len(order)),
        length=length[rows] if moved else length,
        dimensions=dimensions,
        score=whole(scores, np.nan) if scores else None,
    )
