"""The judged documents of every ranking, for the sections that compute: what if, and why.

Of each ranking the page has the ranks of the documents judged in any dimension, two bytes each, and
what each label is worth: so it computes every measure that is a sum as the engine does. Too much
for a page is cut at a depth, which the sections say.
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

LARGE = ("lists", "documents", "levels", "gains", "measures")  # read when they are asked for
ROOM = 420_000  # bytes for the lists of a usual campaign
MOST = 6_000_000  # and of one so large that it must be cut where RBP(p=0.8) still has 5 digits
DEPTHS = (1000, 500, 300, 200, 150, 100, 70, 50)
EXPLAINED = 100  # ranks whose parts of a score are told one by one
UNIT = 10_000_000  # parts of a score that have no weights are whole numbers of these


@dataclass(frozen=True)
class Lists:
    """Row (run x topic), rank (from 0) and document of what was judged, row by row."""

    row: Ints
    rank: Ints
    document: Ints  # its number, over all topics: those of a topic follow each other
    names: list[list[str]]  # of the documents, by topic; those in most lists first
    levels: list[Ints]  # of the documents, by dimension

    @property
    def starts(self) -> Ints:
        """The number of each topic's first document."""
        return np.cumsum([0, *(len(names) for names in self.names)])[:-1]

    def alone(self, gains: Gains) -> Gains:
        """Each document as a ranking of its own, which is enough to see its gain."""
        levels = zip(gains.dimensions.items(), self.levels, strict=True)
        dimensions = {name: replace(one, codes=level[:, None]) for (name, one), level in levels}
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
    """The judged documents of every ranking, as the page carries them.

    `condensed` is the dimension by whose labels the gains were condensed, if they were. Where even
    short rankings are too much for a page, it carries none.
    """
    ranked = _aligned(gains, ranked, condensed)
    parsed = [parse(name, dimensions=list(gains.dimensions)) for name in measures]
    longest = int(gains.length.max(initial=0))
    carried: dict[str, Any] = {
        "runs": list(gains.runs),
        "topics": list(gains.topics),
        "alpha": alpha,
        "longest": longest,
        "setting": setting(parsed, dimensions=list(gains.dimensions)),
    }
    for depth in (longest, *(depth for depth in DEPTHS if depth < longest)):
        lists = _judged(gains, ranked, depth=depth)
        if len(packed := _packed(lists, rows=len(gains.topic), topics=len(gains.topics))) <= ROOM:
            break
    known, kept = _used(gains, lists)
    carried["dimensions"] = [_dimension(name, one) for name, one in known.dimensions.items()]
    if len(packed) > MOST:
        return carried | {"depth": 0, "lists": None, "measures": {}}
    parts = {one.name: _parts(one, gains, lists) for one in parsed}
    gained = list(dict.fromkeys(part[0] for part in parts.values() if part))  # each once
    return carried | {
        "depth": depth,
        "lists": text(packed),
        "documents": lists.names,
        "levels": [
            _numbered(level, len(one.worth))
            for level, one in zip(kept.levels, known.dimensions.values(), strict=True)
        ],
        "explained": min(EXPLAINED, depth),
        "unit": UNIT,
        "gains": [{"values": values, "of": of} for values, of in gained],
        "measures": {
            name: part and {"gain": gained.index(part[0]), **part[1]}
            for name, part in parts.items()
        },
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
    """What the page carries, in two blocks by id: the small one is read at once."""
    return {
        "judged": {key: value for key, value in judged.items() if key not in LARGE},
        "judged-lists": {key: judged[key] for key in LARGE if key in judged},
    }


def _numbered(numbers: Ints, size: int) -> str:
    """One byte per number, or as many as it takes to tell `size` numbers apart."""
    kind = "u1" if size <= 2**8 else "<u2" if size <= 2**16 else "<u4"
    return text(numbers.astype(kind).tobytes())


def _used(gains: Gains, lists: Lists) -> tuple[Gains, Lists]:
    """Of estimated labels, of which nearly every document has its own, only those in the lists."""
    dimensions, levels = dict(gains.dimensions), []
    for (name, one), level in zip(gains.dimensions.items(), lists.levels, strict=True):
        if len(one.worth) <= 2**8:
            levels.append(level)
            continue
        kept, place = np.unique(np.concatenate([[NOTHING, UNJUDGED], level]), return_inverse=True)
        dimensions[name] = replace(one, worth=one.worth[kept])
        levels.append(place[2:])
    return replace(gains, dimensions=dimensions), replace(lists, levels=levels)


def _judged(gains: Gains, ranked: Rankings, *, depth: int) -> Lists:
    """The documents that have a label in any dimension, within a depth."""
    dimensions = list(gains.dimensions.values())
    known = np.zeros((len(gains.topic), min(depth, dimensions[0].codes.shape[1])), bool)
    for one in dimensions:
        known |= one.codes[:, : known.shape[1]] > UNJUDGED
    row, rank = np.nonzero(known)
    number, topic = ranked.number[row, rank].astype(np.int64), gains.topic[row]
    # A document is one of its topic; those in most rankings come first, as one byte.
    key = topic * (len(ranked.documents) + 1) + number
    _, first, place, count = np.unique(
        key, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.lexsort((number[first], -count, topic[first]))
    renumbered, kept = np.argsort(order), first[order]
    names = ranked.documents.take(arrow.numbers(number[kept])).to_pylist()
    ends = np.searchsorted(topic[kept], np.arange(len(gains.topics) + 1)).tolist()
    return Lists(
        row=row,
        rank=rank,
        document=renumbered[place.reshape(-1)],
        names=[names[start:end] for start, end in pairwise(ends)],
        levels=[one.codes[row[kept], rank[kept]].astype(np.int64) for one in dimensions],
    )


def _packed(lists: Lists, *, rows: int, topics: int) -> bytes:
    """For each row the count of its documents, then for each the step in rank and its number."""
    counts = np.bincount(lists.row, minlength=rows)
    first = np.concatenate([[True], np.diff(lists.row) > 0])[: len(lists.row)]
    before = np.where(first, -1, np.concatenate([[-1], lists.rank])[: len(lists.rank)])
    start = lists.starts[np.arange(rows) % topics][lists.row] if len(lists.row) else 0
    at = np.arange(len(lists.row)) * 2 + lists.row + 1  # each row has one number of its own
    whole = np.zeros(rows + 2 * len(lists.row), np.int64)
    whole[np.cumsum(1 + 2 * counts) - (1 + 2 * counts)] = counts
    whole[at] = lists.rank - before - 1
    whole[at + 1] = lists.document - start
    return varints(whole)


def _dimension(name: str, one: Dimension) -> dict[str, Any]:
    """What each level is worth; the first two are no document and one that nobody judged."""
    binary, gain, label = (one.worth[UNJUDGED + 1 :, STORED.index(kind)] for kind in STORED)
    _, _, better = one.scale.tolist()
    return {
        "name": name,
        "better": better,
        "label": label.tolist(),
        "binary": binary.astype(int).tolist(),
        "gain": gain.tolist(),
        "threshold": threshold(label, binary, better=better),
    }


def threshold(label: Floats, binary: Floats, *, better: float) -> float | None:
    """The label from which on documents count as relevant; None without one."""
    lowest = (label[binary > 0] * better).min(initial=np.inf)
    split = ((label * better >= lowest) == (binary > 0)).all()
    return float(lowest * better) if np.isfinite(lowest) and split else None


def setting(measures: Sequence[Measure], *, dimensions: Sequence[str]) -> dict[str, Any]:
    """Where the sliders start: the campaign's own H or CAM of RBP, or its RBP, or the usual."""
    start: dict[str, Any] = {"measure": "H" if len(dimensions) > 1 else dimensions[0], "p": 0.8}
    start |= {"weights": dict.fromkeys(dimensions, 1.0), "like": None}
    for one in measures:
        if not isinstance(one, Combined) or one.combination.name not in ("H", "CAM"):
            continue
        parts = one.parts
        (kind, *others) = {(p.declaration.name, p.cutoff, *p.readings.values()) for p in parts}
        persistences = {part.params.get("p") for part in parts}
        if kind == ("RBP", None, "binary") and not others and len(persistences) == 1:
            own = {p.dimensions[0]: w for p, w in zip(parts, one.weights, strict=True)}
            weights = {name: own.get(name, 0.0) for name in dimensions}
            (p,) = persistences
            return {"measure": one.combination.name, "p": p, "weights": weights, "like": one.name}
    singles = (part for part in map(single, measures) if part and part.declaration.name == "RBP")
    return start | next(({"p": part.params["p"]} for part in singles), {})


# The gains that documents have as a measure reads their labels, and which of them each one has.
Gained = tuple[tuple[float, ...], str]


def _parts(measure: Measure, gains: Gains, lists: Lists) -> tuple[Gained, dict[str, Any]] | None:
    """Of a measure that is a sum: the gain of every document, and weights of the ranks or parts."""
    one = single(measure)
    if one is None:
        return None
    gain, view = one.view(lists.alone(gains)).gain[:, 0], one.view(gains)
    values, place = np.unique(gain, return_inverse=True)
    gained = (tuple(values.tolist()), _numbered(place, len(values)))
    depth = min(EXPLAINED, view.depth)
    if found := rank_weights(one, gains, depth=depth):
        base = _by_topic(found.base, gains) if found.base.any() else None
        factor = _by_topic(found.factor, gains)
        return gained, {"weights": found.weight.tolist(), "factor": factor, "base": base}
    if one.declaration.contributions is None:
        return None
    parts = one.declaration.contributions(view.at(one.cutoff), **one.params)
    here = (lists.rank < min(depth, parts.shape[1])) & (gain[lists.document] > 0)
    added = parts[lists.row[here], lists.rank[here]]
    if len(added) and added.min() < 0:
        return None
    whole = np.round(added * UNIT).astype(np.int64)
    return gained, {"parts": text(varints(whole)), "to": min(depth, parts.shape[1])}


def _by_topic(values: Floats, gains: Gains) -> list[float]:
    """One value a topic where its lists agree, else one a list; empty lists have no say."""
    table = values.reshape(len(gains.runs), -1)
    some = (gains.length > NOTHING).reshape(table.shape)
    first = table[np.argmax(some, axis=0), np.arange(table.shape[1])]
    agreed: list[float] = (first if ((table == first) | ~some).all() else values).tolist()
    return agreed


def varints(values: Ints) -> bytes:
    """Numbers from 0 up (LEB128): seven bits a byte, the lowest first; the last is below 128.

    >>> varints(np.array([1, 127, 128, 300])).hex(" ")
    '01 7f 80 01 ac 02'
    """
    left = np.asarray(values, np.int64)
    if len(left) and left.min() < 0:
        raise ValueError("varints are of numbers from 0 up")
    size = np.ones(len(left), np.int64)
    for bits in range(7, 63, 7):
        size += left >> bits > 0
    found = np.zeros(int(size.sum()), np.uint8)
    start = np.cumsum(size) - size
    for place in range(int(size.max(initial=0))):
        here = size > place
        part = left[here] >> 7 * place & 127
        found[start[here] + place] = part + 128 * (size[here] > place + 1)
    return found.tobytes()


def text(data: bytes) -> str:
    """Bytes as a page carries them."""
    return base64.b64encode(data).decode("ascii")
