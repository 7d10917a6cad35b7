"""Query variations: several queries express one information need (six in CLEF 2016).

A mean over queries does not separate systems that are good on average from systems that are robust
to the wording. So scores are also reported by need, with the variance between its queries.
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


def vary(tables: Iterable[ScoreTable], *, need: str, needs: Path, runs: Path) -> None:
    """Write mean and variance by run and need, and by run over its needs.

    Every need has the same weight, regardless of its number of queries. Variances are sample
    variances (n - 1), blank for a need with one query. `worst_query` is the mean over needs of the
    lowest score.
    """
    by_need: list[tuple[Any, ...]] = []
    by_run: list[tuple[Any, ...]] = []
    for table in tables:
        groups = group(table.topics, need=need)
        for run, values in zip(table.runs, table.values, strict=True):
            values_by_need = [values[places] for places in groups.values()]
            for name, scores in zip(groups, values_by_need, strict=True):
                figures = (scores.mean(), _variance(scores), scores.min(), scores.max())
                by_need.append((run, table.measure, name, len(scores), *map(decimals, figures)))
            means, worst = (np.array([*map(f, values_by_need)]) for f in (np.mean, np.min))
            within = np.nanmean([*map(_variance, values_by_need)])
            figures = (means.mean(), _variance(means), within, worst.mean())
            by_run.append((run, table.measure, len(values_by_need), *map(decimals, figures)))
    sheets.write(needs, NEEDS, by_need)
    sheets.write(runs, RUNS, by_run)


def _variance(values: Floats) -> float:
    return float(values.var(ddof=1)) if len(values) > 1 else np.nan


def group(topics: Sequence[str], *, need: str) -> dict[str, list[int]]:
    """The positions of the queries of each need; every topic must match the expression."""
    queries: dict[str, list[int]] = {}
    for position, topic in enumerate(topics):
        match = search(need, topic, key="variations")
        if match is None or match[1] is None:
            what = f"the id does not match the expression '{need}' of variations"
            fix = "make it match the ids of all topics"
            raise InputError(Problem(f"topic '{topic}'", what, fix))
        queries.setdefault(match[1], []).append(position)
    if len(queries) == len(topics):
        what = f"'{need}' maps the {len(topics)} topics to as many needs"
        fix = "correct the expression, or remove the key if there are no query variations"
        raise InputError(Problem("variations", what, fix))
    return {name: queries[name] for name in sorted(queries, key=natural)}
