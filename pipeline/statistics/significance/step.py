"""The step: one measure's scores tested, and the measures side by side."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.statistics.letters import letters
from pipeline.statistics.ranks import EXACT, ranks_of
from pipeline.statistics.score_table import read
from pipeline.statistics.significance.adjust import benjamini_hochberg, holm
from pipeline.statistics.significance.anova import Source, anova
from pipeline.statistics.significance.intervals import by_bootstrap, by_t
from pipeline.statistics.significance.pairwise import (
    Differences,
    differences,
    paired_t,
    permutation,
)
from pipeline.statistics.significance.tukey import critical, groups, ranges, tukey
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats
from pipeline.storage.atomic import atomic

MOST = 10**11  # differences of flipped sums that are looked at: about half a minute
TESTS = ("t", "t_holm", "t_bh", "permutation", "permutation_holm", "permutation_bh", "tukey")


@dataclass(frozen=True)
class Found:
    """All that is known of one measure; runs from the best mean to the worst."""

    means: Floats
    pairs: Differences
    ends: tuple[Floats, Floats]
    p: Mapping[str, Floats]
    standardised: Floats
    by_t: tuple[Floats, Floats]
    by_bootstrap: tuple[Floats, Floats]
    letters: Sequence[str]
    groups: int
    table: Sequence[Source]
    critical: float
    flips: int
    unreached: str | None  # why Holm's correction of the permutation test is left out, if it is


def examine(values: Floats, *, alpha: float, permutations: int, samples: int, seed: int) -> Found:
    """Every test on scores of runs by topics."""
    runs, topics = values.shape
    pairs = differences(values)
    flips = enough(len(pairs.mean), alpha=alpha, permutations=permutations)
    t, lower, upper = paired_t(pairs, topics=topics, alpha=alpha)
    flipped = permutation(values, pairs, flips=flips, seed=seed)
    unreached = out_of_reach(len(pairs.mean), alpha=alpha, flips=flips)
    largest = ranges(values, permutations=permutations, seed=seed)
    p = {
        "t": t,
        "t_holm": holm(t),
        "t_bh": benjamini_hochberg(t),
        "permutation": flipped,
        "permutation_holm": np.full(len(flipped), np.nan) if unreached else holm(flipped),
        "permutation_bh": benjamini_hochberg(flipped),
        "tukey": tukey(largest, pairs),
    }
    apart = np.zeros((runs, runs), bool)
    apart[pairs.first, pairs.second] = apart[pairs.second, pairs.first] = p["tukey"] <= alpha
    table = anova(values) if min(runs, topics) > 1 else ()
    error = math.sqrt(table[-1].mean_square) if table else math.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        standardised = np.where(pairs.mean == 0, 0.0, pairs.mean / error)
    means = values.mean(axis=1)
    alike = groups(means, apart)
    return Found(
        means=means,
        pairs=pairs,
        ends=(lower, upper),
        p=p,
        standardised=standardised,
        by_t=by_t(values, alpha=alpha),
        by_bootstrap=by_bootstrap(values, samples=samples, alpha=alpha, seed=seed),
        letters=letters(alike, runs=runs),
        groups=len(alike),
        table=table,
        critical=critical(largest, alpha=alpha),
        flips=flips,
        unreached=unreached,
    )


PAIR_COLUMNS = [
    *("run_a", "run_b", "difference", "lower", "upper", "effect", "effect_residual"),
    *(f"p_{test}" for test in TESTS),
]
RUN_COLUMNS = [
    *("run", "rank", "mean", "letters"),
    *(f"{way}_{end}" for way in ("t", "bootstrap") for end in ("lower", "upper")),
]


def tested(
    runs: Sequence[str],
    values: Floats,
    *,
    alpha: float,
    permutations: int,
    samples: int,
    seed: int,
) -> tuple[list[str], Found]:
    """The runs from the best mean to the worst, and every test of them in that order."""
    best_first = np.argsort(-np.round(values.mean(axis=1), EXACT), kind="stable")
    names = [runs[place] for place in best_first]
    found = examine(
        values[best_first], alpha=alpha, permutations=permutations, samples=samples, seed=seed
    )
    return names, found


def pair_columns(names: Sequence[str], found: Found) -> tuple[list[list[str]], list[Floats]]:
    """The names and the numbers of every two runs, as PAIR_COLUMNS says."""
    pairs = found.pairs
    texts = [[names[place] for place in places.tolist()] for places in (pairs.first, pairs.second)]
    tested = (found.p[test] for test in TESTS)
    return texts, [pairs.mean, *found.ends, pairs.effect, found.standardised, *tested]


def pair_rows(names: Sequence[str], found: Found) -> Iterable[tuple[Any, ...]]:
    """A row a pair of runs, as PAIR_COLUMNS says."""
    texts, numbers = pair_columns(names, found)
    return zip(*texts, *numbers, strict=True)


def run_rows(names: Sequence[str], found: Found) -> Iterable[tuple[Any, ...]]:
    """A row a run, as RUN_COLUMNS says."""
    return zip(
        names,
        ranks_of(found.means),
        found.means,
        found.letters,
        *found.by_t,
        *found.by_bootstrap,
        strict=True,
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


def out_of_reach(pairs: int, *, alpha: float, flips: int) -> str | None:
    """What to say where no p of the permutation test could survive Holm's correction.

    >>> out_of_reach(70_500, alpha=0.05, flips=1_418_439)
    >>> out_of_reach(99_681, alpha=0.05, flips=10_000)
    "Holm's correction for 99,681 pairs needs 1,993,619 sign flips to reach 0.05, and time allows \
1,003,200: p_permutation_holm is blank. Tukey's HSD corrects for all pairs, too."
    """
    if pairs <= alpha * (flips + 1):
        return None
    allowed = max(flips, MOST // pairs)
    return (
        f"Holm's correction for {pairs:,} pairs needs {math.ceil(pairs / alpha) - 1:,} sign flips "
        f"to reach {alpha:g}, and time allows {allowed:,}: p_permutation_holm is blank. "
        "Tukey's HSD corrects for all pairs, too."
    )


def compare(
    scores: Path,
    *,
    pairs: Path,
    runs: Path,
    summary: Path,
    alpha: float,
    permutations: int,
    samples: int,
    seed: int,
) -> None:
    """Test every two runs under one measure, and write three files.

    `pairs` (CSV): run_a, run_b (run_a has the higher mean), difference, lower, upper (t interval
    at 1 - alpha, this pair alone), effect (Cohen's d_z), effect_residual (in standard deviations
    of the two-way residual), then one p a test. `runs` (CSV): run, rank, mean, its t and
    bootstrap intervals, letters. `summary` (JSON): the analysis of variance, discriminative
    power (the share of pairs told apart, Sakai 2006) of each test, and the settings.
    """
    table = read(scores)
    names, found = tested(
        table.runs, table.values, alpha=alpha, permutations=permutations, samples=samples, seed=seed
    )
    texts, numbers = pair_columns(names, found)
    sheets.write_long(pairs, PAIR_COLUMNS, texts=texts, numbers=numbers)
    _csv(runs, RUN_COLUMNS, run_rows(names, found))
    content = {
        "measure": table.measure,
        "runs": len(names),
        "topics": len(table.topics),
        "pairs": len(found.pairs.mean),
        "alpha": alpha,
        "permutations": permutations,
        "flips": found.flips,
        "samples": samples,
        "seed": seed,
        "critical_difference": found.critical,
        "groups": found.groups,
        "discriminative_power": {
            test: float(np.mean(p <= alpha)) if len(p) and not np.isnan(p).any() else None
            for test, p in found.p.items()
        },
        "anova": [asdict(source) for source in found.table],
    }
    if found.unreached:
        content["note"] = found.unreached
    with atomic(summary) as draft:
        draft.write_text(json.dumps(_finite(content), indent=1) + "\n", encoding="utf-8")


def summarise(summaries: Sequence[Path], *, out: Path) -> None:
    """Write significance.csv: one row a measure, how well it tells runs apart and why."""
    header = ["measure", "runs", "topics", "pairs", "alpha", "critical_difference", "groups"]
    powers = [f"power_{test}" for test in TESTS]
    parts = ("system", "topic", "residual")
    columns = [f"{what}_{part}" for what in ("share", "component") for part in parts]
    rows = []
    for path in summaries:
        content = json.loads(path.read_text(encoding="utf-8"))
        lines = {line["name"]: line for line in content["anova"]}
        system = lines.get("system", {})
        rows.append(
            [
                *(content[name] for name in header),
                *(content["discriminative_power"][test] for test in TESTS),
                *(lines.get(p, {}).get(what) for what in ("share", "component") for p in parts),
                system.get("f"),
                system.get("p"),
            ]
        )
    _csv(out, [*header, *powers, *columns, "f_system", "p_system"], rows)


def _csv(path: Path, header: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    sheets.write(path, header, ([_text(cell) for cell in row] for row in rows))


def _text(cell: Any) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    # + 0.0 turns -0.0 into 0.0, which would print a sign.
    return f"{cell + 0.0:.6g}" if isinstance(cell, float) else str(cell)


def _finite(value: Any) -> Any:
    """JSON knows neither NaN nor infinity: what is not defined is null."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
