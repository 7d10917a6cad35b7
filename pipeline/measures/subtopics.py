"""Ways to apply a base measure to a topic's subtopics, by name."""

import numpy as np

from pipeline.measures.declaration import Combination, Param
from pipeline.storage.arrays import Floats

GAMMA = Param(0.5, low=0, high=1, meaning="weight of subtopic recall")
SONG = "Sakai & Song, SIGIR 2011"


def _weighted(scores: Floats, weights: Floats) -> Floats:
    return np.asarray(weights @ scores)


INTENT_AWARE = Combination(
    "IA",
    of="subtopics",
    title="Intent-aware: the base measure over each subtopic, averaged",
    formula="sum_s P(s) M_s",
    citation="Agrawal, Gollapudi, Halverson & Ieong, WSDM 2009",
)
GLOBAL_GAIN = Combination(
    "D",
    of="subtopics",
    title="The base measure over the global gain",
    formula="M over g(k) = sum_s P(s) g_s(k)",
    citation=SONG,
)
D_SHARP = Combination(
    "Dsharp",
    of="subtopics",
    linear=True,
    title="D#: subtopic recall and the base measure over the global gain",
    formula="gamma StRecall + (1 - gamma) D(M)",
    citation=SONG,
    function=_weighted,
    module=__name__,
)
OVER_SUBTOPICS = {way.name: way for way in (INTENT_AWARE, GLOBAL_GAIN, D_SHARP)}
