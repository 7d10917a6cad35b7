"""Pools without a workflow: run files in, what to judge out."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from pipeline.labels.reading import Labels
from pipeline.labels.tables import label
from pipeline.pooling.plan import Plan
from pipeline.pooling.pool import pool
from pipeline.pooling.relevation import UNJUDGED, shuffled_documents
from pipeline.runs.ingest import ingest
from pipeline.runs.teams import Teams, teams_of
from pipeline.runs.trec import run_name
from pipeline.storage.text import natural

Row = tuple[str, str, int, int, float]


def pool_files(
    runs: Sequence[Path],
    *,
    plan: Plan,
    team: str | None = None,
    labels: Labels | None = None,
    depth: int = 1000,
    order: str = "score",
) -> list[Row]:
    """What to judge, as the rows of `pool.tsv`; `labels` are for methods that replay them."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        ingest(
            runs, out=place / "rankings.parquet", facts=place / "facts.json",
            order=order, depth=depth, duplicates="error", bad_scores="error",
        )  # fmt: skip
        known = None
        if labels is not None:
            known = place / "labels.parquet"
            label([Path(path) for path in labels.files], out=known, scale=labels.scale,
                  key=labels.key, conflict=labels.conflict)  # fmt: skip
        out = place / "pool.tsv"
        given = Teams(name=team) if team else None
        teams = teams_of({run_name(path): str(path) for path in runs}, given=given)
        pool(place / "rankings.parquet", plan=plan, teams=teams, labels=known, out=out)
        lines = out.read_text(encoding="utf-8").split("\n")[1:-1]
    rows = (line.split("\t") for line in lines)
    return [(t, d, int(n), int(best), float(chance)) for t, d, n, best, chance in rows]


def judge_lines(rows: Sequence[Row], *, seed: int) -> list[str]:
    """A pool as assessors get it, in qrels form: shuffled, and nothing judged yet."""
    documents: dict[str, list[str]] = {}
    for topic, document, *_ in rows:
        documents.setdefault(topic, []).append(document)
    return [
        f"{topic} 0 {document} {UNJUDGED}"
        for topic in sorted(documents, key=natural)
        for document in shuffled_documents(documents[topic], topic=topic, seed=seed)
    ]
