"""Published results beside ours: how many come out, what explains the rest, who would move."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.statistics.correlation.statistics.pairs import tau_b
from pipeline.statistics.ranks import ranks_of
from pipeline.storage.text import natural

NOT_AT_HAND, UNKNOWN, UNEXPLAINED = "run not at hand", "measure not known", "unexplained"
MOVES = 10  # runs shown before the rest is folded away


@dataclass(frozen=True)
class Line:
    """One published measure: how many of its values come out under each set of policies."""

    source: str
    measure: str | None
    values: int
    agree: tuple[int | None, ...]
    unexplained: int

    @property
    def same(self) -> bool:
        """Whether all its values come out under the first set."""
        return self.agree[0] == self.values


@dataclass(frozen=True)
class Standing:
    """A run's published figure and rank, and its rank under each set of policies shown."""

    run: str
    published: float
    rank: int
    ours: float
    ranks: tuple[int, ...]

    @property
    def climbs(self) -> tuple[int, ...]:
        """Places won against the published rank under each set; negative when lost."""
        return tuple(self.rank - rank for rank in self.ranks)


@dataclass(frozen=True)
class Order:
    """The published order of the runs by one measure, and what it would have been."""

    source: str
    measure: str
    sets: tuple[str, ...]  # those that order the runs otherwise, each once
    tau: float  # of the published order and ours
    differs: bool  # whether the first set of policies orders the runs otherwise
    rows: tuple[Standing, ...]  # the furthest moved first

    @property
    def moved(self) -> tuple[Standing, ...]:
        """The runs that move furthest."""
        return tuple(row for row in self.rows[:MOVES] if any(row.climbs))

    @property
    def elsewhere(self) -> int:
        """How many runs would stand elsewhere under the first set."""
        return sum(bool(row.climbs[0]) for row in self.rows)

    @property
    def furthest(self) -> dict[str, list[Standing]]:
        """Who rises and who falls furthest under the first set: all of them, if several do."""
        climbs = [row.climbs[0] for row in self.rows]
        ends = {"rises": max(climbs), "falls": min(climbs)}
        return {
            verb: [row for row in self.rows if row.climbs[0] == end]
            for verb, end in ends.items()
            if (end > 0 if verb == "rises" else end < 0)
        }


@dataclass(frozen=True)
class Counts:
    """How many published values come out, and what became of the others."""

    total: int  # of the runs at hand
    runs: int
    agree: int  # as printed under the first set of policies
    by_set: Mapping[str, int]  # under others, by the first that does
    unexplained: int
    unknown: int  # of measures we do not have
    reasons: Mapping[str, int]
    missing_runs: int
    missing: int

    @property
    def share(self) -> str:
        """Of those that agree; it says 100 only when it is."""
        if not self.total or self.agree == self.total:
            return "100 %" if self.total else "0 %"
        return f"{min(100 * self.agree / self.total, 99.9):.1f} %"


@dataclass(frozen=True)
class Audit:
    """The audit as the report shows it."""

    sets: tuple[tuple[str, str], ...]  # name and meaning
    counts: Counts
    open: tuple[Line, ...]
    same: tuple[Line, ...]
    orders: tuple[Order, ...]


@section("audit", place=100, template="audit.html.j2", title="Audit", needs=["audit"])
def audit(results: Results) -> Content:
    """The published figures beside ours."""
    assert results.files.audit
    return Content({"audit": read(results.files.audit)})


def read(path: Path) -> Audit:
    """Read the summary the audit left."""
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        return _audit(given)
    except (ValueError, KeyError) as error:
        raise InputError(f"{path}: not the summary of an audit ({error}); make it again") from None


def _audit(given: Mapping[str, Any]) -> Audit:
    sets = tuple((one["name"], one["meaning"]) for one in given["policies"])
    lines = [_line(one, [name for name, _ in sets]) for one in given["sources"] if one["values"]]
    return Audit(
        sets=sets,
        counts=_counts(given),
        open=tuple(line for line in lines if not line.same),
        same=tuple(line for line in lines if line.same),
        orders=tuple(
            order
            for board in given["boards"]
            for order in [_order(board, [name for name, _ in sets])]
            if order.sets
        ),
    )


def _line(one: Mapping[str, Any], sets: Sequence[str]) -> Line:
    return Line(
        source=one["source"],
        measure=one["measure"],
        values=one["values"],
        agree=tuple(one["agree"].get(name) for name in sets),
        unexplained=one["reasons"].get(UNEXPLAINED, 0),
    )


def _counts(given: Mapping[str, Any]) -> Counts:
    reasons = dict(given["reasons"])
    agree, missing = reasons.pop("", 0), reasons.pop(NOT_AT_HAND, 0)
    unexplained, unknown = reasons.pop(UNEXPLAINED, 0), reasons.pop(UNKNOWN, 0)
    by_set = {
        one["name"]: reasons.pop(one["name"]) for one in given["policies"] if one["name"] in reasons
    }
    return Counts(
        total=given["values"] - missing,
        runs=given["runs"],
        agree=agree,
        by_set=by_set,
        unexplained=unexplained,
        unknown=unknown,
        reasons=reasons,
        missing_runs=len(given["missing_runs"]),
        missing=missing,
    )


def _order(board: Mapping[str, Any], sets: Sequence[str]) -> Order:
    rows = board["rows"]
    published = np.array([row["published"] for row in rows])
    rank = ranks_of(published)
    shown: dict[str, list[int]] = {}
    seen = {tuple(rank)}
    for name in sets:
        if name not in rows[0]["values"]:
            continue
        ranks = ranks_of(np.array([row["values"][name] for row in rows]))
        if tuple(ranks) not in seen:
            seen.add(tuple(ranks))
            shown[name] = ranks
    standings = [
        Standing(
            run=row["run"],
            published=row["published"],
            rank=rank[at],
            ours=row["values"].get(sets[0], row["published"]),
            ranks=tuple(ranks[at] for ranks in shown.values()),
        )
        for at, row in enumerate(rows)
    ]

    def distance(row: Standing) -> tuple[object, ...]:
        far = max((abs(climb) for climb in row.climbs), default=0)
        return (-abs(row.climbs[0]) if row.climbs else 0, -far, row.rank, natural(row.run))

    standings.sort(key=distance)
    ours = np.array([row["values"][sets[0]] for row in rows])
    return Order(
        source=board["source"],
        measure=board["measure"],
        sets=tuple(shown),
        tau=tau_b(published, ours),
        differs=sets[0] in shown,
        rows=tuple(standings),
    )
