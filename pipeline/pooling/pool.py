"""Pooling: which documents assessors should judge, and with which probability each was drawn."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from pipeline.config.dimensions import Labels
from pipeline.config.pool import Plan
from pipeline.errors import InputError, Problem
from pipeline.labels.tables import tabulate
from pipeline.labels.topics import CampaignTopic
from pipeline.pooling import relevation, statistics
from pipeline.pooling.candidates import find, names, pooled
from pipeline.pooling.declaration import METHODS, Offer
from pipeline.runs.rank import rank_files
from pipeline.runs.rankings import Rankings, arrange, topics_of
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.reader import RunPolicies
from pipeline.storage import sheets
from pipeline.storage.atomic import atomic
from pipeline.storage.text import natural

COLUMNS = ("topic", "document", "runs", "best_rank", "probability")
Row = tuple[str, str, int, int, float]


def pool(
    rankings: Path,
    *,
    plan: Plan,
    teams: Mapping[str, str],
    topics: Sequence[CampaignTopic],
    labels: Path | None,
    replayed: Path | None,
    out: Path,
    tables: Mapping[str, Path],
    assessors: Mapping[str, Path],
) -> None:
    """Write what to judge to `out`, what it covers to `tables`, and the files for assessors.

    `labels` are those of the first labelled dimension, `replayed` those an adaptive method uses.
    """
    scores = METHODS[plan.method].scores
    ranked = read_rankings(rankings, topics=topics_of(rankings), scores=scores)
    runs = pooled(ranked.runs, plan=plan, teams=teams)
    relevant = statistics.read_judged(replayed) if replayed else {}
    rows = choose(ranked, plan=plan, runs=runs, relevant=relevant)
    write(out, rows)
    found = statistics.describe(
        by_topic(rows),
        ranked=ranked,
        known=statistics.read_judged(labels) if labels else {},
        topics=[topic.id for topic in topics if topic.counts],
        depth=plan.depth,
        reach=METHODS[plan.method].reach(plan),
        runs=runs,
        teams=teams,
    )
    for name, columns in found.items():
        sheets.write(tables[name], list(columns), zip(*columns.values(), strict=True))
    texts = {topic.id: topic.text for topic in topics}
    relevation.export(by_topic(rows), texts=texts, seed=plan.seed, out=assessors)


def choose(
    ranked: Rankings, *, plan: Plan, runs: Sequence[int], relevant: statistics.Judged
) -> list[Row]:
    """What to judge: topic, document, runs that hold it, best rank, probability to be drawn."""
    method = METHODS[plan.method]
    found = find(ranked, runs=runs, depth=method.reach(plan))
    chance = method(Offer(plan=plan, ranked=ranked, runs=runs, candidates=found, relevant=relevant))
    kept = np.flatnonzero(chance > 0)
    if not len(kept):
        what = f"'{plan.method}' takes no document of the {len(runs)} pooled runs"
        fix = "widen pool.runs or raise pool.size or pool.strata"
        raise InputError(Problem("pool.method", f"the pool is empty: {what}", fix))
    counts = (column[kept].tolist() for column in (found.runs, found.best, chance))
    documents = names(ranked, found.document[kept])
    rows = zip(found.topic[kept].tolist(), documents, *counts, strict=True)
    return [(ranked.topics[topic], *rest) for topic, *rest in sorted(rows)]


def write(out: Path, rows: Iterable[Row]) -> None:
    """Write the rows of a pool."""
    with atomic(out) as draft, draft.open("w", newline="\n", encoding="utf-8") as file:
        file.write("\t".join(COLUMNS) + "\n")  # plain: ids hold no white space, but may hold quotes
        file.writelines(f"{t}\t{d}\t{n}\t{best}\t{c:.6g}\n" for t, d, n, best, c in rows)


def by_topic(rows: Iterable[Row]) -> dict[str, list[str]]:
    """The documents of a pool by topic."""
    found: dict[str, list[str]] = {}
    for topic, document, *_ in rows:
        found.setdefault(topic, []).append(document)
    return found


def pool_files(runs: Sequence[Path], *, plan: Plan, labels: Labels | None = None) -> list[Row]:
    """What to judge of run files; `labels` are for methods that replay them."""
    found, relevant = rank_files(runs, policies=RunPolicies(setting="")), {}
    if labels is not None:
        files, key, conflict = map(Path, labels.files), labels.key, labels.conflict
        table = tabulate(list(files), scale=labels.scale, key=key, conflict=conflict)
        relevant = statistics.judged_in(table)
    topics = sorted(found.topics, key=natural)
    ranked = arrange(found.table, topics=topics, scores=METHODS[plan.method].scores)
    own = pooled(ranked.runs, plan=plan, teams=dict.fromkeys(ranked.runs, ""))
    rows = choose(ranked, plan=plan, runs=own, relevant=relevant)
    return [(t, d, n, best, float(f"{chance:.6g}")) for t, d, n, best, chance in rows]
