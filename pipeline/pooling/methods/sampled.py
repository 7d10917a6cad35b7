"""Depth-k pools and samples of them."""

import numpy as np

from pipeline.pooling.declaration import PoolInputs, generator, pooling
from pipeline.storage.arrays import Floats, Ints


@pooling(
    "depth",
    order=1,
    title="the top documents of each run",
    citation="Spärck Jones & van Rijsbergen, 1975",
    reach=lambda plan: plan.depth,
)
def depth(inputs: PoolInputs) -> Floats:
    """All documents of the runs down to the pool depth."""
    return np.ones(len(inputs.candidates.topic))


@pooling(
    "uniform",
    order=3,
    title="a random sample of the top documents of the runs",
    citation="Yilmaz & Aslam, CIKM 2006",
    reads=("size",),
    reach=lambda plan: plan.depth,
)
def uniform(inputs: PoolInputs) -> Floats:
    """`size` of a topic's candidates, drawn uniformly; all if there are fewer."""
    chance = np.zeros(len(inputs.candidates.topic))
    for t, topic in enumerate(inputs.ranked.topics):
        random = generator(inputs.plan.seed, topic)
        _draw(chance, np.r_[inputs.candidates.rows(t)], inputs.plan.size, random)
    return chance


@pooling(
    "stratified",
    order=4,
    title="a random sample of each stratum of best ranks",
    citation="Yilmaz, Kanoulas & Aslam, SIGIR 2008",
    reads=("strata",),
    reach=lambda plan: max(stratum.to for stratum in plan.strata),
)
def stratified(inputs: PoolInputs) -> Floats:
    """A share of each stratum of best ranks, for statAP and infAP; at least one per stratum."""
    candidates, plan = inputs.candidates, inputs.plan
    chance = np.zeros(len(candidates.topic))
    for t, topic in enumerate(inputs.ranked.topics):
        rows, random, above = np.r_[candidates.rows(t)], generator(plan.seed, topic), 0
        for stratum in plan.strata:
            best = candidates.best[rows]
            inside = rows[(best > above) & (best <= stratum.to)]
            if stratum.share > 0:
                _draw(chance, inside, max(1, round(stratum.share * len(inside))), random)
            above = stratum.to
    return chance


def _draw(chance: Floats, rows: Ints, size: int, random: np.random.Generator) -> None:
    """Draw `size` rows, or all if there are fewer, and set their inclusion probability."""
    size = min(size, len(rows))
    if size:
        chance[random.choice(rows, size, replace=False)] = size / len(rows)
