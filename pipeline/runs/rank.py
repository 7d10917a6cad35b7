"""The step that ranks: every run read once, under one named policy, for all measures.

Runs, systems fused from them and baselines go into `rankings.parquet`; the facts about each run
that the checks report go beside it, as JSON.
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
from pipeline.runs.fusion.declaration import fused
from pipeline.runs.reader import ORDERS, Policies, Run, RunReader, read_runs, run_name, same_names
from pipeline.storage import arrow
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.text import natural


@dataclass(frozen=True)
class Ranked:
    """Runs that were read together, and their rankings as one table."""

    runs: list[Run]
    topics: list[str]  # by number
    table: pa.Table


def rank(
    files: Sequence[Path],
    *,
    policies: Policies,
    out: Path,
    facts: Path,
    fusion: Mapping[str, Fusion] | None = None,
    made: Sequence[tuple[Path, Path]] = (),
) -> None:
    """Read and rank run files, and write all rankings and the facts about each run.

    `fusion` names systems to fuse from the runs; `made` are rankings and facts of other steps.
    """
    tables: list[pa.Table] = []
    known: list[dict[str, Any]] = []
    if files:
        found = rank_files(files, policies=policies)
        tables.append(found.table)
        known += [_facts(run, found.topics, policies) for run in found.runs]
        del found  # its rows are in the table
    if fusion:
        table, more = fuse_systems(tables, fusion)
        tables.append(table)
        known += more
    for path, its_facts in made:
        tables.append(arrow.read(path, codes=rankings.DICTIONARIES))
        known += json.loads(its_facts.read_text(encoding="utf-8"))
    rankings.write(rankings.merge(tables), out)
    rankings.write_facts(known, facts)


def rank_files(files: Sequence[Path], *, policies: Policies, ranks: bool = False) -> Ranked:
    """Read and rank run files, by name; `ranks` asks for the ranks that stand in them, too."""
    reader = RunReader(policies, ranks=ranks)
    same = same_names(files)
    try:
        runs = read_runs(sorted((run_name(path), path) for path in files), reader)
    except InputError as error:
        raise InputError(*same, *error.problems) from None
    if same:
        raise InputError(*same)
    topics = reader.topics()
    return Ranked(runs, topics, _table(runs, topics, arrow.text(*reader.documents())))


def _table(runs: Sequence[Run], topics: Sequence[str], documents: pa.Array) -> pa.Table:
    """One run's rows, and all scores, stay where they are: there may be a hundred million."""

    def column(name: str) -> NDArray[Any]:
        parts = [getattr(run.rows, name) for run in runs]
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, np.int32), *parts])

    places = np.arange(len(runs), dtype=np.int32)
    run = np.repeat(places, [len(run.rows.document) for run in runs])
    rank = [numbers(rankings.ranks(run.rows.group_size)) for run in runs]
    columns = {
        "run": coded(run, [run.name for run in runs]),
        "topic": coded(column("topic"), topics),
        "rank": pa.chunked_array(rank, pa.int32()),
        "document": coded(column("document"), documents),
        "score": pa.chunked_array([numbers(run.rows.score) for run in runs], pa.float64()),
    }
    return pa.table(columns, schema=rankings.SCHEMA)


def _facts(run: Run, topics: Sequence[str], policies: Policies) -> dict[str, Any]:
    facts = asdict(run.summary)
    del facts["wide"]
    named = {"run": run.name, "file": str(run.path), "tag": run.tag}
    answered = [topics[t] for t in run.rows.group_topic.tolist()]
    return {**named, "topics": answered, **facts, "lost_order": lost_order(run, policies.order)}


def lost_order(run: Run, order: str) -> int:
    """Neighbours of the ranking that differ in score, but tie as the 32-bit floats compared."""
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
    """Each fused system, by its name, from submitted runs: the rankings, and facts about them."""
    table = rankings.merge(tables).combine_chunks()
    topics = sorted(table["topic"].chunk(0).dictionary.to_pylist(), key=natural)
    ranked = rankings.arrange(table, topics=topics, scores=True)
    assert ranked.score is not None
    found: dict[tuple[int, int], rankings.Ranking] = {}
    facts: list[dict[str, Any]] = []
    names = sorted(systems)
    for place, name in enumerate(names):
        fusion = systems[name]
        if name in ranked.runs:
            what = f"'{name}' is also a submitted run"
            raise InputError(Problem("fusion", what, "rename the fusion"))
        where = f"fusion.{name}.runs"
        own = np.array(rankings.chosen(ranked.runs, pattern=fusion.runs, where=where))
        lines = 0
        for t in range(len(topics)):
            rows = own * len(topics) + t
            number, score = ranked.number[rows], ranked.score[rows]
            found[place, t] = fused(number, score, documents=ranked.documents, fusion=fusion)
            lines += len(found[place, t][0])
        file = f"({fusion.method} of {len(own)} runs)"
        facts.append(rankings.facts_of_system(name, file, tag="fused", topics=topics, lines=lines))
    return rankings.tabulate(found, runs=names, topics=topics, documents=ranked.documents), facts


def fuse_files(
    runs: Sequence[Path], *, fusion: Fusion, depth: int
) -> Iterator[tuple[str, str, float]]:
    """Fusion without a workflow: topic, document and score of the fused run, best first."""
    found = rank_files(runs, policies=Policies(depth=depth))
    table, _ = fuse_systems([found.table], {"": fusion})  # no run is called so
    return zip(*(table[name].to_pylist() for name in ("topic", "document", "score")), strict=True)
