"""All tests of a campaign's runs, beside the permutation test alone, a pair at a time.

clef2015's ten measures as its campaign tests them, and one measure of a thousand runs. Ours is
every test of every pair (t, permutation, Tukey's HSD, corrections, intervals, groups). A peer only
flips signs, for a pair as often as ours does, and of a few pairs: its time is extrapolated to all.
"""

import math
from collections.abc import Callable, Mapping

import numpy as np
import yaml

from benchmarks.campaign import CONFIG, ROOT
from benchmarks.statistics import Array, B, numpy_pair, scipy_pair, scores
from benchmarks.timing import DATA, interleaved, rounds_of, show
from pipeline import evaluate
from pipeline.config.scale import Scale
from pipeline.statistics.significance import step as ours

ALPHA = 0.05
SAMPLE = 10  # pairs of each comparison that a peer tests
OURS = "Fathom, every test of every pair"
Pair = Callable[..., float]


def clef2015() -> dict[str, Array]:
    """[run, topic] of each measure of the campaign, as its config declares dimensions."""
    given = yaml.safe_load((ROOT / CONFIG).read_text())["campaigns"]["clef2015"]
    result = evaluate(
        {name: str(ROOT / one["labels"]) for name, one in given["dimensions"].items()},
        str(ROOT / given["runs"]["files"]),
        given["measures"],
        scales={name: _scale(one) for name, one in given["dimensions"].items()},
    )
    return dict(result.compare().values)


def _scale(one: Mapping[str, object]) -> Scale:
    lowest, highest = one["scale"]
    return Scale(lowest, highest, one.get("better", "high"), one["threshold"], one.get("gains"), ())


def tested(measures: Mapping[str, Array]) -> dict[str, ours.Significance]:
    """Everything a campaign says of each measure."""
    return {
        name: ours.examine(
            list(map(str, range(len(values)))),
            values,
            alpha=ALPHA,
            permutations=B,
            samples=B,
            seed=1,
        )
        for name, values in measures.items()
    }


def by_pairs(measures: Mapping[str, Array], test: Pair, *, sample: int = SAMPLE) -> list[float]:
    """The p of some pairs, taken from the measures in turn, with the flips of a campaign."""
    every = list(measures.values())
    runs = len(every[0])
    flips = ours.flip_count(math.comb(runs, 2), alpha=ALPHA, permutations=B)
    rng = np.random.default_rng(1)
    found = []
    for number in range(sample):
        a, b = rng.choice(runs, size=2, replace=False)
        values = every[number % len(every)]
        found.append(test(values[a], values[b], flips=flips, rng=np.random.default_rng(1)))
    return found


def side_by_side(title: str, measures: Mapping[str, Array], *, rounds: int, sample: int) -> None:
    """Ours and the peers in turn; what the peers took for a sample is extrapolated to all pairs."""
    pairs = len(measures) * math.comb(len(next(iter(measures.values()))), 2)
    seconds = interleaved(
        {
            OURS: lambda: tested(measures),
            "numpy, a pair a time": lambda: by_pairs(measures, numpy_pair, sample=sample),
            "scipy, a pair a time": lambda: by_pairs(measures, scipy_pair, sample=sample),
        },
        rounds=rounds,
    )
    told = {
        name: mine if name == OURS else [one * pairs / sample for one in mine]
        for name, mine in seconds.items()
    }
    show(f"{title}: {pairs:,} pairs, peers from {sample}", told, base=OURS)


def main(*, quick: bool = False) -> None:
    sample = 1 if quick else SAMPLE
    if DATA.is_dir():
        measures = clef2015()
        title = f"clef2015, {len(measures)} measures"
        side_by_side(title, measures, rounds=rounds_of(quick), sample=sample)
    else:
        print("significance of clef2015: needs the real data in ../shared/data; skipped")
    runs = 100 if quick else 1000
    many = {"generated": scores(runs, 50)}
    side_by_side(f"{runs:,} runs x 50 topics", many, rounds=1, sample=sample)
