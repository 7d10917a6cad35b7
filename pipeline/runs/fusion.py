"""Fusion: many rankings of a topic made into one, to pool from or to join the campaign as a system.

Our own arithmetic rather than ranx's: its tables of strings take a minute for 68 runs, and bring
numba along; the tests hold the two equal. Scores are first put on one scale a run and topic
(`norm`); runs that do not hold a document say nothing about it, except to Borda and Condorcet.
"""

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.runs import rankings
from pipeline.storage.arrays import Floats, Ints
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.atomic import atomic

NORMS = ("min_max", "sum", "z_score", "none")


@dataclass(frozen=True)
class Votes:
    """Everything the runs say about one topic: one row a (run, document) that some run holds."""

    run: Ints
    place: Ints  # the document, as a place in `documents`
    rank: Ints  # from 0
    score: Floats
    documents: NDArray[np.int32]
    length: Ints  # [run]

    def sum(self, value: NDArray[Any]) -> Floats:
        """The sum of a value over each document's votes."""
        found = np.bincount(self.place, weights=value, minlength=len(self.documents))
        return found.astype(np.float64)

    @property
    def count(self) -> Floats:
        """How many runs hold each document."""
        return np.bincount(self.place, minlength=len(self.documents)).astype(float)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How to fuse: the method, and what only some methods read."""

    method: str
    norm: str = "min_max"
    k: float = 60.0  # reciprocal rank fusion
    p: float = 0.8  # persistence of RBP weights


def _extreme(votes: Votes, *, lowest: bool) -> Floats:
    found = np.full(len(votes.documents), np.inf if lowest else -np.inf)
    (np.minimum if lowest else np.maximum).at(found, votes.place, votes.score)
    return found


def _median(votes: Votes, _: Settings) -> Floats:
    order = np.lexsort((votes.score, votes.place))
    sorted_, count = votes.score[order], votes.count.astype(np.int64)
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    middle: Floats = (sorted_[first + (count - 1) // 2] + sorted_[first + count // 2]) / 2
    return middle


def _borda(votes: Votes, _: Settings) -> Floats:
    """A run of n candidates gives n points to its first, and shares the rest among the unranked."""
    candidates = len(votes.documents)
    rest = (candidates - votes.length + 1) / 2
    points: Floats = votes.sum(candidates - votes.rank - rest[votes.run]) + rest.sum()
    return points


def _condorcet(votes: Votes, settings: Settings) -> Floats:
    """A merge sort by majority, from Borda's order: each document beats or ties the next.

    A run prefers what it ranks to what it does not; runs with neither of two have no vote.
    """
    rank = np.full((len(votes.documents), len(votes.length)), np.iinfo(np.int32).max, np.int64)
    rank[votes.place, votes.run] = votes.rank

    def compare(a: int, b: int) -> int:
        return int((rank[b] < rank[a]).sum()) - int((rank[a] < rank[b]).sum())

    start = np.argsort(-_borda(votes, settings), kind="stable")
    order = sorted(start.tolist(), key=cmp_to_key(compare))
    score = np.empty(len(order))
    score[order] = np.arange(len(order), 0, -1)
    return score


Method = Callable[[Votes, Settings], Floats]
METHODS: Mapping[str, Method] = MappingProxyType(
    {
        # Fox & Shaw, TREC-2, 1993
        "combmin": lambda votes, _: _extreme(votes, lowest=True),
        "combmax": lambda votes, _: _extreme(votes, lowest=False),
        "combmed": _median,
        "combsum": lambda votes, _: votes.sum(votes.score),
        "combanz": lambda votes, _: votes.sum(votes.score) / votes.count,
        "combmnz": lambda votes, _: votes.sum(votes.score) * votes.count,
        # Cormack, Clarke & Buettcher, SIGIR 2009
        "rrf": lambda votes, given: votes.sum(1 / (given.k + votes.rank + 1)),
        # rank-biased centroids: Bailey, Moffat, Scholer & Thomas, SIGIR 2017
        "rbp": lambda votes, given: votes.sum((1 - given.p) * given.p**votes.rank),
        "borda": _borda,  # Aslam & Montague, SIGIR 2001
        "condorcet": _condorcet,  # Montague & Aslam, CIKM 2002
    }
)


def votes(number: NDArray[np.int32], score: Floats, *, norm: str) -> Votes:
    """What runs ([run, rank] document numbers, -1 where a list has ended) say about one topic."""
    held = number >= 0
    run, rank = np.nonzero(held)
    documents, place = np.unique(number[run, rank], return_inverse=True)
    scaled = normalised(np.where(held, score, np.nan), norm=norm)[run, rank]
    return Votes(run, place.ravel(), rank, scaled, documents, held.sum(axis=1))


def normalised(score: Floats, *, norm: str) -> Floats:
    """Scores of each row on one scale; NaN is no score. A row of equal scores becomes zeros."""
    if norm == "none" or not score.shape[1]:
        return score
    empty: NDArray[np.bool_] = np.all(np.isnan(score), axis=1, keepdims=True)
    safe = np.where(empty, 0.0, score)
    low = np.nanmin(safe, axis=1, keepdims=True)
    if norm == "min_max":
        shift, width = low, np.nanmax(safe, axis=1, keepdims=True) - low
    elif norm == "sum":
        shift, width = low, np.nansum(safe - low, axis=1, keepdims=True)
    else:
        shift = np.nanmean(safe, axis=1, keepdims=True)
        width = np.nanstd(safe, axis=1, keepdims=True)
    scaled: Floats = (score - shift) / np.maximum(width, 1e-9)
    return scaled


def fused(
    number: NDArray[np.int32], score: Floats, *, documents: pa.Array, settings: Settings
) -> tuple[NDArray[np.int32], Floats]:
    """One topic's documents and fused scores, best first; ties by document id, descending."""
    said = votes(number, score, norm=settings.norm)
    value = METHODS[settings.method](said, settings)
    names = documents.take(numbers(said.documents)).to_pylist()
    by_name = np.argsort(np.array(sorted(range(len(names)), key=names.__getitem__), np.int64))
    # Sums of the same numbers in another order differ in the last digits; such are ties.
    order = np.lexsort((-by_name, -value.round(12)))
    return said.documents[order], value[order]


