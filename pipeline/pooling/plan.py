"""How a campaign pools: the settings, and the runs that give to the pool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pipeline.runs.fusion import chosen
from pipeline.runs.trec import team as team_of
from pipeline.storage.text import natural


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


def pooled(runs: Sequence[str], *, plan: Plan, team: str | None) -> list[int]:
    """The runs that give to the pool: those `pool.runs` finds, then the first few of each team."""
    mine = chosen(runs, pattern=plan.runs, where="pool.runs")
    if plan.per_team is None:
        return mine
    teams: dict[str, list[int]] = {}
    for i in sorted(mine, key=lambda i: natural(runs[i])):
        teams.setdefault(team_of(runs[i], pattern=team), []).append(i)
    return sorted(i for group in teams.values() for i in group[: plan.per_team])
