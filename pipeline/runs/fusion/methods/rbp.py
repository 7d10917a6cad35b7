"""Rank-biased centroids."""

from pipeline.runs.fusion.declaration import Votes, fusion
from pipeline.runs.fusion.settings import Fusion
from pipeline.storage.arrays import Floats


@fusion(
    "rbp",
    order=2,
    title="sum of RBP weights with persistence `p`",
    citation="Bailey, Moffat, Scholer & Thomas, SIGIR 2017",
)
def rbp(votes: Votes, given: Fusion) -> Floats:
    """Each run gives a document the weight RBP gives its rank."""
    return votes.sum((1 - given.p) * given.p**votes.rank)
