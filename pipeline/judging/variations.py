"""Query variations: several queries ask for one information need (CLEF 2016 had six).

A mean over queries hides which system is good on average and which is good whatever the wording;
so scores are also told per need, with the variance between its queries.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.measures.score_table import ScoreTable
from pipeline.storage import sheets
from pipeline.storage.arrays import Floats
from pipeline.storage.expressions import search
from pipeline.storage.sheets import decimals
from pipeline.storage.text import natural

NEEDS = ("run", "measure", "need", "queries", "mean", "variance", "lowest", "highest")
RUNS = ("run", "measure", "needs", "mean", "variance_between", "variance_within", "worst_query")


def vary(scores: Iterable[ScoreTable], *, need: str, needs: Path, runs: Path) -> None:
    """Write mean and variance per run and need, and per run over its needs.

    Means over needs give each need the same weight, however many queries it has. Variances are
    of the sample (n - 1), blank for a need with one query; the worst query is the mean over needs
    of the lowest score, what a user with unlucky words gets.
    """
    by_need: list[tuple[Any, ...]] = []
    by_run: list[tuple[Any, ...]] = []
    for table in scores:
        groups = group(table.topics, need=need)
        for run, values in zip(table.runs, table.values, strict=True):
            each = [values[places] for places in groups.values()]
            for name, one in zip(groups, each, strict=True):
                figures = (one.mean(), _variance(one), one.min(), one.max())
                by_need.append((run, table.measure, name, len(one), *map(decimals, figures)))
            means, worst = (np.array([f(one) for one in each]) for f in (np.mean, np.min))
            within = np.nanmean([*map(_variance, each)])
            figures = (means.mean(), _variance(means), within, worst.mean())
            by_run.append((run, table.measure, len(each), *map(decimals, figures)))
    sheets.write(needs, NEEDS, by_need)
    sheets.write(runs, RUNS, by_run)


def _variance(values: Floats) -> float:
    return float(values.var(ddof=1)) if len(values) > 1 else np.nan


def group(topics: Sequence[str], *, need: str) -> dict[str, list[int]]:
    """The places of each need's queries; a topic the expression does not find is an error."""
    found: dict[str, list[int]] = {}
    for place, topic in enumerate(topics):
        match = search(need, topic, key="variations")
        if match is None or match[1] is None:
            what = f"variations '{need}' finds no information need in this id"
            raise InputError(Problem(f"topic '{topic}'", what, "widen the expression"))
        found.setdefault(match[1], []).append(place)
    if len(found) == len(topics):
        what = f"'{need}' gives each of the {len(topics)} topics a need of its own"
        fix = "correct the expression, or remove it if there are no variations"
        raise InputError(Problem("variations", what, fix))
    return {name: found[name] for name in sorted(found, key=natural)}
