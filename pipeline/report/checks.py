"""checks.csv: what an organiser wants to know about every run before publishing.

It is written here, and read again with the runs worth a look first. The words are in the template
`odd`, for the report and the team pages. A finding that most runs share is reported once and does
not mark a run: in a campaign where every run ties scores, marking every row would hide the one that
lacks topics.
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

Fact = Mapping[str, Any]  # what the reader counted in one run

TIED, JUDGED = "tied_share", "judged@"  # columns that are shares of 1, by how they start
# The columns in which a cell can be worth a look, by how they start.
RULES = (
    "identical_to", "no_team", "missing_topics", "unknown_topics", "duplicates", "bad_scores", TIED,
    "lost_order", "top10_differs", JUDGED, "repairs",
)  # fmt: skip
_HIDDEN = ("run", "team", "file")  # shown beside the findings, not as findings


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

    `teams` is None where the campaign names none. Fused runs and baselines need none, nor do runs
    that are `unaffiliated` on purpose.
    """
    every = sorted(json.loads(facts.read_text("utf-8")), key=lambda fact: str(fact["run"]))
    known = {*topics, *known_topics}
    if unknown_topics == "error":
        _refuse_unknown_topics([fact for fact in every if not fact.get("made")], known)
    ranked = read_rankings(rankings, topics=topics)
    lists = ranked.number.reshape(len(ranked.runs), -1)
    same = identical({run: row.tobytes() for run, row in zip(ranked.runs, lists, strict=True)})
    judged = {f"judged@10 {name}": _judged_at_10(name, path) for name, path in gains.items()}
    rows = []
    for fact in every:
        run = fact["run"]
        needs = teams is not None and not (teams[run] or fact.get("made") or unaffiliated(run))
        rows.append(
            {
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
        )
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
    """Per run the judged share of the top 10, over the topics it answered."""
    data = read_gains({name: path})
    view = data.view({name: "gain"}).at(10)
    judged, retrieved = (
        part.reshape(len(data.runs), -1).sum(axis=1) for part in (view.judged, view.retrieved)
    )
    shares = judged / np.maximum(retrieved, 1)
    return {run: f"{share:.4f}" for run, share in zip(data.runs, shares, strict=True)}


class Finding(NamedTuple):
    """One cell of checks.csv."""

    text: str
    odd: bool  # it meets a rule that most runs do not meet, so it is marked
    sort: str  # orders the column
    rule: str


class Checked(NamedTuple):
    """One run's row of checks.csv."""

    run: str
    team: str
    file: str
    findings: tuple[Finding, ...]

    @property
    def oddities(self) -> int:
        return sum(finding.odd for finding in self.findings)


class Checks(NamedTuple):
    """All of checks.csv: the marked runs (most findings first), the others, and a summary."""

    columns: tuple[str, ...]
    texts: frozenset[str]  # the columns that hold words, not numbers
    odd: tuple[Checked, ...]
    plain: tuple[Checked, ...]
    hardly: list[dict[str, Any]]  # dimensions with almost none of the first documents judged
    shared: list[dict[str, Any]]  # by rule (`column`), how many runs meet it; common if most do


def read_checks(path: Path) -> Checks:
    """Read checks.csv; cells of columns without a rule are shown and never marked."""
    rows = sheets.read(path)
    columns = tuple(name for name in next(sheets.lines(path)) if name not in _HIDDEN)
    met = [{_rule(name, row[name]) for name in columns} for row in rows]
    counts = {rule: sum(rule in rules for rules in met) for rule in RULES}
    common = {rule for rule, count in counts.items() if len(rows) > 3 and 2 * count > len(rows)}

    def finding(column: str, cell: str) -> Finding:
        rule, value = _rule(column, cell), _number(cell)
        if value is None:
            text = cell
        elif column.startswith((TIED, JUDGED)):
            text = percent(value)
        else:
            text = f"{int(value):,}" if value == int(value) else f"{value:.4f}"
        return Finding(text, bool(rule) and rule not in common, cell, rule)

    checked = []
    for row in rows:
        findings = tuple(finding(name, row[name]) for name in columns)
        checked.append(Checked(row["run"], row.get("team", ""), row.get("file", ""), findings))
    checked.sort(key=lambda row: (-row.oddities, row.run))
    words = (c for c in columns if any(row[c] and _number(row[c]) is None for row in rows))
    return Checks(
        columns=columns,
        texts=frozenset(words),
        odd=tuple(row for row in checked if row.oddities),
        plain=tuple(row for row in checked if not row.oddities),
        hardly=_hardly_judged(rows, columns),
        shared=[
            {"column": rule, "count": count, "runs": len(rows), "common": rule in common}
            for rule, count in counts.items()
            if count
        ],
    )


def _hardly_judged(rows: Rows, columns: Sequence[str]) -> list[dict[str, Any]]:
    """The dimensions that the input check, too, would report: see `intake.coverage`."""
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
    """The rule that a cell meets; empty if none."""
    rule = next((rule for rule in RULES if column.startswith(rule)), "")
    value = _number(cell)
    if rule in (TIED, JUDGED):
        met = value is not None and (value > 0.1 if rule == TIED else value < 0.5)
    else:
        met = bool(cell.strip()) if value is None else value > 0
    return rule if met else ""


def _number(cell: str) -> float | None:
    """The number in a cell; None if it is text, or the long number that is somebody's name."""
    value = number(cell)
    return value if abs(value) < 1e15 else None
