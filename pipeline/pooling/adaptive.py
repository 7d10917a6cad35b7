"""Adaptive pools: what to judge next follows from what the last judgements were.

The methods replay the judgements there are; a document nobody judged is taken for not relevant
and is what assessors should see next. Judging in rounds is running the campaign again after each.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.pooling.candidates import Candidates
from pipeline.pooling.select import generator, places
from pipeline.runs.rankings import Rankings
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats

Lists = Sequence[Sequence[int]]  # for each run the topic's documents, best first


def read(labels: Path) -> dict[str, dict[str, bool]]:
    """Topic -> document -> whether it is relevant; a document-keyed table holds for topic ''."""
    table = arrow.read(labels, ["topic", "document", "binary"]).to_pydict()
    found: dict[str, dict[str, bool]] = {}
    for topic, document, value in zip(
        table["topic"], table["document"], table["binary"], strict=True
    ):
        if value == value:  # NaN: nobody was able to judge
            found.setdefault(topic or "", {})[document] = value > 0
    return found


def replay(
    ranked: Rankings,
    found: Candidates,
    *,
    runs: Sequence[int],
    relevant: Mapping[str, Mapping[str, bool]],
    size: int,
    method: str,
    seed: int,
) -> Floats:
    """Choose `size` documents a topic, one after the other."""
    chance = np.zeros(len(found.topic))
    stride = len(ranked.topics)
    for t, topic in enumerate(ranked.topics):
        here = found.rows(t)
        documents = found.document[here]
        names = ranked.documents.take(places(documents)).to_pylist()
        known = {**relevant.get("", {}), **relevant.get(topic, {})}
        good = {
            d: known.get(name, False) for d, name in zip(documents.tolist(), names, strict=True)
        }
        rows = ranked.number[np.array(runs) * stride + t]
        lists = [row[row >= 0].tolist() for row in rows]
        order = (
            move_to_front(lists, good)
            if method == "move_to_front"
            else bandit(lists, good, generator(seed, topic))
        )
        taken = [document for document, _ in zip(order, range(size), strict=False)]
        chance[here] = np.isin(documents, taken)
    return chance


def move_to_front(lists: Lists, good: Mapping[int, bool]) -> Iterator[int]:
    """Cormack, Palmer & Clarke (SIGIR 1998), local: a run goes on while its documents are relevant.

    After one that is not, the run with the fewest such disappointments is next (ties: run order).
    """
    at = [0] * len(lists)
    misses = [0] * len(lists)
    seen: set[int] = set()
    while True:
        alive = [r for r in range(len(lists)) if _forward(lists[r], at, r, seen)]
        if not alive:
            return
        run = min(alive, key=lambda r: (misses[r], r))
        while _forward(lists[run], at, run, seen):
            document = lists[run][at[run]]
            seen.add(document)
            yield document
            if not good[document]:
                misses[run] += 1
                break


def bandit(lists: Lists, good: Mapping[int, bool], random: np.random.Generator) -> Iterator[int]:
    """Losada, Parapar & Barreiro (SAC 2016): each run an arm, Thompson sampling from its Beta.

    Every run begins with Beta(1, 1); a judgement counts for the run that gave the document.
    """
    at = [0] * len(lists)
    wins: NDArray[np.float64] = np.ones(len(lists))
    losses: NDArray[np.float64] = np.ones(len(lists))
    seen: set[int] = set()
    while True:
        alive = [r for r in range(len(lists)) if _forward(lists[r], at, r, seen)]
        if not alive:
            return
        drawn = random.beta(wins[alive], losses[alive])
        run = alive[int(np.argmax(drawn))]
        document = lists[run][at[run]]
        seen.add(document)
        yield document
        (wins if good[document] else losses)[run] += 1


def _forward(documents: Sequence[int], at: list[int], run: int, seen: set[int]) -> bool:
    """Pass over what was seen; whether the run still has a document to give."""
    while at[run] < len(documents) and documents[at[run]] in seen:
        at[run] += 1
    return at[run] < len(documents)
