"""Uniform samples of a depth-k pool."""

import numpy as np

from pipeline.pooling.declaration import Offer, pooling
from pipeline.pooling.sampling import draw, generator
from pipeline.storage.arrays import Floats


@pooling(
    "uniform",
    order=3,
    title="a sample of each run's first documents",
    citation="Yilmaz & Aslam, CIKM 2006",
    reads=("size",),
    reach=lambda plan: plan.depth,
)
def uniform(offer: Offer) -> Floats:
    """`size` of a topic's candidates, each as likely as any other; all where there are fewer."""
    found, plan = offer.candidates, offer.plan
    chance = np.zeros(len(found.topic))
    for t, topic in enumerate(offer.ranked.topics):
        draw(chance, found.places(t), plan.size, generator(plan.seed, topic))
    return chance
