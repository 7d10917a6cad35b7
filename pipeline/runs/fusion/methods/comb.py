"""The Comb family: fusion of the scores of the runs that retrieve a document."""

from functools import partial

import numpy as np

from pipeline.config.fusion import Fusion
from pipeline.runs.fusion.declaration import Votes, fusion
from pipeline.storage.arrays import Floats

comb = partial(fusion, citation="Fox & Shaw, TREC-2, 1993")


@comb("combmin", order=5, title="lowest score")
def combmin(votes: Votes, _: Fusion) -> Floats:
    """The lowest score of a document in any run."""
    lowest = np.full(len(votes.documents), np.inf)
    np.minimum.at(lowest, votes.place, votes.score)
    return lowest


@comb("combmax", order=6, title="highest score")
def combmax(votes: Votes, _: Fusion) -> Floats:
    """The highest score of a document in any run."""
    highest = np.full(len(votes.documents), -np.inf)
    np.maximum.at(highest, votes.place, votes.score)
    return highest


@comb("combmed", order=7, title="median score")
def combmed(votes: Votes, _: Fusion) -> Floats:
    """The median score; of an even number, the mean of the middle two."""
    order = np.lexsort((votes.score, votes.place))
    sorted_, count = votes.score[order], votes.count.astype(np.int64)
    first = np.concatenate([[0], np.cumsum(count)[:-1]])
    middle: Floats = (sorted_[first + (count - 1) // 2] + sorted_[first + count // 2]) / 2
    return middle


@comb("combsum", order=8, title="sum of scores")
def combsum(votes: Votes, _: Fusion) -> Floats:
    """The sum of the scores of a document."""
    return votes.sum(votes.score)


@comb("combanz", order=9, title="mean score of the runs that retrieve it")
def combanz(votes: Votes, _: Fusion) -> Floats:
    """The sum of the scores, divided by the number of runs that retrieve the document."""
    return votes.sum(votes.score) / votes.count


@comb("combmnz", order=10, title="sum of scores times the number of runs that retrieve it")
def combmnz(votes: Votes, _: Fusion) -> Floats:
    """The sum of the scores, times the number of runs that retrieve the document."""
    return votes.sum(votes.score) * votes.count
