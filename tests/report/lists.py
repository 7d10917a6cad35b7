"""The rankings of the made campaign, and what they meet: labels, and gains as the workflow has."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pyarrow as pa

from pipeline.config.scale import Scale
from pipeline.labels import tables as labels
from pipeline.results import Results
from pipeline.runs import rankings
from tests.builders import write_gains

# Labels of a topic's documents by number; a dimension with 5 steps, in which less is better.
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
) -> None:
    """Write rankings, labels and gains into a folder of results."""
    results = Results(folder)
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
    rankings.write(table, results.rankings)
    for name, (scale, label) in SCALES.items():
        lines = [
            f"{topic} 0 doc{t}.{n} {label(n)}\n"
            for t, topic in enumerate(topics)
            for n in range(20)
            if name != "effort" or n % 7  # not everything is judged in every dimension
        ]
        qrels = folder / f"{name}.qrels"
        qrels.write_text("".join(lines), encoding="utf-8")
        labels.tabulate([qrels], out=results.labels(name), scale=scale)
        write_gains(
            results.rankings,
            labels=results.labels(name),
            topics=topics,
            out=results.gains(name),
        )
