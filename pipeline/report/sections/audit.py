"""Published results beside ours: how many come out, what explains the rest, who would move."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from pipeline.errors import InputError
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.report.wording import counted, ordinal, signed
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
    sentence: Markup
    rows: tuple[Standing, ...]  # the furthest moved first

    @property
    def moved(self) -> tuple[Standing, ...]:
        """The runs that move furthest."""
        return tuple(row for row in self.rows[:MOVES] if any(row.climbs))


@dataclass(frozen=True)
class Audit:
    """The audit as the report shows it."""

    sets: tuple[tuple[str, str], ...]  # name and meaning
    sentences: tuple[Markup, ...]
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
        sentences=tuple(_sentences(given)),
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


def _sentences(given: Mapping[str, Any]) -> list[Markup]:
    reasons = dict(given["reasons"])
    agree, missing = reasons.pop("", 0), reasons.pop(NOT_AT_HAND, 0)
    unexplained, unknown = reasons.pop(UNEXPLAINED, 0), reasons.pop(UNKNOWN, 0)
    by_set = {
        one["name"]: reasons.pop(one["name"]) for one in given["policies"] if one["name"] in reasons
    }
    total = given["values"] - missing
    sentences = [
        Markup(
            "{} of {} were computed again. <strong>{} ({})</strong> come out as printed under {}."
        ).format(
            counted(total, "published value"),
            counted(given["runs"], "run"),
            f"{agree:,}",
            _share(agree, total),
            given["policies"][0]["meaning"],
        )
    ]
    if by_set:
        counts = ", ".join(f"under {name}: {count:,}" for name, count in by_set.items())
        sentences.append(
            Markup("{} more come out under other policies (first {}).").format(
                f"{sum(by_set.values()):,}", counts
            )
        )
    if total > agree:
        words = "No value is" if not unexplained else counted(unexplained, "value is", "values are")
        sentences.append(Markup("<strong>{} left unexplained.</strong>").format(words))
    if unknown:
        sentences.append(Markup("{} of measures unknown here.").format(counted(unknown, "value")))
    for why, count in reasons.items():
        sentences.append(Markup("{} for {}.").format(why.capitalize(), counted(count, "value")))
    if missing:
        sentences.append(
            Markup("Not at hand: {} with {}.").format(
                counted(len(given["missing_runs"]), "run"), counted(missing, "published value")
            )
        )
    return sentences


def _share(part: int, whole: int) -> str:
    """A percentage that says 100 only when it is."""
    if not whole or part == whole:
        return "100 %" if whole else "0 %"
    return f"{min(100 * part / whole, 99.9):.1f} %"


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
        sentence=_sentence(standings, differs=sets[0] in shown, tau=tau_b(published, ours)),
        rows=tuple(standings),
    )


def _sentence(rows: Sequence[Standing], *, differs: bool, tau: float) -> Markup:
    if not differs:
        return Markup("Under the first set of policies the order stays as published.")
    moved = [row for row in rows if row.climbs[0]]
    up, down = max(moved, key=_first), min(moved, key=_first)
    parts = [
        Markup("<strong><bdi>{}</bdi></strong> {} from {} to {}").format(
            row.run, verb, ordinal(row.rank), ordinal(row.ranks[0])
        )
        for verb, row in (("rises", up), ("falls", down))
        if (row.climbs[0] > 0) == (verb == "rises")
    ]
    return Markup("Of {} at hand, {} would stand elsewhere (Kendall tau-b {}): {}.").format(
        counted(len(rows), "run"), len(moved), signed(tau, 3), Markup("; ").join(parts)
    )


def _first(row: Standing) -> int:
    return row.climbs[0]
