"""One measure's scores tested, and the measures side by side."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.measures.score_table import ScoreTable
from pipeline.statistics.letters import letters
from pipeline.statistics.ranks import EXACT, ranks_of
from pipeline.statistics.significance.anova import anova
from pipeline.statistics.significance.pairwise import (
    benjamini_hochberg,
    by_bootstrap,
    by_t,
    critical,
    differences,
    groups,
    holm,
    paired_t,
    permutation,
    ranges,
    tukey,
)
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats

MOST = 10**11  # differences of flipped sums that are looked at: about half a minute
SOURCES = ("system", "topic", "residual")  # of variance
TESTS = ("t", "t_holm", "t_bh", "permutation", "permutation_holm", "permutation_bh", "tukey")


@dataclass(frozen=True)
class Tested:
    """Every test under one measure, as columns; runs from the best mean to the worst."""

    pairs: Mapping[str, Any]  # run_a has the higher mean
    runs: Mapping[str, Any]
    summary: Mapping[str, Any]  # one row


def examine(
    runs: Sequence[str], values: Floats, *, alpha: float, permutations: int, samples: int, seed: int
) -> Tested:
    """Every test on scores of runs by topics.

    `pairs`: run_a, run_b, difference, lower, upper (t interval at 1 - alpha, this pair alone),
    effect (Cohen's d_z), effect_residual (in standard deviations of the two-way residual), then
    one p per test. `runs`: run, rank, mean, letters, its t and bootstrap intervals.
    """
    best_first = np.argsort(-np.round(values.mean(axis=1), EXACT), kind="stable")
    names, values = [runs[place] for place in best_first], values[best_first]
    pairs, topics, means = differences(values), values.shape[1], values.mean(axis=1)
    flips = enough(len(pairs.mean), alpha=alpha, permutations=permutations)
    t, lower, upper = paired_t(pairs, topics=topics, alpha=alpha)
    flipped = permutation(values, pairs, flips=flips, seed=seed)
    # Where no p of the permutation test could survive Holm's correction, it is left out.
    reached = len(pairs.mean) <= alpha * (flips + 1)
    largest = ranges(values, permutations=permutations, seed=seed)
    p = {
        "t": t,
        "t_holm": holm(t),
        "t_bh": benjamini_hochberg(t),
        "permutation": flipped,
        "permutation_holm": holm(flipped) if reached else np.full(len(flipped), np.nan),
        "permutation_bh": benjamini_hochberg(flipped),
        "tukey": tukey(largest, pairs),
    }
    apart = np.zeros((len(names), len(names)), bool)
    apart[pairs.first, pairs.second] = apart[pairs.second, pairs.first] = p["tukey"] <= alpha
    alike = groups(means, apart)
    table = anova(values) if min(values.shape) > 1 else {}
    error = math.sqrt(table["residual"].mean_square) if table else math.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        standardised = np.where(pairs.mean == 0, 0.0, pairs.mean / error)
    t_lower, t_upper = by_t(values, alpha=alpha)
    boot_lower, boot_upper = by_bootstrap(values, samples=samples, alpha=alpha, seed=seed)
    return Tested(
        pairs={
            "run_a": [names[place] for place in pairs.first.tolist()],
            "run_b": [names[place] for place in pairs.second.tolist()],
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
            "letters": letters(alike, runs=len(names)),
            "t_lower": t_lower,
            "t_upper": t_upper,
            "bootstrap_lower": boot_lower,
            "bootstrap_upper": boot_upper,
        },
        summary={
            **{"runs": len(names), "topics": topics, "pairs": len(pairs.mean), "alpha": alpha},
            "critical_difference": critical(largest, alpha=alpha),
            "groups": len(alike),
            **{f"power_{test}": _power(p[test], alpha) for test in TESTS},
            **{
                f"{of}_{part}": getattr(table.get(part), of, None)
                for of in ("share", "component")
                for part in SOURCES
            },
            **{f"{of}_system": getattr(table.get("system"), of, None) for of in ("f", "p")},
        },
    )


def enough(pairs: int, *, alpha: float, permutations: int) -> int:
    """Sign flips to draw: at least `permutations`, and what Holm needs to find anything at all.

    The smallest p is 1 / (flips + 1), and Holm multiplies it by the number of pairs: with 2,278
    pairs 10,000 flips could never reach 0.05. Twice the need, as far as time allows; where it does
    not allow the need itself, more flips than were asked for would not help Holm.
    """
    allowed = MOST // max(1, pairs)
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
    """Test all pairs of runs under one measure, and write three CSV files (see `examine`)."""
    found = examine(
        table.runs, table.values, alpha=alpha, permutations=permutations, samples=samples, seed=seed
    )
    first, second, *numbers = found.pairs.values()
    sheets.write_long(pairs, list(found.pairs), texts=[first, second], numbers=numbers)
    rows = zip(*found.runs.values(), strict=True)
    sheets.write(runs, list(found.runs), (map(_text, row) for row in rows))
    row = {"measure": table.measure, **found.summary}
    sheets.write(summary, list(row), [map(_text, row.values())])


def summarise(summaries: Sequence[Path], *, out: Path) -> None:
    """Write significance.csv: discriminative power and variance, one row per measure."""
    rows = [row for path in summaries for row in sheets.read(path)]
    sheets.write(out, list(rows[0]), rows)


def _power(p: Floats, alpha: float) -> float | None:
    """Discriminative power (Sakai 2006): the share of pairs that differ significantly."""
    return float(np.mean(p <= alpha)) if len(p) and not np.isnan(p).any() else None


def _text(cell: Any) -> str:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""  # not defined
    # + 0.0 turns -0.0 into 0.0, which would print a sign.
    return f"{cell + 0.0:.6g}" if isinstance(cell, float) else str(cell)
