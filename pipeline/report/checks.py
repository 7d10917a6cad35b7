"""checks.csv: counts and warnings about every run, for an organiser before publishing.

The texts are in the template `warnings`. A warning that most runs share is reported once and flags
no run, so that rare warnings stay visible.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.gains.files import read as read_gains
from pipeline.intake.coverage import FALL, FEW
from pipeline.intake.findings import identical
from pipeline.report.markup import Rows
from pipeline.report.wording import percent
from pipeline.runs.format import RUN_LINE
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage import sheets
from pipeline.storage.text import number, read_bytes

Fact = Mapping[str, Any]  # the counts of the reader for one run

TIED, JUDGED = "tied_share", "judged@"  # prefixes of columns with shares from 0 to 1
# The columns with warnings, by prefix.
RULES = (
    "identical_to", "no_team", "missing_topics", "unknown_topics", "duplicates", "bad_scores", TIED,
    "lost_order", "top10_differs", JUDGED, "repairs",
)  # fmt: skip
_HIDDEN = ("run", "team", "file")  # not checks


def write_checks(
    facts: Path,
    *,
    rankings: Path,
    gains: Mapping[str, Path],
    topics: Sequence[str],
    known_topics: Sequence[str],
    unknown_topics: str,
    teams: Mapping[str, str] | None,
    unaffiliated: Callable[[str], bool] = lambda _: False,
    out: Path,
) -> None:
    """Write `checks.csv`; `topics` count, `known_topics` are in some label or topics file.

    `teams` is None if the campaign names none. Fused runs, baselines and runs that are
    `unaffiliated` need no team.
    """
    all_facts = sorted(json.loads(facts.read_text("utf-8")), key=lambda fact: str(fact["run"]))
    known = {*topics, *known_topics}
    if unknown_topics == "error":
        _refuse_unknown_topics([fact for fact in all_facts if not fact.get("made")], known)
    ranked = read_rankings(rankings, topics=topics)
    lists = ranked.number.reshape(len(ranked.runs), -1)
    same = identical({run: row.tobytes() for run, row in zip(ranked.runs, lists, strict=True)})
    judged = {f"judged@10 {name}": _judged_at_10(name, path) for name, path in gains.items()}
    rows = []
    for fact in all_facts:
        run = fact["run"]
        needs = teams is not None and not (teams[run] or fact.get("made") or unaffiliated(run))
        row = {
            "run": run,
            "team": teams[run] if teams else "",
            "file": fact["file"],
            "no_team": int(needs),
            "lines": fact["lines"],
            "comments": fact.get("comments", 0),  # fused runs have no file
            "topics": len(fact["topics"]),
            "missing_topics": len({*topics} - {*fact["topics"]}),
            "unknown_topics": len(_unknown(fact, known)),
            "duplicates": fact["duplicates"],
            "bad_scores": fact["bad_scores"],
            "tied_share": f"{fact['tied'] / fact['lines']:.4f}",
            "lost_order": fact.get("lost_order", 0),
            "top10_differs": fact["top10_differs"],
            **{column: shares[run] for column, shares in judged.items()},
            "identical_to": " ".join(same.get(run, [])),
            "repairs": "; ".join(_repairs(fact, topics=topics, known=known)),
        }
        rows.append(row)
    sheets.write(out, list(rows[0]), rows)


def _unknown(fact: Fact, known: Collection[str]) -> list[str]:
    return [topic for topic in fact["topics"] if topic not in known]


def _repairs(fact: Fact, *, topics: Sequence[str], known: Collection[str]) -> list[str]:
    repairs = []
    if fact["duplicates"]:
        repairs.append(f"{fact['duplicates']} duplicate lines left out")
    if fact["bad_scores"]:
        repairs.append(f"{fact['bad_scores']} NaN or infinite scores let through")
    if unknown := _unknown(fact, known):
        repairs.append(f"unknown topics left out: {' '.join(unknown)}")
    if not {*topics} & {*fact["topics"]}:
        repairs.append("no topic of this run counts, so every measure is 0")
    return repairs


def _refuse_unknown_topics(facts: Sequence[Fact], known: Collection[str]) -> None:
    problems = []
    for fact in facts:
        if unknown := _unknown(fact, known):
            path, first = Path(fact["file"]), unknown[0]
            lines = read_bytes(path, what="run", line=RUN_LINE, comments=True).split(b"\n")
            what = f"topic '{first}' is in no label or topics file ({len(unknown)} such topics)"
            fix = "remove it, or set policies.unknown_topics to 'drop'"
            at = next(n for n, text in enumerate(lines, 1) if text.split()[:1] == [first.encode()])
            problems.append(Problem(path, what, fix, line=at))
    if problems:
        raise InputError(*problems)


def _judged_at_10(name: str, path: Path) -> dict[str, str]:
    """By run, the judged share of the top 10, over the topics with documents."""
    data = read_gains({name: path})
    view = data.view({name: "gain"}).at(10)
    parts = (view.judged, view.retrieved)
    judged, retrieved = (part.reshape(len(data.runs), -1).sum(axis=1) for part in parts)
    shares = judged / np.maximum(retrieved, 1)
    return {run: f"{share:.4f}" for run, share in zip(data.runs, shares, strict=True)}


class Check(NamedTuple):
    """One cell of checks.csv."""

    text: str
    flagged: bool  # it has a warning that most runs do not have
    sort: str  # the sort key of the column
    rule: str


class RunChecks(NamedTuple):
    """One run's row of checks.csv."""

    run: str
    team: str
    file: str
    cells: tuple[Check, ...]

    @property
    def flags(self) -> int:
        return sum(check.flagged for check in self.cells)


