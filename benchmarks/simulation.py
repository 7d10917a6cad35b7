"""Synthetic systems drawn and scored all at once, beside a plain Python loop; and what more cost.

The loop is what one writes from the paper's description (Palotti, Zuccon & Hanbury, section 4):
a document at a time. Both draw the same distributions and give the mean of RBP, uRBP and H.
"""

import random
import statistics

from benchmarks.timing import interleaved, rounds_of, show
from pipeline.config.scale import Scale
from pipeline.gains.from_labels import from_labels
from pipeline.measures import parse
from pipeline.sources.generators.synthetic import Categorical, Normal, labels

LISTS, DEPTH, P = 5000, 10, 0.8
SHARE, MEAN, SIGMA, EASY = 0.5, 40.0, 40.0, 40
DIMENSIONS = ("topicality", "understandability")
MEASURES = {
    "RBP": "RBP(p=0.8)",
    "uRBP": "uRBPgr(p=0.8)",
    "H": "H(RBP(p=0.8), topicality=1, understandability=1)",
}


def loop(lists: int = LISTS) -> dict[str, float]:
    """Mean scores, a document at a time."""
    draw = random.Random(1)
    found: dict[str, list[float]] = {name: [] for name in MEASURES}
    for _ in range(lists):
        topical = easy = both = 0.0
        for rank in range(DEPTH):
            weight = (1 - P) * P**rank
            on_topic = draw.random() <= SHARE
            label = round(min(100.0, max(0.0, draw.gauss(MEAN, SIGMA))))
            topical += weight * on_topic
            easy += weight * (label <= EASY)
            both += weight * on_topic * (1 - label / 100)
        found["RBP"].append(topical)
        found["uRBP"].append(both)
        found["H"].append(2 * topical * easy / (topical + easy) if topical * easy else 0.0)
    return {name: statistics.fmean(values) for name, values in found.items()}


def all_at_once(lists: int = LISTS, dimensions: int = 2) -> dict[str, float]:
    """The same by the engine; further dimensions are drawn as understandability."""
    import numpy as np

    easy = Normal(mean=MEAN, sd=SIGMA, better="low")
    more = {f"dimension{number}": easy for number in range(3, dimensions + 1)}
    known = {DIMENSIONS[0]: Categorical.binary(SHARE), DIMENSIONS[1]: easy, **more}
    drawn = labels(known, shape=(1, lists, DEPTH), random=np.random.default_rng(1))
    scale = Scale(0, 100, "low", EASY, None, ())
    scales = dict.fromkeys(drawn, scale) | {DIMENSIONS[0]: Scale(0, 1, "high", 1, None, ())}
    gains = from_labels(drawn, scales=scales)
    return {
        name: float(parse(text, dimensions=list(drawn)).value(gains).mean())
        for name, text in MEASURES.items()
    }


def main(*, quick: bool = False) -> None:
    """Print both comparisons."""
    rounds, size = rounds_of(quick), 200 if quick else LISTS
    contenders = {
        "plain Python loop": lambda: loop(size),
        "Fathom": lambda: all_at_once(size),
    }
    title = f"synthetic systems: {size:,} lists of {DEPTH}, RBP, uRBP and H"
    show(title, interleaved(contenders, rounds=rounds), base="Fathom")
    many = 20 * size
    steps = {
        f"{many:,} lists, 2 dimensions": lambda: all_at_once(many),
        f"{2 * many:,} lists, 2 dimensions": lambda: all_at_once(2 * many),
        f"{4 * many:,} lists, 2 dimensions": lambda: all_at_once(4 * many),
        f"{many:,} lists, 4 dimensions": lambda: all_at_once(many, 4),
        f"{many:,} lists, 8 dimensions": lambda: all_at_once(many, 8),
    }
    title = "synthetic systems: cost by lists and dimensions"
    show(title, interleaved(steps, rounds=rounds), base=next(iter(steps)))
