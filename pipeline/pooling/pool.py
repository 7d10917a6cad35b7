"""Pooling: which documents assessors should judge, and with which chance each was to be drawn."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.pooling import replaying
from pipeline.pooling.candidates import find, names
from pipeline.pooling.declaration import METHODS, Offer
from pipeline.pooling.files import write
from pipeline.pooling.plan import Plan, pooled
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.rankings import topics_of


def pool(
    rankings: Path, *, plan: Plan, teams: Mapping[str, str], out: Path, labels: Path | None = None
) -> None:
    """Write what to judge: topic, document, runs that hold it, best rank, chance to be drawn.

    `labels` is the label table that an adaptive method consumes.
    """
    method = METHODS[plan.method]
    topics = topics_of(rankings)
    ranked = read_rankings(rankings, topics=topics, scores=method.scores)
    mine = pooled(ranked.runs, plan=plan, teams=teams)
    found = find(ranked, runs=mine, depth=method.reach(plan))
    relevant = replaying.read(labels) if labels else {}
    chance = method(Offer(plan=plan, ranked=ranked, runs=mine, candidates=found, relevant=relevant))
    kept = np.flatnonzero(chance > 0)
    if not len(kept):
        raise InputError(
            f"the pool is empty: the {len(mine)} pooled runs hold no document that pool.method "
            f"'{plan.method}' would take; widen pool.runs or raise pool.size or pool.strata"
        )
    rows = sorted(
        zip(
            found.topic[kept].tolist(),
            names(ranked, found.document[kept]),
            found.runs[kept].tolist(),
            found.best[kept].tolist(),
            chance[kept].tolist(),
            strict=True,
        )
    )
    write(out, ((topics[t], *rest) for t, *rest in rows))
