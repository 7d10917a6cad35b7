"""Pooling: which documents assessors should judge, and with which chance each was to be drawn."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.pooling import adaptive, select
from pipeline.pooling.candidates import Candidates, find
from pipeline.pooling.files import write
from pipeline.pooling.plan import Plan, pooled
from pipeline.runs.rankings import Rankings, topics_of
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage.arrays import Floats


def pool(
    rankings: Path, *, plan: Plan, team: str | None, out: Path, labels: Path | None = None
) -> None:
    """Write what to judge: topic, document, runs that hold it, best rank, chance to be drawn.

    `labels` is the label table that an adaptive method consumes.
    """
    topics = topics_of(rankings)
    ranked = read_rankings(rankings, topics=topics, scores=plan.method == "take")
    mine = pooled(ranked.runs, plan=plan, team=team)
    found = find(ranked, runs=mine, depth=plan.reach)
    chance = _chance(ranked, found, mine=mine, plan=plan, labels=labels)
    kept = np.flatnonzero(chance > 0)
    if not len(kept):
        raise InputError(
            f"the pool is empty: the {len(mine)} pooled runs hold no document that pool.method "
            f"'{plan.method}' would take; widen pool.runs or raise pool.size or pool.strata"
        )
    names = ranked.documents.take(select.places(found.document[kept])).to_pylist()
    rows = sorted(
        zip(
            found.topic[kept].tolist(),
            names,
            found.runs[kept].tolist(),
            found.best[kept].tolist(),
            chance[kept].tolist(),
            strict=True,
        )
    )
    write(out, ((topics[t], *rest) for t, *rest in rows))


def _chance(
    ranked: Rankings,
    found: Candidates,
    *,
    mine: Sequence[int],
    plan: Plan,
    labels: Path | None,
) -> Floats:
    """The probability with which each candidate was to be in the pool; 0 where it is not."""
    if plan.method == "depth":
        return np.ones(len(found.topic))
    if plan.method == "take":
        return select.take(ranked, found, runs=mine, plan=plan)
    if plan.method == "uniform":
        return select.uniform(found, topics=ranked.topics, size=plan.size, seed=plan.seed)
    if plan.method == "stratified":
        strata = [(stratum.to, stratum.share) for stratum in plan.strata]
        return select.stratified(found, topics=ranked.topics, strata=strata, seed=plan.seed)
    relevant: Mapping[str, Mapping[str, bool]] = adaptive.read(labels) if labels else {}
    return adaptive.replay(
        ranked,
        found,
        runs=mine,
        relevant=relevant,
        size=plan.size,
        method=plan.method,
        seed=plan.seed,
    )
