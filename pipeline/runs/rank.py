"""The step `rank`: each run is read and ranked once, under the policies, for all measures.

Runs, systems fused from them and baselines are written to `rankings.parquet`, and facts about each
run, which the input check reports, to a JSON file.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.config.fusion import Fusion
from pipeline.errors import InputError, Problem
from pipeline.runs import rankings
from pipeline.runs.fusion.declaration import fuse
from pipeline.runs.reader import (
    ORDERS,
    Run,
    RunPolicies,
    RunReader,
    read_runs,
    run_name,
    same_names,
)
from pipeline.storage import arrow
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.text import natural


@dataclass(frozen=True)
class RankedRuns:
    """Runs read together, and their rankings as one table."""

    runs: list[Run]
    topics: list[str]  # by number
    table: pa.Table


def rank(
    files: Sequence[Path],
    *,
    policies: RunPolicies,
    out: Path,
    facts: Path,
    fusion: Mapping[str, Fusion] | None = None,
    made: Sequence[tuple[Path, Path]] = (),
) -> None:
    """Read and rank run files, and write all rankings and the facts about each run.

    `fusion` names systems to fuse from the runs; `made` are the rankings and facts of other steps.
    """
    tables: list[pa.Table] = []
    all_facts: list[dict[str, Any]] = []
    if files:
        ranked = rank_files(files, policies=policies)
        tables.append(ranked.table)
        all_facts += [_facts(run, ranked.topics, policies) for run in ranked.runs]
        del ranked  # its rows are in the table
    if fusion:
        table, system_facts = fuse_systems(tables, fusion)
        tables.append(table)
        all_facts += system_facts
    for path, facts_path in made:
        tables.append(arrow.read(path, codes=rankings.DICTIONARIES))
        all_facts += json.loads(facts_path.read_text(encoding="utf-8"))
    rankings.write(rankings.merge(tables), out)
    rankings.write_facts(all_facts, facts)


def rank_files(files: Sequence[Path], *, policies: RunPolicies, ranks: bool = False) -> RankedRuns:
    """Read and rank run files, sorted by name; `ranks` keeps the rank column of the files."""
    reader = RunReader(policies, ranks=ranks)
    same = same_names(files)
    try:
        runs = read_runs(sorted((run_name(path), path) for path in files), reader)
    except InputError as error:
        raise InputError(*same, *error.problems) from None
    if same:
        raise InputError(*same)
    topics = reader.topics()
    return RankedRuns(runs, topics, _table(runs, topics, arrow.text(*reader.documents())))


def _table(runs: Sequence[Run], topics: Sequence[str], documents: pa.Array) -> pa.Table:
    """The rankings as a table; scores are not copied, since there may be a hundred million."""

    def column(name: str) -> NDArray[Any]:
        parts = [getattr(run.rows, name) for run in runs]
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.int32), *parts])

    run = np.repeat(np.arange(len(runs), dtype=np.int32), [len(run.rows.document) for run in runs])
    rank = [numbers(rankings.ranks(run.rows.group_size)) for run in runs]
    columns = {
        "run": coded(run, [run.name for run in runs]),
        "topic": coded(column("topic"), topics),
        "rank": pa.chunked_array(rank, pa.int32()),
        "document": coded(column("document"), documents),
        "score": pa.chunked_array([numbers(run.rows.score) for run in runs], pa.float64()),
    }
    return pa.table(columns, schema=rankings.SCHEMA)


def _facts(run: Run, topics: Sequence[str], policies: RunPolicies) -> dict[str, Any]:
    facts = asdict(run.summary)
    del facts["wide"]
    names = {"run": run.name, "file": str(run.path), "tag": run.tag}
    answered = [topics[t] for t in run.rows.group_topic.tolist()]
    return {**names, "topics": answered, **facts, "lost_order": lost_order(run, policies.order)}


def lost_order(run: Run, order: str) -> int:
    """Neighbours in the ranking whose scores differ, but are equal as 32-bit floats."""
    if ORDERS[order] != "score32" or not len(run.rows.score):
        return 0
    score, topic = run.rows.score, run.rows.topic
    with np.errstate(over="ignore", invalid="ignore"):
        small = score.astype(np.float32)
    same = (topic[1:] == topic[:-1]) & (small[1:] == small[:-1]) & (score[1:] != score[:-1])
    return int(same.sum())


def fuse_systems(
    tables: Sequence[pa.Table], systems: Mapping[str, Fusion]
) -> tuple[pa.Table, list[dict[str, Any]]]:
    """Fuse systems from submitted runs: the rankings of each, and facts about them."""
    table = rankings.merge(tables).combine_chunks()
    topics = sorted(table["topic"].chunk(0).dictionary.to_pylist(), key=natural)
    ranked = rankings.arrange(table, topics=topics, scores=True)
    assert ranked.score is not None
    fused: dict[tuple[int, int], rankings.Ranking] = {}
    facts: list[dict[str, Any]] = []
    names = sorted(systems)
    for place, name in enumerate(names):
        fusion = systems[name]
        if name in ranked.runs:
            what = "is also the name of a submitted run"
            raise InputError(Problem(f"fusion.{name}", what, "rename the fused system"))
        where = f"fusion.{name}.runs"
        own = np.array(rankings.matching_runs(ranked.runs, pattern=fusion.runs, where=where))
        for t in range(len(topics)):
            rows = own * len(topics) + t
            number, score = ranked.number[rows], ranked.score[rows]
            fused[place, t] = fuse(number, score, documents=ranked.documents, fusion=fusion)
        lines = sum(len(fused[place, t][0]) for t in range(len(topics)))
        file = f"({fusion.method} of {len(own)} runs)"
        facts.append(rankings.facts_of_system(name, file, tag="fused", topics=topics, lines=lines))
    return rankings.tabulate(fused, runs=names, topics=topics, documents=ranked.documents), facts


def fuse_files(
    runs: Sequence[Path], *, fusion: Fusion, depth: int
) -> Iterator[tuple[str, str, float]]:
    """Fuse files without a workflow: topic, document and score of the fused run, best first."""
    ranked = rank_files(runs, policies=RunPolicies(depth=depth, setting=""))
    table, _ = fuse_systems([ranked.table], {"": fusion})  # a name that no run has
    return zip(*(table[name].to_pylist() for name in ("topic", "document", "score")), strict=True)
