"""`checks.csv`: what an organiser wants to know about every run before publishing."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.gains.files import read as read_gains
from pipeline.intake.findings import identical
from pipeline.runs.format import RUN_LINE
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage import sheets
from pipeline.storage.text import read_bytes

Fact = Mapping[str, Any]  # what the reader counted in one run


def check(
    facts: Sequence[Path],
    *,
    rankings: Path,
    gains: Mapping[str, Path],
    topics: Sequence[str],
    known_topics: Sequence[str],
    unknown_topics: str,
    teams: Mapping[str, str] | None,
    nobodys: Callable[[str], bool] = lambda _: False,
    out: Path,
) -> None:
    """Write `checks.csv`; `topics` count, `known_topics` are in some label or topics file.

    `teams` is None where the campaign names none. Fused runs and baselines need none, nor do runs
    that have none on purpose (`nobodys`).
    """
    every = [fact for path in facts for fact in json.loads(path.read_text(encoding="utf-8"))]
    every.sort(key=lambda fact: str(fact["run"]))
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
        needs = teams is not None and not (teams[run] or fact.get("made") or nobodys(run))
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
