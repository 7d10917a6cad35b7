"""How a campaign pools: the settings, and the runs that give to the pool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.runs.fusion.settings import Fusion
from pipeline.runs.selection import chosen
from pipeline.storage.text import natural


@dataclass(frozen=True, kw_only=True)
class Stratum:
    """Documents whose best rank is at most `to`, and the share of them to judge."""

    to: int
    share: float


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What assessors should judge (config/README.md explains each)."""

    method: str
    depth: int
    size: int
    fusion: Fusion  # for the methods that fuse the runs; which runs is for `runs` to say
    strata: tuple[Stratum, ...]
    runs: str | None
    per_team: int | None
    labels: str | None = None  # the dimension whose labels are replayed, for methods that do
    seed: int


def pooled(runs: Sequence[str], *, plan: Plan, teams: Mapping[str, str]) -> list[int]:
    """The runs that give to the pool: those `pool.runs` finds, then the first few of each team.

    A run without a team stands for itself.
    """
    mine = chosen(runs, pattern=plan.runs, where="pool.runs")
    if plan.per_team is None:
        return mine
    groups: dict[str, list[int]] = {}
    for i in sorted(mine, key=lambda i: natural(runs[i])):
        groups.setdefault(teams[runs[i]] or f"run {runs[i]}", []).append(i)
    return sorted(i for group in groups.values() for i in group[: plan.per_team])
