"""Fusion without a workflow: run files in, one run in TREC's form out."""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.runs.fusion.settings import Fusion
from pipeline.runs.fusion.step import fuse
from pipeline.runs.ingest import ingest
from pipeline.storage import arrow


def fuse_files(
    runs: Sequence[Path],
    *,
    fusion: Fusion,
    tag: str = "fused",
    depth: int = 1000,
    order: str = "score",
) -> Iterator[str]:
    """The lines of the fused run, `topic Q0 document rank score tag` each."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        ingest(
            runs, out=place / "rankings.parquet", facts=place / "facts.json",
            order=order, depth=depth, duplicates="error", bad_scores="error",
        )  # fmt: skip
        out = place / "fused.parquet"
        fuse([place / "rankings.parquet"], systems={tag: fusion}, out=out,
             facts=place / "fused.json")  # fmt: skip
        table = arrow.read(out)
    columns = (table[name].to_pylist() for name in ("topic", "document", "rank", "score"))
    for topic, document, rank, score in zip(*columns, strict=True):
        yield f"{topic} Q0 {document} {rank} {score!r} {tag}"
