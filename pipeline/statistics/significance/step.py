"""Significance tests of one measure's scores, and a summary of all measures."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.measures.score_table import ScoreTable
from pipeline.statistics.letters import letters
from pipeline.statistics.ranks import EXACT, ranks_of
from pipeline.statistics.significance import pairwise
from pipeline.statistics.significance.anova import anova
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats

MAX_COMPARISONS = 10**11  # comparisons of flipped sums: about half a minute
SOURCES = ("system", "topic", "residual")  # of variance
TESTS = ("t", "t_holm", "t_bh", "permutation", "permutation_holm", "permutation_bh", "tukey")


@dataclass(frozen=True)
class Significance:
    """The results of all tests under one measure, as columns; runs from the best mean down."""

    pairs: Mapping[str, Any]  # run_a has the higher mean
    runs: Mapping[str, Any]
    summary: Mapping[str, Any]  # one row


def examine(
    runs: Sequence[str], values: Floats, *, alpha: float, permutations: int, samples: int, seed: int
) -> Significance:
    """Run all tests on scores of runs by topics.

    `pairs`: run_a, run_b, difference, lower, upper (t interval at 1 - alpha, uncorrected), effect
    (Cohen's d_z), effect_residual (in standard deviations of the residual of the two-way ANOVA),
    then one p per test. `runs`: run, rank, mean, letters, t interval, bootstrap interval.
    """
    best_first = np.argsort(-np.round(values.mean(axis=1), EXACT), kind="stable")
    names, values = [runs[index] for index in best_first], values[best_first]
    pairs, topics, means = pairwise.differences(values), values.shape[1], values.mean(axis=1)
    flips = flip_count(len(pairs.mean), alpha=alpha, permutations=permutations)
    t, lower, upper = pairwise.paired_t(pairs, topics=topics, alpha=alpha)
    permutation_p = pairwise.permutation(values, pairs, flips=flips, seed=seed)
    # Without enough flips no p could be significant after Holm's correction: it is left blank.
    possible = len(pairs.mean) <= alpha * (flips + 1)
    ranges_ = pairwise.ranges(values, permutations=permutations, seed=seed)
    p = {
        "t": t,
        "t_holm": pairwise.holm(t),
        "t_bh": pairwise.benjamini_hochberg(t),
        "permutation": permutation_p,
        "permutation_holm": pairwise.holm(permutation_p) if possible else np.full(len(t), np.nan),
        "permutation_bh": pairwise.benjamini_hochberg(permutation_p),
        "tukey": pairwise.tukey(ranges_, pairs),
    }
    different = np.zeros((len(names), len(names)), bool)
    different[pairs.first, pairs.second] = p["tukey"] <= alpha
    cliques = pairwise.groups(means, different | different.T)
    table = anova(values) if min(values.shape) > 1 else {}
    error = math.sqrt(table["residual"].mean_square) if table else math.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        standardised = np.where(pairs.mean == 0, 0.0, pairs.mean / error)
    t_lower, t_upper = pairwise.by_t(values, alpha=alpha)
    boot_lower, boot_upper = pairwise.by_bootstrap(values, samples=samples, alpha=alpha, seed=seed)
    return Significance(
        pairs={
            "run_a": [names[index] for index in pairs.first.tolist()],
            "run_b": [names[index] for index in pairs.second.tolist()],
            "difference": pairs.mean,
            "lower": lower,
            "upper": upper,
            "effect": pairs.effect,
            "effect_residual": standardised,
            **{f"p_{test}": p[test] for test in TESTS},
        },
        runs={
            "run": names,
            "rank": ranks_of(means),
            "mean": means,
            "letters": letters(cliques, runs=len(names)),
            "t_lower": t_lower,
            "t_upper": t_upper,
            "bootstrap_lower": boot_lower,
            "bootstrap_upper": boot_upper,
        },
        summary={
            **{"runs": len(names), "topics": topics, "pairs": len(pairs.mean), "alpha": alpha},
            "critical_difference": pairwise.critical(ranges_, alpha=alpha),
            "groups": len(cliques),
            **{f"power_{test}": _power(p[test], alpha) for test in TESTS},
            **{
                f"{part}_{source}": getattr(table.get(source), part, None)
                for part in ("share", "component")
                for source in SOURCES
            },
            **{f"{part}_system": getattr(table.get("system"), part, None) for part in ("f", "p")},
        },
    )


def flip_count(pairs: int, *, alpha: float, permutations: int) -> int:
    """Sign flips to draw: `permutations`, or more if Holm's correction needs them.

    The smallest possible p is 1 / (flips + 1), and Holm multiplies it by the number of pairs: with
    2,278 pairs and 10,000 flips it could never reach 0.05. So the number is twice the minimum that
    Holm needs, limited by MAX_COMPARISONS. If the limit is below the minimum, more flips would not
    help.
    """
    allowed = MAX_COMPARISONS // max(1, pairs)
    if pairs > alpha * (allowed + 1):
        return permutations
    return max(permutations, min(math.ceil(2 * pairs / alpha), allowed))


def compare(
    table: ScoreTable,
    *,
    pairs: Path,
    runs: Path,
    summary: Path,
    alpha: float,
    permutations: int,
    samples: int,
    seed: int,
) -> None:
    """Test all pairs of runs under one measure and write three CSV files (see `examine`)."""
    settings = {"permutations": permutations, "samples": samples, "seed": seed}
    results = examine(table.runs, table.values, alpha=alpha, **settings)
    first, second, *numbers = results.pairs.values()
    sheets.write_long(pairs, list(results.pairs), texts=[first, second], numbers=numbers)
    rows = zip(*results.runs.values(), strict=True)
    sheets.write(runs, list(results.runs), (map(_text, row) for row in rows))
    row = {"measure": table.measure, **results.summary}
    sheets.write(summary, list(row), [map(_text, row.values())])


def summarise(summaries: Sequence[Path], *, out: Path) -> None:
    """Write significance.csv: discriminative power and ANOVA, one row per measure."""
    rows = [row for path in summaries for row in sheets.read(path)]
    sheets.write(out, list(rows[0]), rows)


def _power(p: Floats, alpha: float) -> float | None:
    """Discriminative power (Sakai 2006): the share of pairs that differ significantly."""
    return float(np.mean(p <= alpha)) if len(p) and not np.isnan(p).any() else None


def _text(cell: Any) -> str:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""  # undefined
    # + 0.0 turns -0.0 into 0.0.
    return f"{cell + 0.0:.6g}" if isinstance(cell, float) else str(cell)
