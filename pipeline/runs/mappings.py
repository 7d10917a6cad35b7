"""Runs as mappings, {topic: {document: score}}, the form of pytrec_eval and ranx.

They are ranked like files: by score, ties by document id descending; in C if it was compiled.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError, Problem
from pipeline.runs.plain import compared
from pipeline.runs.reader import ORDERS, RunPolicies, extension
from pipeline.storage.arrays import Floats, Ints

RunMapping = dict[str, dict[str, float]]


def rank_mapping(
    run: RunMapping,
    *,
    topics: Sequence[str],
    numbers: dict[str, int],
    policies: RunPolicies,
    scores: bool,
    name: str,
) -> tuple[NDArray[np.int32], Ints, Floats | None]:
    """Rank a run and look its documents up in `numbers`; `name` is the run's, for messages.

    Returns document numbers [topic, rank] (-1: a document without a number, -2: beyond the end),
    the length of each topic's ranking, and with `scores` the scores, NaN beyond the end.
    """
    order, depth = ORDERS[policies.order], policies.depth
    if order == "rank":
        what, fix = "a run in memory has scores but no ranks", "set order='score'"
        raise InputError(Problem(name, what, fix))
    longest = max((len(run[topic]) for topic in topics if topic in run), default=0)
    width = min(longest, depth) if depth else longest
    module: Any = extension()
    rank = _plain if module is None else module.rank_mapping
    try:
        number, length, score, bad = rank(run, tuple(topics), numbers, order, width, scores)
    except (TypeError, ValueError) as error:
        fix = "give a run as {topic: {document: score}}"
        raise InputError(Problem(name, str(error), fix)) from None
    if bad is not None and "bad_scores" in policies.strict:
        topic, document = bad
        what = f"the score of document '{document}' in topic '{topic}' is not finite "
        what += f"({run[topic][document]})"
        raise InputError(Problem(name, what, policies.strict["bad_scores"]))
    shape = len(topics), width
    return (
        np.frombuffer(number, np.int32).reshape(shape),
        np.frombuffer(length, np.int32).astype(np.int64),
        np.frombuffer(score or b"", np.float64).reshape(shape) if scores else None,
    )


def _plain(
    run: RunMapping, topics: Sequence[str], numbers: Mapping[str, int], order: str, width: int,
    scores: bool,
) -> tuple[bytes, bytes, bytes | None, tuple[str, str] | None]:  # fmt: skip
    """The `rank_mapping` of the extension, in Python."""
    number = np.full((len(topics), width), -2, np.int32)
    score = np.full((len(topics), width), np.nan)
    length = np.zeros(len(topics), np.int32)
    bad: tuple[str, str] | None = None
    for row, topic in enumerate(topics):
        for document, value in run.get(topic, {}).items():
            if not isinstance(document, str):
                raise TypeError(f"the document id {document!r} is not a string")
            if not bad and not np.isfinite(float(value)):
                bad = topic, document
        for place, (document, value) in enumerate(rank_topic(run.get(topic, {}), order, width)):
            number[row, place], score[row, place] = numbers.get(document, -1), value
            length[row] = place + 1
    return number.tobytes(), length.tobytes(), score.tobytes() if scores else None, bad


def rank_topic(run: Mapping[str, float], order: str, depth: int) -> list[tuple[str, float]]:
    """The documents of one topic and their scores, best first; ties by id, descending."""
    entries = [(document, float(value)) for document, value in run.items()]
    entries.sort(key=lambda entry: (compared(entry[1], ORDERS[order]), entry[0]), reverse=True)
    return entries[: depth or None]
