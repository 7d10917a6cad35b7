"""What a pool holds: per topic, per team, between teams, and how much of each run it covers.

A document is a team's *unique* one where only runs of that team gave it to the pool. A run of a
pool that was drawn or cut may hold a pooled document below what it gave: giving is holding within
the method's reach.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from pipeline.config.pool import Plan
from pipeline.pooling.candidates import find
from pipeline.runs.rankings import Rankings
from pipeline.runs.teams import is_baseline
from pipeline.storage import arrow, sheets
from pipeline.storage.arrays import Bools, Ints

JUDGED = ("topic", "document", "binary")
OVERLAP = ("team_a", "team_b", "documents_a", "documents_b", "both", "jaccard")
Rows = list[dict[str, Any]]
Judged = Mapping[str, Mapping[str, bool]]  # topic ('' is all) -> document -> whether it is relevant


def read_judged(labels: Path) -> dict[str, dict[str, bool]]:
    """What a table of labels judges; labels of documents alone are under the topic ''."""
    return judged_in(arrow.read(labels, JUDGED))


def judged_in(table: pa.Table) -> dict[str, dict[str, bool]]:
    """As `read_judged`, of a table that was read."""
    found: dict[str, dict[str, bool]] = {}
    for topic, document, value in zip(*(table[name].to_pylist() for name in JUDGED), strict=True):
        if value == value:  # NaN: nobody was able to judge
            found.setdefault(topic or "", {})[document] = value > 0
    return found


def describe(
    given: Mapping[str, Sequence[str]],
    *,
    ranked: Rankings,
    known: Judged,
    topics: Sequence[str],
    plan: Plan,
    reach: int | None,
    runs: Sequence[int],
    teams: Mapping[str, str],
) -> dict[str, Rows]:
    """The tables of a pool, `given` as documents by topic: topics, teams, overlap, runs.

    `topics` are those that count, `runs` the pooled ones. `reach` is how deep the plan's method
    reads the runs; None is to their end.
    """
    # A baseline is unaffiliated, and its contributions are shown beside the teams'.
    groups = [teams[run] or (run if is_baseline(run) else "") for run in ranked.runs]
    names = sorted(set(groups))
    pairs = [(topic, document) for topic, found in given.items() for document in found]
    held = _pairs(ranked, pairs)
    own = [[run for run in runs if groups[run] == name] for name in names]
    gave = [np.isin(held, find(ranked, runs=some, depth=reach).pair) for some in own]
    return {
        "topics": [
            _topic(topic, given.get(topic, ()), known.get(topic, {}), counts=topic in topics)
            for topic in dict.fromkeys([*topics, *given])
        ],
        "teams": _teams(
            np.array(gave), [known.get(topic, {}).get(document) for topic, document in pairs],
            names=names, runs=[groups.count(name) for name in names], pooled=[*map(len, own)],
        ),
        "overlap": _overlap(np.array(gave), names),
        "runs": _runs(ranked, given, known, pooled=runs, teams=groups, depth=plan.depth,
                      topics=topics),
    }  # fmt: skip


def write(tables: Mapping[str, Rows], out: Mapping[str, Path]) -> None:
    """Write each table to its file."""
    for name, rows in tables.items():
        head = list(rows[0]) if rows else list(OVERLAP)  # one team overlaps with none
        sheets.write(out[name], head, rows)


def _pairs(ranked: Rankings, pairs: Sequence[tuple[str, str]]) -> Ints:
    """Topics and documents as one number each; negative for a document that no run holds."""
    where = {topic: t for t, topic in enumerate(ranked.topics)}
    number = ranked.find([document for _, document in pairs])
    topic = np.array([where[topic] for topic, _ in pairs], np.int64)
    return np.where(number >= 0, topic * max(1, len(ranked.documents)) + number, -2)


def _topic(
    topic: str, documents: Collection[str], judged: Mapping[str, bool], *, counts: bool
) -> dict[str, Any]:
    pool, relevant = set(documents), {document for document, good in judged.items() if good}
    return {
        "topic": topic,
        "counts": int(counts),
        "documents": len(pool),
        "judged": len(judged),
        "judged_in_pool": len(pool & judged.keys()),
        "relevant": len(relevant),
        "relevant_in_pool": len(pool & relevant),
    }


def _teams(
    gave: Bools, labels: Sequence[bool | None], *, names: Sequence[str], runs: Sequence[int],
    pooled: Sequence[int],
) -> Rows:  # fmt: skip
    """`gave` is [team, pooled document], `labels` say of each document whether it is relevant."""
    relevant = np.array([label is True for label in labels], bool)
    judged = np.array([label is not None for label in labels], bool)
    unique = gave & (gave.sum(axis=0) == 1)
    columns = {
        "team": names,
        "runs": runs,
        "pooled_runs": pooled,
        "documents": gave.sum(axis=1).tolist(),
        "relevant": (gave & relevant).sum(axis=1).tolist(),
        "unique": unique.sum(axis=1).tolist(),
        "unique_judged": (unique & judged).sum(axis=1).tolist(),
        "unique_relevant": (unique & relevant).sum(axis=1).tolist(),
    }
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _overlap(gave: Bools, names: Sequence[str]) -> Rows:
    both = (gave.astype(np.int64) @ gave.T.astype(np.int64)).tolist()
    rows = []
    for a, name in enumerate(names):
        for b, other in enumerate(names[:a]):
            either = both[a][a] + both[b][b] - both[a][b]
            share = f"{both[a][b] / either:.4f}" if either else ""
            cells = (other, name, both[b][b], both[a][a], both[a][b], share)
            rows.append(dict(zip(OVERLAP, cells, strict=True)))
    return rows


def _runs(
    ranked: Rankings,
    given: Mapping[str, Sequence[str]],
    known: Judged,
    *,
    pooled: Sequence[int],
    teams: Sequence[str],
    depth: int,
    topics: Sequence[str],
) -> Rows:
    """How much of each run's first documents, over the topics that count, is in the pool."""
    answered = sorted(set(topics) & set(ranked.topics))
    counts = np.isin(ranked.topics, answered)
    top = ranked.number.reshape(len(ranked.runs), len(ranked.topics), -1)[:, counts, :depth]
    first = np.flatnonzero(counts)[:, None] * np.int64(max(1, len(ranked.documents)))
    pair = np.where(top >= 0, first + top, -1)
    shown = np.maximum((top >= 0).sum(axis=(1, 2)), 1)

    def share(found: Mapping[str, Collection[str]]) -> list[str]:
        inside = np.isin(pair, _pairs(ranked, [(t, d) for t in answered for d in found.get(t, ())]))
        return [f"{value:.4f}" for value in inside.sum(axis=(1, 2)) / shown]

    cells = zip(ranked.runs, teams, share(given), share(known), strict=True)
    return [
        {
            "run": run,
            "team": team,
            "pooled": int(i in pooled),
            f"covered@{depth}": covered,
            f"judged@{depth}": judged,
        }
        for i, (run, team, covered, judged) in enumerate(cells)
    ]