class Checks(NamedTuple):
    """All of checks.csv: the flagged runs (most warnings first), the others, and a summary."""

    columns: tuple[str, ...]
    texts: frozenset[str]  # the columns with text instead of numbers
    flagged: tuple[RunChecks, ...]
    others: tuple[RunChecks, ...]
    few_judged: list[dict[str, Any]]  # dimensions with few labels of the first documents
    warnings: list[dict[str, Any]]  # by `column`: the number of runs; common if most have it


def read_checks(path: Path) -> Checks:
    """Read checks.csv; cells of columns without a rule are never flagged."""
    rows = sheets.read(path)
    columns = tuple(name for name in next(sheets.lines(path)) if name not in _HIDDEN)
    rules_of = [{_rule(name, row[name]) for name in columns} for row in rows]
    counts = {rule: sum(rule in rules for rules in rules_of) for rule in RULES}
    common = {rule for rule, count in counts.items() if len(rows) > 3 and 2 * count > len(rows)}

    def check(column: str, cell: str) -> Check:
        rule, value = _rule(column, cell), _number(cell)
        if value is None:
            text = cell
        elif column.startswith((TIED, JUDGED)):
            text = percent(value)
        else:
            text = f"{int(value):,}" if value == int(value) else f"{value:.4f}"
        return Check(text, bool(rule) and rule not in common, cell, rule)

    runs = []
    for row in rows:
        cells = tuple(check(name, row[name]) for name in columns)
        runs.append(RunChecks(row["run"], row.get("team", ""), row.get("file", ""), cells))
    runs.sort(key=lambda run: (-run.flags, run.run))
    texts = (c for c in columns if any(row[c] and _number(row[c]) is None for row in rows))
    return Checks(
        columns=columns,
        texts=frozenset(texts),
        flagged=tuple(run for run in runs if run.flags),
        others=tuple(run for run in runs if not run.flags),
        few_judged=_few_judged(rows, columns),
        warnings=[
            {"column": rule, "count": count, "runs": len(rows), "common": rule in common}
            for rule, count in counts.items()
            if count
        ],
    )


def _few_judged(rows: Rows, columns: Sequence[str]) -> list[dict[str, Any]]:
    """The dimensions with few judged documents, by the rule of `intake.coverage`."""
    shares = {
        name.partition(" ")[2]: sum(values) / len(values)
        for name in columns
        if name.startswith(JUDGED)
        if (values := [value for row in rows if (value := _number(row[name])) is not None])
    }
    best = max(shares, key=lambda name: shares[name], default="")
    return [
        {"dimension": name, "share": share, "best": best, "best_share": shares[best]}
        for name, share in shares.items()
        if share < FEW or share < FALL * shares[best]
    ]


def _rule(column: str, cell: str) -> str:
    """The rule of the warning in a cell; empty if there is none."""
    rule = next((rule for rule in RULES if column.startswith(rule)), "")
    value = _number(cell)
    if rule in (TIED, JUDGED):
        met = value is not None and (value > 0.1 if rule == TIED else value < 0.5)
    else:
        met = bool(cell.strip()) if value is None else value > 0
    return rule if met else ""


def _number(cell: str) -> float | None:
    """The number in a cell; None for text, including a name that is a long number."""
    value = number(cell)
    return value if abs(value) < 1e15 else None
