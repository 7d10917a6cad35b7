"""Pooling: the documents that assessors should judge, with their inclusion probabilities."""

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
from pipeline.pooling.declaration import METHODS, PoolInputs
from pipeline.runs.rank import rank_files
from pipeline.runs.rankings import Rankings, arrange, topics_of
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.reader import RunPolicies
from pipeline.storage import sheets
from pipeline.storage.atomic import write_text
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
    """Write the pool to `out`, its statistics to `tables`, and the files for assessors.

    `labels` belong to the first labelled dimension; `replayed` are those an adaptive method uses.
    """
    method = METHODS[plan.method]
    ranked = read_rankings(rankings, topics=topics_of(rankings), scores=method.scores)
    runs = pooled(ranked.runs, plan=plan, teams=teams)
    relevant = statistics.read_judged(replayed) if replayed else {}
    rows = choose(ranked, plan=plan, runs=runs, relevant=relevant)
    write(out, rows)
    contents = statistics.describe(
        by_topic(rows),
        ranked=ranked,
        judgements=statistics.read_judged(labels) if labels else {},
        topics=[topic.id for topic in topics if topic.counts],
        depth=plan.depth,
        reach=method.reach(plan),
        runs=runs,
        teams=teams,
    )
    for name, columns in contents.items():
        sheets.write(tables[name], list(columns), zip(*columns.values(), strict=True))
    texts = {topic.id: topic.text for topic in topics}
    relevation.export(by_topic(rows), texts=texts, seed=plan.seed, out=assessors)


def choose(
    ranked: Rankings, *, plan: Plan, runs: Sequence[int], relevant: statistics.Relevance
) -> list[Row]:
    """The pool: topic, document, runs that retrieve it, best rank, inclusion probability."""
    method = METHODS[plan.method]
    candidates = find(ranked, runs=runs, depth=method.reach(plan))
    chance = method(
        PoolInputs(plan=plan, ranked=ranked, runs=runs, candidates=candidates, relevant=relevant)
    )
    pooled_rows = np.flatnonzero(chance > 0)
    if not len(pooled_rows):
        what = f"'{plan.method}' selects no document of the {len(runs)} pooled runs"
        fix = "change pool.runs to match more runs, or raise pool.size or pool.strata"
        raise InputError(Problem("pool.method", f"the pool is empty: {what}", fix))
    counts = (column[pooled_rows].tolist() for column in (candidates.runs, candidates.best, chance))
    documents = names(ranked, candidates.document[pooled_rows])
    rows = zip(candidates.topic[pooled_rows].tolist(), documents, *counts, strict=True)
    return [(ranked.topics[topic], *rest) for topic, *rest in sorted(rows)]


def write(out: Path, rows: Iterable[Row]) -> None:
    """Write the rows of a pool as plain TSV: ids have no white space, but may contain quotes."""
    lines = (f"{t}\t{d}\t{n}\t{best}\t{chance:.6g}\n" for t, d, n, best, chance in rows)
    write_text(out, "\t".join(COLUMNS) + "\n" + "".join(lines))


def by_topic(rows: Iterable[Row]) -> dict[str, list[str]]:
    """The documents of a pool by topic."""
    documents: dict[str, list[str]] = {}
    for topic, document, *_ in rows:
        documents.setdefault(topic, []).append(document)
    return documents


def pool_files(runs: Sequence[Path], *, plan: Plan, labels: Labels | None = None) -> list[Row]:
    """The pool of run files; `labels` are for methods that replay judgements."""
    files_ranked, relevant = rank_files(runs, policies=RunPolicies(setting="")), {}
    if labels is not None:
        files, key, conflict = map(Path, labels.files), labels.key, labels.conflict
        table = tabulate(list(files), scale=labels.scale, key=key, conflict=conflict)
        relevant = statistics.judged_in(table)
    topics = sorted(files_ranked.topics, key=natural)
    ranked = arrange(files_ranked.table, topics=topics, scores=METHODS[plan.method].scores)
    pooled_runs = pooled(ranked.runs, plan=plan, teams=dict.fromkeys(ranked.runs, ""))
    rows = choose(ranked, plan=plan, runs=pooled_runs, relevant=relevant)
    return [(t, d, n, best, float(f"{chance:.6g}")) for t, d, n, best, chance in rows]
