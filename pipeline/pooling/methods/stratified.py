"""Stratified samples: the more of the documents the higher they are ranked."""

import numpy as np

from pipeline.pooling.declaration import Offer, pooling
from pipeline.pooling.sampling import draw, generator
from pipeline.storage.arrays import Floats


@pooling(
    "stratified",
    order=4,
    title="a sample of each stratum of best ranks",
    citation="Yilmaz, Kanoulas & Aslam, SIGIR 2008",
    reads=("strata",),
    reach=lambda plan: max(stratum.to for stratum in plan.strata),
)
def stratified(offer: Offer) -> Floats:
    """A share of each stratum of best ranks, as statAP and infAP want them; at least one each."""
    found, plan = offer.candidates, offer.plan
    chance = np.zeros(len(found.topic))
    for t, topic in enumerate(offer.ranked.topics):
        rows, random, above = found.places(t), generator(plan.seed, topic), 0
        for stratum in plan.strata:
            best = found.best[rows]
            inside = rows[(best > above) & (best <= stratum.to)]
            some = len(inside) and stratum.share > 0
            draw(chance, inside, max(1, round(stratum.share * len(inside))) if some else 0, random)
            above = stratum.to
    return chance
