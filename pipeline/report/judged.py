"""The judged documents of every ranking, packed for the sections What if and Why this score.

With the gain of each label the page can compute every measure that is a sum over documents.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from pipeline.gains.dimension import NOTHING, STORED, UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.measures import Measure, parse
from pipeline.measures.contributions import rank_weights, single
from pipeline.measures.measure import Combined
from pipeline.runs.rankings import Rankings
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats, Ints

LARGE = ("lists", "documents", "levels", "gains", "measures")  # the page reads these when needed
ROOM = 420_000  # bytes for the rankings of a campaign, cut at one of DEPTHS
MOST = 6_000_000  # bytes at the smallest depth, at which RBP(p=0.8) still has 5 digits
DEPTHS = (1000, 500, 300, 200, 150, 100, 70, 50)
EXPLAINED = 100  # ranks whose contributions are listed
UNIT = 10_000_000  # contributions without rank weights are integers, in parts of 1


@dataclass(frozen=True)
class JudgedRankings:
    """Row (run x topic), rank (from 0) and document of each judged entry, row by row."""

    row: Ints
    rank: Ints
    document: Ints  # numbered over all topics; those of a topic are consecutive
    names: list[list[str]]  # of the documents, by topic; those in most rankings first
    levels: list[Ints]  # of the documents, by dimension

    @property
    def starts(self) -> Ints:
        """The number of each topic's first document."""
        return np.cumsum([0, *(len(names) for names in self.names)])[:-1]

    def alone(self, gains: Gains) -> Gains:
        """Each document as a ranking of its own, to compute its gain."""
        levels = zip(gains.dimensions.items(), self.levels, strict=True)
        dimensions = {name: replace(d, codes=level[:, None]) for (name, d), level in levels}
        topic = np.repeat(np.arange(len(self.names)), [len(names) for names in self.names])
        length = np.ones(len(self.levels[0]), np.int64)
        return Gains((), gains.topics, topic, length, dimensions)


def judged_documents(
    gains: Gains,
    ranked: Rankings,
    *,
    measures: Sequence[str],
    condensed: Dimension | None = None,
    alpha: float,
) -> dict[str, Any]:
    """The judged documents of every ranking, packed for the page; no rankings if too large.

    `condensed` is the dimension that condensed the rankings, if one did.
    """
    ranked = _aligned(gains, ranked, condensed)
    parsed = [parse(name, dimensions=list(gains.dimensions)) for name in measures]
    longest = int(gains.length.max(initial=0))
    data = {"runs": list(gains.runs), "topics": list(gains.topics), "alpha": alpha}
    data |= {"longest": longest, "setting": setting(parsed, dimensions=list(gains.dimensions))}
    for depth in (longest, *(depth for depth in DEPTHS if depth < longest)):
        lists = _judged(gains, ranked, depth=depth)
        if len(packed := _packed(lists, rows=len(gains.topic), topics=len(gains.topics))) <= ROOM:
            break
    used, kept = _used(gains, lists)
    data["dimensions"] = [_dimension(*item) for item in used.dimensions.items()]
    if len(packed) > MOST:
        return data | {"depth": 0, "lists": None, "measures": {}}
    parts = {measure.name: _parts(measure, gains, lists) for measure in parsed}
    distinct = list(dict.fromkeys(part[0] for part in parts.values() if part))
    levels = zip(kept.levels, used.dimensions.values(), strict=True)
    return data | {
        "depth": depth,
        "lists": text(packed),
        "documents": lists.names,
        "levels": [_numbered(level, len(dimension.worth)) for level, dimension in levels],
        "explained": min(EXPLAINED, depth),
        "unit": UNIT,
        "gains": [{"values": values, "of": of} for values, of in distinct],
        "measures": {n: p and {"gain": distinct.index(p[0]), **p[1]} for n, p in parts.items()},
    }


def _aligned(gains: Gains, ranked: Rankings, condensed: Dimension | None) -> Rankings:
    """The ranked documents in the order of the gains' topics and ranks."""
    number = ranked.number
    if list(gains.topics) != ranked.topics:
        place = [ranked.topics.index(topic) for topic in gains.topics]
        number = number.reshape(len(ranked.runs), len(place), -1)[:, place].reshape(number.shape)
    if condensed is not None:
        order = np.argsort(condensed.codes <= UNJUDGED, axis=1, kind="stable")
        number = np.take_along_axis(number, order, axis=1)
    return replace(ranked, number=number)


