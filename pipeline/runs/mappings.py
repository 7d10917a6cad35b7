"""Runs given as mappings, {topic: {document: score}}, as pytrec_eval and ranx take them.

They are ranked as files are: by score, ties by document id descending. Labels are looked up in the
same pass, because nothing else of a document is ever looked at; in C where it was built.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.runs import compiled
from pipeline.runs.reading import ORDERS
from pipeline.storage.arrays import Floats, Ints

Lists = dict[str, dict[str, float]]
NOTHING, UNJUDGED = 0, 1  # the levels of no document, and of one that nobody judged


@dataclass(frozen=True)
class Levels:
    """The levels of one dimension: by topic and document, and where a label holds everywhere."""

    here: dict[str, dict[str, int]]
    everywhere: dict[str, int]


@dataclass(frozen=True)
class Found:
    """One run: a row a topic."""

    levels: tuple[NDArray[Any], ...]  # a dimension each, [topic, rank]
    length: Ints
    score: Floats | None  # NaN behind the end


def rank(
    run: Lists,
    *,
    topics: Sequence[str],
    dimensions: Sequence[Levels],
    order: str,
    depth: int,
    bad_scores: str,
    levels: type[np.uint8] | type[np.int32],
    scores: bool,
    name: str,
) -> Found:
    """Rank a run and look its labels up; `name` is the run's, for what is wrong with it."""
    if ORDERS[order] == "rank":
        raise InputError(f"{name}: a run in memory has scores and no ranks; set order to 'score'")
    longest = max((len(run[topic]) for topic in topics if topic in run), default=0)
    width = min(longest, depth) if depth else longest
    way = _plain if compiled.extension() is None else compiled_levels
    try:
        found, length, score, bad = way(
            run, list(topics), dimensions, ORDERS[order], depth, width, levels, scores
        )
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: {error}; give a run as {{topic: {{document: score}}}}") from None
    if bad is not None and bad_scores == "error":
        topic, document = bad
        raise InputError(
            f"{name}: the score of document '{document}' in topic '{topic}' is not finite "
            f"({run[topic][document]}); correct it, or set bad_scores to 'last'"
        )
    return Found(found, length, score)


Answer = tuple[tuple[NDArray[Any], ...], Ints, Floats | None, tuple[str, str] | None]


def compiled_levels(
    run: Lists, topics: list[str], dimensions: Sequence[Levels], order: str, depth: int,
    width: int, kind: Any, scores: bool,
) -> Answer:  # fmt: skip
    """As `_plain`, in C."""
    module: Any = compiled.extension()
    here = tuple(one.here for one in dimensions)
    everywhere = tuple(one.everywhere for one in dimensions)
    each = np.dtype(kind).itemsize
    found, length, score, bad = module.levels(
        run, topics, here, everywhere, order, depth, width, each, scores
    )
    shape = (len(topics), width)
    return (
        tuple(np.frombuffer(one, kind).reshape(shape) for one in found),
        np.frombuffer(length, np.int32).astype(np.int64),
        np.frombuffer(score, np.float64).reshape(shape) if scores else None,
        bad,
    )


def _plain(
    run: Lists, topics: list[str], dimensions: Sequence[Levels], order: str, depth: int,
    width: int, kind: Any, scores: bool,
) -> Answer:  # fmt: skip
    shape = (len(topics), width)
    found = tuple(np.zeros(shape, kind) for _ in dimensions)
    length = np.zeros(len(topics), np.int64)
    score = np.full(shape, np.nan)
    bad: tuple[str, str] | None = None
    for row, topic in enumerate(topics):
        entries, odd = _ranked(run.get(topic, {}), order=order)
        bad = bad or (odd and (topic, odd)) or None
        if depth:
            entries = entries[:depth]
        length[row] = len(entries)
        score[row, : len(entries)] = [value for _, value in entries]
        for rows, one in zip(found, dimensions, strict=True):
            here = one.here.get(topic, {})
            rows[row, : len(entries)] = [
                here.get(document, one.everywhere.get(document, UNJUDGED))
                for document, _ in entries
            ]
    return found, length, score if scores else None, bad


def _ranked(run: Mapping[str, float], *, order: str) -> tuple[list[tuple[str, float]], str]:
    """Documents and scores, best first; and the first document whose score is not finite."""
    for document in run:
        if not isinstance(document, str):
            raise TypeError(f"the document id {document!r} is not a string")
    entries = [(document, float(value)) for document, value in run.items()]
    odd = next((document for document, value in entries if not np.isfinite(value)), "")

    def key(entry: tuple[str, float]) -> float:
        if not np.isfinite(entry[1]):
            return -np.inf
        with np.errstate(over="ignore"):
            return entry[1] if order == "score64" else float(np.float32(entry[1]))

    return sorted(sorted(entries, reverse=True), key=key, reverse=True), odd


def ranked(run: Mapping[str, float], *, order: str, depth: int) -> list[tuple[str, float]]:
    """One list in order: its documents and scores."""
    entries, _ = _ranked(run, order=ORDERS[order])
    return entries[:depth] if depth else entries
