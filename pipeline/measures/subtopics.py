"""Ways to take any base measure over a topic's subtopics, by the name each is written with."""

from collections.abc import Mapping
from types import MappingProxyType

from pipeline.measures.declaration import Combination, Param
from pipeline.storage.arrays import Floats

GAMMA = Param(0.5, low=0, high=1, meaning="the weight of subtopic recall")
OVER_SUBTOPICS: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {  # title, formula, source
        "IA": (
            "Intent-aware: the base measure over each subtopic, averaged",
            "sum_s P(s) M_s",
            "Agrawal, Gollapudi, Halverson & Ieong, WSDM 2009",
        ),
        "D": (
            "The base measure over the global gain",
            "M over g(k) = sum_s P(s) g_s(k)",
            "Sakai & Song, SIGIR 2011",
        ),
        "Dsharp": (
            "D#: subtopic recall and the base measure over the global gain",
            "gamma StRecall + (1 - gamma) D(M)",
            "Sakai & Song, SIGIR 2011",
        ),
    }
)


def _weighted(scores: Floats, weights: Floats) -> Floats:
    mean: Floats = weights @ scores
    return mean


D_SHARP = Combination(
    name="Dsharp",
    of="scores",
    linear=True,
    title=OVER_SUBTOPICS["Dsharp"][0],
    formula=OVER_SUBTOPICS["Dsharp"][1],
    citation=OVER_SUBTOPICS["Dsharp"][2],
    function=_weighted,
    module=__name__,
)
