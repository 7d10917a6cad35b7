"""Depth-k pools and samples of them."""

import numpy as np

from pipeline.pooling.declaration import Offer, generator, pooling
from pipeline.storage.arrays import Floats, Ints


@pooling(
    "depth",
    order=1,
    title="each run's first documents",
    citation="Spärck Jones & van Rijsbergen, 1975",
    reach=lambda plan: plan.depth,
)
def depth(offer: Offer) -> Floats:
    """All that the runs hold down to the depth."""
    return np.ones(len(offer.candidates.topic))


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
    chance = np.zeros(len(offer.candidates.topic))
    for t, topic in enumerate(offer.ranked.topics):
        random = generator(offer.plan.seed, topic)
        _draw(chance, np.r_[offer.candidates.rows(t)], offer.plan.size, random)
    return chance


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
        rows, random, above = np.r_[found.rows(t)], generator(plan.seed, topic), 0
        for stratum in plan.strata:
            best = found.best[rows]
            inside = rows[(best > above) & (best <= stratum.to)]
            if stratum.share > 0:
                _draw(chance, inside, max(1, round(stratum.share * len(inside))), random)
            above = stratum.to
    return chance


def _draw(chance: Floats, rows: Ints, size: int, random: np.random.Generator) -> None:
    """Draw `size` rows, or all where there are fewer, and set their chance."""
    size = min(size, len(rows))
    if size:
        chance[random.choice(rows, size, replace=False)] = size / len(rows)
