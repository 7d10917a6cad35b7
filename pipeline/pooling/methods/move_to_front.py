"""Move-to-front: a run goes on as long as it finds relevant documents."""

from collections.abc import Iterator

import numpy as np

from pipeline.pooling.declaration import Offer, pooling
from pipeline.pooling.replaying import Heads, Judged, Lists, replay
from pipeline.storage.arrays import Floats


@pooling(
    "move_to_front",
    order=5,
    title="adaptive, replaying the labels there are: on with a run that finds relevant documents",
    citation="Cormack, Palmer & Clarke, SIGIR 1998",
    reads=("size", "labels"),
)
def move_to_front(offer: Offer) -> Floats:
    """The first `size` documents judged."""
    return replay(offer, fewest_misses)


def fewest_misses(lists: Lists, good: Judged, _: np.random.Generator) -> Iterator[int]:
    """The local variant: a run goes on while its documents are relevant.

    After one that is not, the run with the fewest such documents is next (ties: run order).
    """
    heads = Heads(lists)
    misses = [0] * len(lists)
    while alive := heads.alive():
        run = min(alive, key=lambda r: (misses[r], r))
        while heads.has(run):
            document = heads.take(run)
            yield document
            if not good[document]:
                misses[run] += 1
                break