@dataclass(frozen=True, kw_only=True)
class Fused:
    """A system made of others: its name, how, from which runs, how deep."""

    name: str
    method: str
    runs: str | None
    norm: str
    k: float
    p: float
    depth: int


def fuse(batches: Sequence[Path], *, systems: Sequence[Fused], out: Path, facts: Path) -> None:
    """Make each fused system from the submitted runs, as one more batch of rankings."""
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        whole = Path(folder) / "rankings.parquet"
        rankings.merge(batches, out=whole)
        topics = rankings.topics_of(whole)
        ranked = rankings.read(whole, topics=topics, scores=True)
    assert ranked.score is not None
    run_of, topic_of, rank, document, score = [], [], [], [], []
    told = []
    for place, system in enumerate(sorted(systems, key=lambda s: s.name)):
        if system.name in ranked.runs:
            raise InputError(f"fusion: '{system.name}' is also a submitted run; rename the fusion")
        mine = chosen(ranked.runs, pattern=system.runs, where=f"fusion.{system.name}.runs")
        settings = Settings(method=system.method, norm=system.norm, k=system.k, p=system.p)
        lines = 0
        for t in range(len(topics)):
            rows = np.array(mine) * len(topics) + t
            found, value = fused(
                ranked.number[rows],
                ranked.score[rows],
                documents=ranked.documents,
                settings=settings,
            )
            found, value = found[: system.depth], value[: system.depth]
            lines += len(found)
            run_of.append(np.full(len(found), place))
            topic_of.append(np.full(len(found), t))
            rank.append(np.arange(1, len(found) + 1, dtype=np.int32))
            document.append(found)
            score.append(value)
        told.append(_facts(system, topics=topics, lines=lines, runs=len(mine)))
    names = sorted(system.name for system in systems)
    table = pa.table(
        {
            "run": coded(np.concatenate(run_of), names),
            "topic": coded(np.concatenate(topic_of), topics),
            "rank": numbers(np.concatenate(rank)),
            "document": coded(np.concatenate(document), ranked.documents),
            "score": numbers(np.concatenate(score)),
        },
        schema=rankings.SCHEMA,
    )
    rankings.write(table, out)
    with atomic(facts) as draft:
        draft.write_text(json.dumps(told, indent=1))


def chosen(runs: Sequence[str], *, pattern: str | None, where: str) -> list[int]:
    """The places of the runs whose name the expression finds; all without one, never none."""
    mine = [i for i, run in enumerate(runs) if pattern is None or re.search(pattern, run)]
    if not mine:
        raise InputError(
            f"{where}: '{pattern}' finds none of the {len(runs)} runs, as '{runs[0]}'; "
            "correct the expression"
        )
    return mine


def _facts(system: Fused, *, topics: Sequence[str], lines: int, runs: int) -> dict[str, object]:
    return {
        "run": system.name,
        "file": f"({system.method} of {runs} runs)",
        "tag": "fused",
        "lines": lines,
        "topics": list(topics),
        "duplicates": 0,
        "bad_scores": 0,
        "tied": 0,
        "top10_differs": 0,
    }
