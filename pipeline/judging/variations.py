"""Query variations: several queries ask for one information need (CLEF 2016 had six).

A mean over queries hides which system is good on average and which is good whatever the wording;
so scores are also told per need, with the variance between its queries.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.storage import arrow, sheets
from pipeline.storage.expressions import search
from pipeline.storage.text import natural

NEEDS = ("run", "measure", "need", "queries", "mean", "variance", "lowest", "highest")
RUNS = ("run", "measure", "needs", "mean", "variance_between", "variance_within", "worst_query")


def vary(scores: Sequence[Path], *, need: str, needs: Path, runs: Path) -> None:
    """Write mean and variance per run and need, and per run over its needs.

    Means over needs give each need the same weight, however many queries it has. Variances are
    of the sample (n - 1), blank for a need with one query; the worst query is the mean over needs
    of the lowest score, what a user with unlucky words gets.
    """
    by_need: list[dict[str, Any]] = []
    by_run: list[dict[str, Any]] = []
    for path in scores:
        table = arrow.read(path, codes=["run", "topic", "measure"])
        measure = table["measure"][0].as_py()
        run, topic = table["run"].chunk(0), table["topic"].chunk(0)
        names: list[str] = run.dictionary.to_pylist()
        groups = group(topic.dictionary.to_pylist(), need=need)
        value = np.full((len(names), len(topic.dictionary)), np.nan)
        value[arrow.array(run.indices), arrow.array(topic.indices)] = arrow.array(table["value"])
        for i in sorted(range(len(names)), key=names.__getitem__):
            rows = [
                _need(value[i, places], run=names[i], measure=measure, need=name)
                for name, places in groups.items()
            ]
            by_need += [_printed(row) for row in rows]
            by_run.append(_printed(_run(rows)))
    _write(needs, NEEDS, by_need)
    _write(runs, RUNS, by_run)


def group(topics: Sequence[str], *, need: str) -> dict[str, list[int]]:
    """The places of each need's queries; a topic the expression does not find is an error."""
    found: dict[str, list[int]] = {}
    for place, topic in enumerate(topics):
        match = search(need, topic, key="variations")
        if match is None or match[1] is None:
            raise InputError(
                f"topic '{topic}': variations '{need}' finds no information need in this id; "
                "widen the expression"
            )
        found.setdefault(match[1], []).append(place)
    if len(found) == len(topics):
        raise InputError(
            f"variations '{need}' gives each of the {len(topics)} topics a need of its own, as "
            f"'{topics[0]}'; correct the expression, or remove it if there are no variations"
        )
    return {name: found[name] for name in sorted(found, key=natural)}


def _need(values: NDArray[np.float64], **names: str) -> dict[str, Any]:
    return {
        **names,
        "queries": len(values),
        "mean": float(values.mean()),
        "variance": float(values.var(ddof=1)) if len(values) > 1 else None,
        "lowest": float(values.min()),
        "highest": float(values.max()),
    }


def _run(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    means = np.array([row["mean"] for row in rows])
    within = [row["variance"] for row in rows if row["variance"] is not None]
    return {
        "run": rows[0]["run"],
        "measure": rows[0]["measure"],
        "needs": len(rows),
        "mean": float(means.mean()),
        "variance_between": float(means.var(ddof=1)) if len(means) > 1 else None,
        "variance_within": float(np.mean(within)),
        "worst_query": float(np.mean([row["lowest"] for row in rows])),
    }


def _printed(row: dict[str, Any]) -> dict[str, Any]:
    return {
        key: "" if value is None else f"{value:.6f}" if isinstance(value, float) else value
        for key, value in row.items()
    }


def _write(path: Path, head: Sequence[str], rows: Sequence[dict[str, Any]]) -> None:
    sheets.write(path, head, rows)
