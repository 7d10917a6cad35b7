"""Which labels moved the scores most: each is taken back alone, and all runs are scored again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from pipeline.gains.dimension import STORED, UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.measures import Measure
from pipeline.report.changes.compare import LabelChange
from pipeline.report.changes.state import Label
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats, Ints

MOST = 1000  # labels taken back: those retrieved first; a page can name only some anyway

Subtopics = Mapping[str, Mapping[str, Sequence[str]]]  # by dimension and topic
Places = dict[tuple[str, str], list[tuple[int, int]]]  # topic, document -> rows and ranks


@dataclass(frozen=True)
class Blame:
    """A label that is not as it was, and what it alone did to the runs' means."""

    change: LabelChange
    measure: str
    mean: float  # by how much it moved them, on average over the runs
    run: str  # that it moved most,
    most: float  # and by how much


def blamed(
    changes: Sequence[LabelChange],
    *,
    measures: Sequence[Measure],
    gains: Gains,
    rankings: Path,
    condensed: str | None = None,
    subtopics: Subtopics = MappingProxyType({}),
) -> list[Blame]:
    """What each changed label did to each measure, the most first.

    `condensed` names the dimension by which lists are condensed, if they are; `subtopics` are those
    of each dimension and topic. Of a document judged by subtopic, all its labels are taken back.
    """
    places = _places(rankings, gains, {one.document for one in changes})
    asked = [one for one in changes if one.dimension in gains.dimensions]
    first = sorted(asked, key=lambda one: min((r for _, r in _of(one, places)), default=10**9))
    found = [
        blame
        for one in first[:MOST]
        for blame in _one(one, measures, gains, places, condensed, subtopics)
        if blame.mean > 0
    ]
    return sorted(found, key=lambda blame: -blame.mean)


def _one(
    change: LabelChange,
    measures: Sequence[Measure],
    gains: Gains,
    places: Places,
    condensed: str | None,
    subtopics: Subtopics,
) -> Iterator[Blame]:
    numbers = [n for n, topic in enumerate(gains.topics) if change.topic in ("", topic)]
    keep = np.isin(gains.topic, numbers)
    row = np.full(len(gains.topic), -1)
    row[keep] = np.arange(keep.sum())
    now = _only(gains.rows(keep), numbers)
    at = [(int(row[r]), rank) for r, rank in _of(change, places) if row[r] >= 0]
    names = subtopics.get(change.dimension, {}).get(change.topic, ())
    then = _reverted(now, change, at, topic=numbers[0] if change.topic else -1, names=names)
    for measure in measures:
        if change.dimension not in measure.dimensions:
            continue
        effect = _values(measure, now, condensed) - _values(measure, then, condensed)
        moved = effect.reshape(len(gains.runs), -1).sum(axis=1) / len(gains.topics)
        most = int(np.abs(moved).argmax())
        yield Blame(change, measure.name, float(np.abs(moved).mean()), gains.runs[most],
                    float(moved[most]))  # fmt: skip


def _values(measure: Measure, gains: Gains, condensed: str | None) -> Floats:
    return measure.value(gains.condensed(condensed) if condensed else gains)


def _of(change: LabelChange, places: Places) -> list[tuple[int, int]]:
    """Where a document stands: in its topic, or in all."""
    if change.topic:
        return places.get((change.topic, change.document), [])
    return [one for (_, d), found in places.items() if d == change.document for one in found]


def _places(rankings: Path, gains: Gains, documents: set[str]) -> Places:
    """Row and rank (from 0) of the documents, by topic."""
    names = ("run", "topic", "document")
    table = arrow.read(rankings, [*names, "rank"], codes=names).combine_chunks()
    coded = {name: table[name].chunk(0) for name in names}
    known = {name: coded[name].dictionary.to_pylist() for name in names}
    code = {name: arrow.array(coded[name].indices) for name in names}
    wanted = np.array([document in documents for document in known["document"]], bool)
    runs = {run: number for number, run in enumerate(gains.runs)}
    topics = {topic: number for number, topic in enumerate(gains.topics)}
    rank = arrow.array(table["rank"])
    depth = next(iter(gains.dimensions.values())).codes.shape[1]
    found: Places = {}
    for at in np.flatnonzero(wanted[code["document"]]).tolist():
        run, topic, document = (known[name][code[name][at]] for name in names)
        if run in runs and topic in topics and rank[at] <= depth:
            row = runs[run] * len(topics) + topics[topic]
            found.setdefault((topic, document), []).append((row, int(rank[at]) - 1))
    return found


def _only(gains: Gains, topics: Sequence[int]) -> Gains:
    """Without the judgements of other topics, which cost time and change nothing."""
    if len(topics) > 1:
        return gains
    dimensions = {}
    for name, one in gains.dimensions.items():
        mine = (one.judged_topic == topics[0]) | (one.judged_topic < 0)
        dimensions[name] = replace(
            one,
            judged_topic=one.judged_topic[mine],
            judged_document=one.judged_document[mine],
            judged_level=one.judged_level[mine],
        )
    return replace(gains, dimensions=dimensions, cache={})


def _reverted(
    gains: Gains,
    change: LabelChange,
    at: Sequence[tuple[int, int]],
    *,
    topic: int,
    names: Sequence[str],
) -> Gains:
    """The judgements with one label as it was before."""
    one, level = _with_level(gains.dimensions[change.dimension], change.before, names)
    codes = one.codes.astype(np.int32)
    for row, rank in at:
        codes[row, rank] = level
    mine = (one.judged_topic == topic) & (one.judged_document == change.document)
    topics, documents, levels = one.judged_topic, one.judged_document, one.judged_level
    if change.before is None:
        topics, documents, levels = topics[~mine], documents[~mine], levels[~mine]
    elif mine.any():
        levels = np.where(mine, level, levels)
    else:
        topics, levels = np.append(topics, topic), np.append(levels, level)
        documents = np.append(documents, change.document)
    changed: Dimension = replace(
        one, codes=codes, judged_topic=topics, judged_document=documents, judged_level=levels
    )
    return replace(gains, dimensions={**gains.dimensions, change.dimension: changed}, cache={})


def _with_level(one: Dimension, label: Label | None, names: Sequence[str]) -> tuple[Dimension, int]:
    """The dimension with a level for a label, which nobody may have any more, and its number."""
    if label is None:
        return one, UNJUDGED
    stored = _stored(label.value, label.binary, label.gain)
    if not one.subtopics.shape[1]:
        same: Ints = np.flatnonzero(one.worth[:, STORED.index("label")] == label.value)
        same = same[same > UNJUDGED]
        if len(same):
            return one, int(same[0])
        return replace(one, worth=np.vstack([one.worth, stored])), len(one.worth)
    lowest, highest, sign = one.scale.tolist()
    parts = np.tile(_stored(lowest if sign > 0 else highest, 0.0, 0.0), (one.subtopics.shape[1], 1))
    for name, *part in label.each:
        if name in names:  # of a subtopic that is no more, nothing is left to be met
            parts[names.index(name)] = _stored(*part)
    worth = np.vstack([one.worth, stored])
    return replace(one, worth=worth, subtopics=np.array([*one.subtopics, parts])), len(one.worth)


def _stored(value: float, binary: float, gain: float) -> list[float]:
    """A label as levels are stored."""
    given = {"binary": binary, "gain": gain, "label": value}
    return [given[name] for name in STORED]
