"""Reciprocal rank fusion."""

from pipeline.runs.fusion.declaration import Votes, fusion
from pipeline.runs.fusion.settings import Fusion
from pipeline.storage.arrays import Floats


@fusion(
    "rrf",
    order=1,
    title="sum of 1 / (`k` + rank)",
    citation="Cormack, Clarke & Buettcher, SIGIR 2009",
)
def rrf(votes: Votes, given: Fusion) -> Floats:
    """Ranks count from 1 in the paper, from 0 in the votes."""
    return votes.sum(1 / (given.k + votes.rank + 1))
