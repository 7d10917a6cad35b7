"""A multi-armed bandit: each run an arm, pulled the more often the more it finds."""

from collections.abc import Iterator

import numpy as np

from pipeline.pooling.declaration import Offer, pooling
from pipeline.pooling.replaying import Heads, Judged, Lists, replay
from pipeline.storage.arrays import Floats


@pooling(
    "bandit",
    order=6,
    title="adaptive, replaying the labels there are: runs drawn by what they found so far",
    citation="Losada, Parapar & Barreiro, SAC 2016",
    reads=("size", "labels"),
)
def bandit(offer: Offer) -> Floats:
    """The first `size` documents judged."""
    return replay(offer, thompson)


def thompson(lists: Lists, good: Judged, random: np.random.Generator) -> Iterator[int]:
    """Thompson sampling from the Beta distribution of each run.

    Every run begins with Beta(1, 1); a judgement counts for the run that gave the document.
    """
    heads = Heads(lists)
    wins: Floats = np.ones(len(lists))
    losses: Floats = np.ones(len(lists))
    while alive := heads.alive():
        drawn = random.beta(wins[alive], losses[alive])
        run = alive[int(np.argmax(drawn))]
        document = heads.take(run)
        yield document
        (wins if good[document] else losses)[run] += 1
