"""Pooling: which documents assessors should judge, how the pool came about, and in what form.

`candidates` finds what the pooled runs hold, `select` and `adaptive` choose among it, `statistics`
says what the pool covers and whom it favours.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.files import atomic
from pipeline.fusion import METHODS, NORMS, chosen
from pipeline.labels import natural
from pipeline.pooling import adaptive, select
from pipeline.pooling.candidates import Candidates, find
from pipeline.rankings import Rankings, topics_of
from pipeline.rankings import read as read_rankings
from pipeline.trec import team as team_of

__all__ = ["ADAPTIVE", "COLUMNS", "METHODS", "NORMS", "Plan", "Stratum", "pool", "pooled", "read"]

COLUMNS = ("topic", "document", "runs", "best_rank", "probability")
ADAPTIVE = ("move_to_front", "bandit")


@dataclass(frozen=True, kw_only=True)
class Stratum:
    """Documents whose best rank is at most `to`, and the share of them to judge."""

    to: int
    share: float


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How to pool; config/README.md explains each."""

    method: str
    depth: int
    size: int
    by: str
    norm: str
    k: float
    p: float
    strata: tuple[Stratum, ...]
    runs: str | None
    per_team: int | None
    seed: int

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> "Plan":
        """A plan from the config's `pool`."""
        strata = tuple(Stratum(**dict(stratum)) for stratum in given["strata"])
        own = {name: value for name, value in given.items() if name != "labels"}
        return cls(**{**own, "strata": strata})

    @property
    def reach(self) -> int | None:
        """How deep the runs are read; None is to their end."""
        if self.method == "stratified":
            return max(stratum.to for stratum in self.strata)
        return self.depth if self.method in ("depth", "uniform") else None


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
    with atomic(out) as draft, draft.open("w", newline="\n", encoding="utf-8") as file:
        file.write("\t".join(COLUMNS) + "\n")  # plain: ids hold no white space, but may hold quotes
        file.writelines(f"{topics[t]}\t{d}\t{n}\t{best}\t{c:.6g}\n" for t, d, n, best, c in rows)


def pooled(runs: Sequence[str], *, plan: Plan, team: str | None) -> list[int]:
    """The runs that give to the pool: those `pool.runs` finds, then the first few of each team."""
    mine = chosen(runs, pattern=plan.runs, where="pool.runs")
    if plan.per_team is None:
        return mine
    teams: dict[str, list[int]] = {}
    for i in sorted(mine, key=lambda i: natural(runs[i])):
        teams.setdefault(team_of(runs[i], pattern=team), []).append(i)
    return sorted(i for group in teams.values() for i in group[: plan.per_team])


def read(path: Path) -> dict[str, list[str]]:
    """The pool's documents by topic, as `pool` wrote them."""
    found: dict[str, list[str]] = {}
    with path.open(newline="\n", encoding="utf-8") as file:
        for line in file.read().split("\n")[1:-1]:
            topic, document, *_ = line.split("\t")
            found.setdefault(topic, []).append(document)
    return found


def _chance(
    ranked: Rankings,
    found: Candidates,
    *,
    mine: Sequence[int],
    plan: Plan,
    labels: Path | None,
) -> select.Floats:
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
