"""How a campaign pools: the settings, and the runs that give to the pool."""

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.runs.fusion.settings import Fusion
from pipeline.runs.selection import chosen
from pipeline.runs.trec import team as team_of
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


def pooled(runs: Sequence[str], *, plan: Plan, team: str | None) -> list[int]:
    """The runs that give to the pool: those `pool.runs` finds, then the first few of each team."""
    mine = chosen(runs, pattern=plan.runs, where="pool.runs")
    if plan.per_team is None:
        return mine
    teams: dict[str, list[int]] = {}
    for i in sorted(mine, key=lambda i: natural(runs[i])):
        teams.setdefault(team_of(runs[i], pattern=team), []).append(i)
    return sorted(i for group in teams.values() for i in group[: plan.per_team])
