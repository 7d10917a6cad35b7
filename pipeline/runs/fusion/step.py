"""The step: each fused system as one more batch of rankings."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.errors import InputError
from pipeline.runs import rankings
from pipeline.runs.fusion.ranking import fused
from pipeline.runs.fusion.settings import Fusion
from pipeline.runs.selection import chosen
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.atomic import atomic


def fuse(batches: Sequence[Path], *, systems: Mapping[str, Fusion], out: Path, facts: Path) -> None:
    """Make each fused system, by its name, from the submitted runs."""
    with tempfile.TemporaryDirectory(dir=out.parent) as folder:
        whole = Path(folder) / "rankings.parquet"
        rankings.merge(batches, out=whole)
        topics = rankings.topics_of(whole)
        ranked = rankings.read(whole, topics=topics, scores=True)
    assert ranked.score is not None
    run_of, topic_of, rank, document, score = [], [], [], [], []
    told = []
    names = sorted(systems)
    for place, name in enumerate(names):
        fusion = systems[name]
        if name in ranked.runs:
            raise InputError(f"fusion: '{name}' is also a submitted run; rename the fusion")
        mine = chosen(ranked.runs, pattern=fusion.runs, where=f"fusion.{name}.runs")
        lines = 0
        for t in range(len(topics)):
            rows = np.array(mine) * len(topics) + t
            found, value = fused(
                ranked.number[rows], ranked.score[rows], documents=ranked.documents, fusion=fusion
            )
            lines += len(found)
            run_of.append(np.full(len(found), place))
            topic_of.append(np.full(len(found), t))
            rank.append(np.arange(1, len(found) + 1, dtype=np.int32))
            document.append(found)
            score.append(value)
        file = f"({fusion.method} of {len(mine)} runs)"
        told.append(_facts(name, file=file, topics=topics, lines=lines))
    table = pa.table(
        {
            "run": coded(np.concatenate(run_of), names),
            "topic": coded(np.concatenate(topic_of), topics),
            "rank": numbers(np.concatenate(rank)),
            "document": coded(np.concatenate(document), ranked.documents),
            "score": numbers(np.concatenate(score)),
        },
        schema=rankings.SCHEMA,
    )
    rankings.write(table, out)
    with atomic(facts) as draft:
        draft.write_text(json.dumps(told, indent=1))


def _facts(name: str, *, file: str, topics: Sequence[str], lines: int) -> dict[str, object]:
    """What reading a run leaves for the checks; a fused one has nothing that is odd."""
    return {
        "run": name,
        "file": file,
        "tag": "fused",
        "made": True,
        "lines": lines,
        "topics": list(topics),
        "duplicates": 0,
        "bad_scores": 0,
        "tied": 0,
        "top10_differs": 0,
    }
