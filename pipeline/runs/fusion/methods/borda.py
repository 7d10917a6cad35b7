"""Borda count: an election in which each run ranks the candidates."""

from pipeline.runs.fusion.declaration import Votes, fusion
from pipeline.runs.fusion.settings import Fusion
from pipeline.storage.arrays import Floats


@fusion("borda", order=3, title="Borda count", citation="Aslam & Montague, SIGIR 2001")
def borda(votes: Votes, _: Fusion) -> Floats:
    """A run of n candidates gives n points to its first, and shares the rest among the unranked."""
    candidates = len(votes.documents)
    rest = (candidates - votes.length + 1) / 2
    points: Floats = votes.sum(candidates - votes.rank - rest[votes.run]) + rest.sum()
    return points
