"""Fusion methods that use ranks only."""

from functools import cmp_to_key

import numpy as np

from pipeline.config.fusion import Fusion
from pipeline.runs.fusion.declaration import Votes, fusion
from pipeline.storage.arrays import Floats


@fusion(
    "rrf",
    order=1,
    title="sum of 1 / (`k` + rank)",
    citation="Cormack, Clarke & Buettcher, SIGIR 2009",
)
def rrf(votes: Votes, settings: Fusion) -> Floats:
    """Reciprocal ranks; ranks count from 1 in the paper, from 0 in the votes."""
    return votes.sum(1 / (settings.k + votes.rank + 1))


@fusion(
    "rbp",
    order=2,
    title="sum of RBP weights with persistence `p`",
    citation="Bailey, Moffat, Scholer & Thomas, SIGIR 2017",
)
def rbp(votes: Votes, settings: Fusion) -> Floats:
    """The RBP weight of the rank in each run."""
    return votes.sum((1 - settings.p) * settings.p**votes.rank)


@fusion("borda", order=3, title="Borda count", citation="Aslam & Montague, SIGIR 2001")
def borda(votes: Votes, _: Fusion) -> Floats:
    """Of n candidates the first gets n points, the next n - 1; the unranked share the rest."""
    candidates = len(votes.documents)
    rest = (candidates - votes.length + 1) / 2
    points: Floats = votes.sum(candidates - votes.rank - rest[votes.run]) + rest.sum()
    return points


@fusion(
    "condorcet",
    order=4,
    title="sorted by majorities of the runs",
    citation="Montague & Aslam, CIKM 2002",
)
def condorcet(votes: Votes, settings: Fusion) -> Floats:
    """A merge sort by majority, from Borda's order: each document beats or ties the next.

    A run prefers documents that it ranks to others; a run with neither document has no vote.
    """
    rank = np.full((len(votes.documents), len(votes.length)), np.iinfo(np.int32).max, np.int64)
    rank[votes.place, votes.run] = votes.rank

    def compare(a: int, b: int) -> int:
        return int((rank[b] < rank[a]).sum()) - int((rank[a] < rank[b]).sum())

    start = np.argsort(-borda(votes, settings), kind="stable")
    order = sorted(start.tolist(), key=cmp_to_key(compare))
    score = np.empty(len(order))
    score[order] = np.arange(len(order), 0, -1)
    return score
