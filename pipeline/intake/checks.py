"""Run forensics: what an organiser wants to know about every run before publishing."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError
from pipeline.gains.files import read as read_gains
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.trec import RUN_LINE
from pipeline.storage import sheets
from pipeline.storage.text import read_bytes

COLUMNS = (
    "run", "team", "file", "no_team", "lines", "comments", "topics", "missing_topics",
    "unknown_topics",
    "duplicates", "bad_scores", "tied_share", "lost_order", "top10_differs", "identical_to",
    "repairs",
)  # fmt: skip


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
    """Write `checks.csv`; `topics` count, `known_topics` are all anyone has heard of.

    `teams` is None where the campaign names none; a run that was made here needs none, nor one that
    is nobody's on purpose.
    """
    found = [fact for path in facts for fact in json.loads(path.read_text(encoding="utf-8"))]
    found.sort(key=lambda fact: str(fact["run"]))
    known = {*topics, *known_topics}
    submitted = [fact for fact in found if not fact.get("made")]  # the others have their topics
    if unknown_topics == "error":
        told = [sentence for fact in submitted for sentence in _unknown(fact, known)]
        if told:
            raise InputError("\n".join(told))
    twins = _identical(rankings, topics)
    judged = _judged_at_10(gains)
    rows = [_row(fact, topics, known, teams, twins) for fact in found]
    for row in rows:
        row["no_team"] = int(row["no_team"] and not nobodys(row["run"]))
    for row in rows:
        row.update({f"judged@10 {name}": value[row["run"]] for name, value in judged.items()})
    head = [*COLUMNS[:-2], *(f"judged@10 {name}" for name in judged), *COLUMNS[-2:]]
    sheets.write(out, head, rows)


def _row(
    fact: Mapping[str, Any],
    topics: Sequence[str],
    known: set[str],
    teams: Mapping[str, str] | None,
    twins: Mapping[str, list[str]],
) -> dict[str, Any]:
    mine = set(fact["topics"])
    unknown = [topic for topic in fact["topics"] if topic not in known]
    repairs = []
    if fact["duplicates"]:
        repairs.append(f"{fact['duplicates']} duplicate lines left out")
    if fact["bad_scores"]:
        repairs.append(f"{fact['bad_scores']} NaN or infinite scores let through")
    if unknown:
        repairs.append(f"unknown topics left out: {' '.join(unknown)}")
    if not mine.intersection(topics):
        repairs.append("no topic of this run counts, so every measure is 0")
    return {
        "run": fact["run"],
        "team": teams[fact["run"]] if teams else "",
        "file": fact["file"],
        "no_team": int(teams is not None and not (teams[fact["run"]] or fact.get("made"))),
        "lines": fact["lines"],
        "comments": fact.get("comments", 0),  # fused systems have no file
        "topics": len(mine),
        "missing_topics": sum(topic not in mine for topic in topics),
        "unknown_topics": len(unknown),
        "duplicates": fact["duplicates"],
        "bad_scores": fact["bad_scores"],
        "tied_share": f"{fact['tied'] / fact['lines']:.4f}",
        "lost_order": fact.get("lost_order", 0),  # fused systems have none to lose
        "top10_differs": fact["top10_differs"],
        "identical_to": " ".join(twins.get(fact["run"], [])),
        "repairs": "; ".join(repairs),
    }


def _unknown(fact: Mapping[str, Any], known: set[str]) -> Iterator[str]:
    """What is wrong with a run that has topics nobody has heard of."""
    unknown = [topic for topic in fact["topics"] if topic not in known]
    if not unknown:
        return
    path = Path(fact["file"])
    lines = read_bytes(path, what="run", line=RUN_LINE, comments=True).split(b"\n")
    line = next(n for n, text in enumerate(lines, 1) if text.split()[:1] == [unknown[0].encode()])
    yield (
        f"{path}, line {line}: topic '{unknown[0]}' is in no label or topics file "
        f"({len(unknown)} such topics); remove it, or set policies.unknown_topics to 'drop'"
    )


def _identical(rankings: Path, topics: Sequence[str]) -> dict[str, list[str]]:
    """For each run those that rank the same documents in the same order on every topic."""
    ranked = read_rankings(rankings, topics=topics)
    lists = ranked.number.reshape(len(ranked.runs), -1)
    same: defaultdict[bytes, list[str]] = defaultdict(list)
    for run, documents in zip(ranked.runs, lists, strict=True):
        same[documents.tobytes()].append(run)
    return {run: [r for r in group if r != run] for group in same.values() for run in group}


def _judged_at_10(gains: Mapping[str, Path]) -> dict[str, dict[str, str]]:
    """Per dimension and run the judged share of the top 10, over the topics it answered."""
    shares: dict[str, dict[str, str]] = {}
    for name, path in gains.items():
        data = read_gains({name: path})
        view = data.view({name: "gain"}).at(10)
        shape = len(data.runs), -1
        judged = view.judged.reshape(*shape).sum(axis=1)
        shown = np.maximum(view.retrieved.reshape(*shape).sum(axis=1), 1)
        shares[name] = {
            run: f"{share:.4f}" for run, share in zip(data.runs, judged / shown, strict=True)
        }
    return shares
