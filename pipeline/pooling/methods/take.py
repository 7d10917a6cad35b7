"""Pools of a fixed size: the best documents of a fusion of the runs."""

import numpy as np

from pipeline.pooling.declaration import Offer, pooling
from pipeline.runs.fusion.ranking import fused
from pipeline.storage.arrays import Floats


@pooling(
    "take",
    order=2,
    title="the best of a fusion of the runs",
    citation="Lipani, Losada, Zuccon & Lupu, TKDE 2021",
    reads=("size", "by", "norm", "k", "p"),
    scores=True,
)
def take(offer: Offer) -> Floats:
    """The first `size` documents a topic of the fusion."""
    ranked, found = offer.ranked, offer.candidates
    assert ranked.score is not None
    chance = np.zeros(len(found.topic))
    stride = len(ranked.topics)
    for t in range(stride):
        rows = np.array(offer.runs) * stride + t
        documents, _ = fused(
            ranked.number[rows],
            ranked.score[rows],
            documents=ranked.documents,
            fusion=offer.plan.fusion,
        )
        here = found.rows(t)
        chance[here] = np.isin(found.document[here], documents[: offer.plan.size])
    return chance
