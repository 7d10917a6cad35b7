"""The lists of the made campaign, ranked and met with labels as the workflow does."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa

from pipeline.gains import attach
from pipeline.labels import tables as labels
from pipeline.labels.scale import Scale
from pipeline.report import judged_lists
from pipeline.runs import rankings

# Labels of a topic's documents by number; a dimension with 5 steps, in which less is better, and
# one whose labels are by document alone.
SCALES = {
    "topicality": (Scale(0, 2, "high", 1, None, ()), lambda n: n % 3),
    "understandability": (Scale(0, 3, "high", 2, None, ()), lambda n: (7 * n + 1) % 4),
    "effort": (Scale(0, 100, "low", 50, None, ()), lambda n: 25 * (n % 5)),
}


def write(
    folder: Path,
    *,
    runs: Sequence[str],
    topics: Sequence[str],
    shown: Callable[[int, int], Sequence[str]],
    measures: Sequence[str],
    unjudged: str = "zero",
) -> Path:
    """Write rankings, gains and what the page carries of them into a folder."""
    rows = [
        (run, topic, rank + 1, document, 100.0 - rank)
        for r, run in sorted(enumerate(runs), key=lambda one: one[1])
        for t, topic in enumerate(topics)
        for rank, document in enumerate(shown(r, t))
    ]
    run, topic, rank, document, score = (list(column) for column in zip(*rows, strict=True))
    coded = [pa.array(one).dictionary_encode() for one in (run, topic, document)]
    table = pa.table(
        [coded[0], coded[1], pa.array(rank, pa.int32()), coded[2], pa.array(score)],
        names=rankings.SCHEMA.names,
    ).cast(rankings.SCHEMA)
    rankings.write(table, folder / "rankings.parquet")
    gains = {}
    for name, (scale, label) in SCALES.items():
        lines = [
            f"{topic} 0 doc{t}.{n} {label(n)}\n"
            for t, topic in enumerate(topics)
            for n in range(20)
            if name != "effort" or n % 7  # not everything is judged in every dimension
        ]
        (folder / f"{name}.qrels").write_text("".join(lines), encoding="utf-8")
        labels.label([folder / f"{name}.qrels"], out=folder / f"{name}.labels", scale=scale)
        attach.build(
            rankings=folder / "rankings.parquet",
            labels=folder / f"{name}.labels",
            topics=topics,
            out=folder / f"{name}.npz",
        )
        gains[name] = folder / f"{name}.npz"
    judged_lists.take(
        folder / "rankings.parquet",
        gains=gains,
        measures=measures,
        unjudged=unjudged,
        alpha=0.05,
        out=folder / "judged.json",
    )
    return folder / "judged.json"
