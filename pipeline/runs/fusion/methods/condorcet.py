"""Condorcet fusion: an election by majorities of the runs, document against document."""

from functools import cmp_to_key

import numpy as np

from pipeline.runs.fusion.declaration import Votes, fusion
from pipeline.runs.fusion.methods.borda import borda
from pipeline.runs.fusion.settings import Fusion
from pipeline.storage.arrays import Floats


@fusion(
    "condorcet",
    order=4,
    title="sorted by majorities of the runs",
    citation="Montague & Aslam, CIKM 2002",
)
def condorcet(votes: Votes, given: Fusion) -> Floats:
    """A merge sort by majority, from Borda's order: each document beats or ties the next.

    A run prefers what it ranks to what it does not; runs with neither of two have no vote.
    """
    rank = np.full((len(votes.documents), len(votes.length)), np.iinfo(np.int32).max, np.int64)
    rank[votes.place, votes.run] = votes.rank

    def compare(a: int, b: int) -> int:
        return int((rank[b] < rank[a]).sum()) - int((rank[a] < rank[b]).sum())

    start = np.argsort(-borda(votes, given), kind="stable")
    order = sorted(start.tolist(), key=cmp_to_key(compare))
    score = np.empty(len(order))
    score[order] = np.arange(len(order), 0, -1)
    return score