def blocks(judged: dict[str, Any]) -> dict[str, Any]:
    """The data for the page in two blocks by id; the page reads the small one at once."""
    return {
        "judged": {key: value for key, value in judged.items() if key not in LARGE},
        "judged-lists": {key: judged[key] for key in LARGE if key in judged},
    }


def _numbered(numbers: Ints, size: int) -> str:
    """The numbers in base64, in the fewest bytes that can hold `size` values."""
    kind = "u1" if size <= 2**8 else "<u2" if size <= 2**16 else "<u4"
    return text(numbers.astype(kind).tobytes())


def _used(gains: Gains, lists: JudgedRankings) -> tuple[Gains, JudgedRankings]:
    """Only the levels in the rankings for estimated labels, which are nearly all different."""
    dimensions, levels = dict(gains.dimensions), []
    for (name, dimension), level in zip(gains.dimensions.items(), lists.levels, strict=True):
        if len(dimension.worth) <= 2**8:
            levels.append(level)
            continue
        kept, place = np.unique(np.concatenate([[NOTHING, UNJUDGED], level]), return_inverse=True)
        dimensions[name] = replace(dimension, worth=dimension.worth[kept])
        levels.append(place[2:])
    return replace(gains, dimensions=dimensions), replace(lists, levels=levels)


def _judged(gains: Gains, ranked: Rankings, *, depth: int) -> JudgedRankings:
    dimensions = list(gains.dimensions.values())
    has_label = np.zeros((len(gains.topic), min(depth, dimensions[0].codes.shape[1])), bool)
    for dimension in dimensions:
        has_label |= dimension.codes[:, : has_label.shape[1]] > UNJUDGED
    row, rank = np.nonzero(has_label)
    number, topic = ranked.number[row, rank].astype(np.int64), gains.topic[row]
    # Documents are numbered by topic; those in most rankings come first and need one byte.
    key = topic * (len(ranked.documents) + 1) + number
    _, first, place, count = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((number[first], -count, topic[first]))
    renumbered, kept = np.argsort(order), first[order]
    names = ranked.documents.take(arrow.numbers(number[kept])).to_pylist()
    ends = np.searchsorted(topic[kept], np.arange(len(gains.topics) + 1)).tolist()
    return JudgedRankings(
        row=row,
        rank=rank,
        document=renumbered[place.reshape(-1)],
        names=[names[start:end] for start, end in pairwise(ends)],
        levels=[d.codes[row[kept], rank[kept]].astype(np.int64) for d in dimensions],
    )


def _packed(lists: JudgedRankings, *, rows: int, topics: int) -> bytes:
    """For each row the count of its documents, then the step in rank and the number of each."""
    counts = np.bincount(lists.row, minlength=rows)
    first = np.concatenate([[True], np.diff(lists.row) > 0])[: len(lists.row)]
    before = np.where(first, -1, np.concatenate([[-1], lists.rank])[: len(lists.rank)])
    start = lists.starts[np.arange(rows) % topics][lists.row] if len(lists.row) else 0
    at = np.arange(len(lists.row)) * 2 + lists.row + 1  # each row starts with one number
    whole = np.zeros(rows + 2 * len(lists.row), np.int64)
    whole[np.cumsum(1 + 2 * counts) - (1 + 2 * counts)] = counts
    whole[at] = lists.rank - before - 1
    whole[at + 1] = lists.document - start
    return varints(whole)


def _dimension(name: str, dimension: Dimension) -> dict[str, Any]:
    """The gains of each level; the first two levels are no document and an unjudged one."""
    binary, gain, label = (dimension.worth[UNJUDGED + 1 :, STORED.index(kind)] for kind in STORED)
    _, _, better = dimension.scale.tolist()
    return {
        "name": name,
        "better": better,
        "label": label.tolist(),
        "binary": binary.astype(int).tolist(),
        "gain": gain.tolist(),
        "threshold": threshold(label, binary, better=better),
    }


def threshold(label: Floats, binary: Floats, *, better: float) -> float | None:
    """The worst label that counts as relevant; None without one."""
    lowest = (label[binary > 0] * better).min(initial=np.inf)
    split = ((label * better >= lowest) == (binary > 0)).all()
    return float(lowest * better) if np.isfinite(lowest) and split else None


