"""Significance and bootstrap of all runs at once, beside plain loops; and error rates on null data.

The loops are what one writes first: a call a pair (numpy, all flips of the pair at once; scipy's
permutation_test), a shuffle a topic, a correlation a resample. All are given the same size of work.
"""

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from benchmarks.timing import interleaved, rounds_of, show
from pipeline.statistics.correlation.bootstrap import bootstrap
from pipeline.statistics.correlation.statistic import SystemRankings
from pipeline.statistics.correlation.statistics.pairs import pearson, spearman, tau_b
from pipeline.statistics.significance import pairwise

Array = NDArray[np.float64]
RUNS, TOPICS, B = 20, 66, 10_000


def scores(runs: int, topics: int, *, seed: int = 1) -> Array:
    rng = np.random.default_rng(seed)
    return rng.beta(1, 2, size=(1, topics)) * rng.beta(3, 2, size=(runs, topics))


def numpy_pair(a: Array, b: Array, *, flips: int, rng: np.random.Generator) -> float:
    """The permutation test of two runs, its flips drawn and summed at once."""
    gap = a - b
    signs = rng.choice([-1.0, 1.0], size=(flips, len(gap)))
    return float((1 + np.sum(np.abs(signs @ gap) >= abs(gap.sum()))) / (flips + 1))


def scipy_pair(a: Array, b: Array, *, flips: int, rng: np.random.Generator) -> float:
    """The same by scipy."""
    from scipy.stats import permutation_test

    found = permutation_test(
        (a, b),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=flips,
        vectorized=True,
        rng=rng,
    )
    return float(found.pvalue)


def loop_over_pairs(values: Array) -> list[float]:
    """The permutation test a pair at a time."""
    rng = np.random.default_rng(1)
    return [numpy_pair(a, b, flips=B, rng=rng) for a, b in itertools.combinations(values, 2)]


def scipy_over_pairs(values: Array) -> list[float]:
    return [
        scipy_pair(a, b, flips=B, rng=np.random.default_rng(1))
        for a, b in itertools.combinations(values, 2)
    ]


def all_pairs(values: Array) -> Array:
    return pairwise.permutation(values, pairwise.differences(values), flips=B, seed=1)


def loop_over_shuffles(values: Array) -> list[float]:
    """Randomised Tukey HSD, a topic at a time."""
    rng = np.random.default_rng(1)
    largest = []
    for _ in range(B):
        shuffled = np.stack([rng.permutation(column) for column in values.T], axis=1)
        largest.append(float(np.ptp(shuffled.mean(axis=1))))
    return largest


def loop_over_samples(first: Array, second: Array, samples: int) -> tuple[float, float]:
    from scipy.stats import kendalltau

    rng = np.random.default_rng(1)
    found = []
    for _ in range(samples):
        drawn = rng.integers(first.shape[1], size=first.shape[1])
        x, y = first[:, drawn].mean(axis=1), second[:, drawn].mean(axis=1)
        found.append(kendalltau(x, y).statistic)
    return float(np.quantile(found, 0.025)), float(np.quantile(found, 0.975))


def correlations(values: Array) -> list[Array]:
    """Kendall's tau-b, Spearman's rho and Pearson's r between all pairs of rows."""
    rankings = SystemRankings(values)
    return [one.between(rankings) for one in (tau_b, spearman, pearson)]


def scipy_correlations(values: Array) -> list[Array]:
    from scipy.stats import kendalltau, pearsonr, spearmanr

    found = []
    for function in (kendalltau, spearmanr, pearsonr):
        matrix = np.eye(len(values))
        for a, b in itertools.combinations(range(len(values)), 2):
            matrix[a, b] = matrix[b, a] = function(values[a], values[b]).statistic
        found.append(matrix)
    return found


def null_rates(sets: int) -> dict[str, tuple[float, float]]:
    """How often each test is wrong at 5 % where no run differs, and the error of that figure."""
    rng = np.random.default_rng(7)
    wrong: dict[str, list[float]] = {"permutation, a pair": [], "Tukey HSD, any pair": []}
    for number in range(sets):
        values = rng.gamma(2.0, size=(1, 20)) + rng.gamma(2.0, size=(6, 20))
        pairs = pairwise.differences(values)
        flipped = pairwise.permutation(values, pairs, flips=199, seed=number)
        together = pairwise.tukey(pairwise.ranges(values, permutations=199, seed=number), pairs)
        wrong["permutation, a pair"].append(float(np.mean(flipped <= 0.05)))
        wrong["Tukey HSD, any pair"].append(float(np.any(together <= 0.05)))
    return {name: (np.mean(x), np.std(x) / math.sqrt(sets)) for name, x in wrong.items()}


def main(*, quick: bool = False) -> None:
    values = scores(RUNS, TOPICS)
    pairs = math.comb(RUNS, 2)
    seconds = interleaved(
        {
            "Fathom, all pairs": lambda: all_pairs(values),
            "numpy, a pair a time": lambda: loop_over_pairs(values),
            "scipy, a pair a time": lambda: scipy_over_pairs(values),
        },
        rounds=rounds_of(quick),
    )
    show(f"permutation test: {pairs} pairs, {B} flips", seconds, base="Fathom, all pairs")

    seconds = interleaved(
        {
            "Fathom, blocks": lambda: pairwise.ranges(values, permutations=B, seed=1),
            "numpy, a topic a time": lambda: loop_over_shuffles(values),
        },
        rounds=rounds_of(quick),
    )
    show(f"randomised Tukey HSD: {RUNS} runs, {B} shuffles", seconds, base="Fathom, blocks")

    measures, samples = [scores(RUNS, TOPICS, seed=seed) for seed in range(8)], 200
    seconds = interleaved(
        {
            "Fathom, all measures": lambda: bootstrap(
                measures, matrices={"tau_b": tau_b.between}, samples=samples, seed=1
            ),
            "scipy, a pair of measures a time": lambda: [
                loop_over_samples(a, b, samples) for a, b in itertools.combinations(measures, 2)
            ],
        },
        rounds=rounds_of(quick),
    )
    show(f"tau_b of 8 measures, {samples} resamples", seconds, base="Fathom, all measures")

    for runs, number in ((24, 20 if quick else 300), (1000, 2 if quick else 10)):
        values = scores(runs, number, seed=3).T
        if runs < 100:
            values = np.round(values, 2)  # with ties
        seconds = interleaved(
            {
                "Fathom, all measures": lambda values=values: correlations(values),
                "scipy, two measures a time": lambda values=values: scipy_correlations(values),
            },
            rounds=1,  # which takes scipy a minute
        )
        title = f"tau_b, rho and r of {number} measures of {runs:,} runs"
        show(title, seconds, base="Fathom, all measures")

    sets = 50 if quick else 2000
    print(f"\nerror rate at 5 % on null data ({sets:,} sets of 6 runs and 20 topics)")
    for name, (rate, error) in null_rates(sets).items():
        print(f"  {name:<44}{100 * rate:7.2f} % +- {100 * error:.2f}")