def setting(measures: Sequence[Measure], *, dimensions: Sequence[str]) -> dict[str, Any]:
    """The initial setting: the campaign's H or CAM of RBP, or its RBP, or the default."""
    start: dict[str, Any] = {"measure": "H" if len(dimensions) > 1 else dimensions[0], "p": 0.8}
    start |= {"weights": dict.fromkeys(dimensions, 1.0), "like": None}
    for measure in measures:
        if not isinstance(measure, Combined) or measure.combination.name not in ("H", "CAM"):
            continue
        parts = measure.parts
        (kind, *others) = {(p.declaration.name, p.cutoff, *p.readings.values()) for p in parts}
        persistences = {part.params.get("p") for part in parts}
        if kind == ("RBP", None, "binary") and not others and len(persistences) == 1:
            weight_of = {p.dimensions[0]: w for p, w in zip(parts, measure.weights, strict=True)}
            weights = {name: weight_of.get(name, 0.0) for name in dimensions}
            start |= {"measure": measure.combination.name, "p": persistences.pop()}
            return start | {"weights": weights, "like": measure.name}
    singles = (part for part in map(single, measures) if part and part.declaration.name == "RBP")
    return start | next(({"p": part.params["p"]} for part in singles), {})


# The different gains under a measure, and the packed index of the gain of each document.
DocumentGains = tuple[tuple[float, ...], str]
Parts = tuple[DocumentGains, dict[str, Any]]  # with rank weights or contributions


def _parts(measure: Measure, gains: Gains, lists: JudgedRankings) -> Parts | None:
    """The gains of documents and the weights or contributions of a measure that is a sum."""
    plain = single(measure)
    if plain is None:
        return None
    gain, view = plain.view(lists.alone(gains)).gain[:, 0], plain.view(gains)
    values, place = np.unique(gain, return_inverse=True)
    gained = (tuple(values.tolist()), _numbered(place, len(values)))
    depth = min(EXPLAINED, view.depth)
    if rank_based := rank_weights(plain, gains, depth=depth):
        base = _by_topic(rank_based.base, gains) if rank_based.base.any() else None
        factor = _by_topic(rank_based.factor, gains)
        return gained, {"weights": rank_based.weight.tolist(), "factor": factor, "base": base}
    if plain.declaration.contributions is None:
        return None
    parts = plain.declaration.contributions(view.at(plain.cutoff), **plain.params)
    entries = (lists.rank < min(depth, parts.shape[1])) & (gain[lists.document] > 0)
    added = parts[lists.row[entries], lists.rank[entries]]
    if len(added) and added.min() < 0:
        return None
    whole = np.round(added * UNIT).astype(np.int64)
    return gained, {"parts": text(varints(whole)), "to": min(depth, parts.shape[1])}


def _by_topic(values: Floats, gains: Gains) -> list[float]:
    """One value per topic if its non-empty rankings agree, else one per ranking."""
    table = values.reshape(len(gains.runs), -1)
    not_empty = (gains.length > NOTHING).reshape(table.shape)
    first = table[np.argmax(not_empty, axis=0), np.arange(table.shape[1])]
    agreed: list[float] = (first if ((table == first) | ~not_empty).all() else values).tolist()
    return agreed


def varints(values: Ints) -> bytes:
    """Non-negative integers in LEB128: seven bits per byte, the lowest first.

    >>> varints(np.array([1, 127, 128, 300])).hex(" ")
    '01 7f 80 01 ac 02'
    """
    left = np.asarray(values, np.int64)
    if len(left) and left.min() < 0:
        raise ValueError("varints are non-negative")
    size = np.ones(len(left), np.int64)
    for bits in range(7, 63, 7):
        size += left >> bits > 0
    encoded = np.zeros(int(size.sum()), np.uint8)
    start = np.cumsum(size) - size
    for place in range(int(size.max(initial=0))):
        longer = size > place
        part = left[longer] >> 7 * place & 127
        encoded[start[longer] + place] = part + 128 * (size[longer] > place + 1)
    return encoded.tobytes()


def text(data: bytes) -> str:
    """Bytes in base64."""
    return base64.b64encode(data).decode("ascii")
