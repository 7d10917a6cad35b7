"""Synthetic systems as a campaign's inputs: runs, labels of each dimension, topics."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.sources.synthetic.draw import labels
from pipeline.sources.synthetic.plan import plan
from pipeline.storage.atomic import atomic_folder


def write(folder: Path, settings: Mapping[str, Any], *, seed: int) -> None:
    """Write runs/<system>, labels/<dimension>.qrels and topics.tsv.

    Each place of each list is a document of its own. A system's draws depend on its name and the
    seed alone, so that adding a system leaves the others as they are.
    """
    made = plan(settings)
    topics = [f"t{number}" for number in range(1, made.lists + 1)]
    with atomic_folder(folder) as draft:
        (draft / "runs").mkdir()
        (draft / "labels").mkdir()
        lines = "".join(f"{topic}\tsynthetic topic {topic[1:]}\n" for topic in topics)
        (draft / "topics.tsv").write_text(lines, encoding="utf-8", newline="\n")
        qrels: dict[str, list[str]] = {name: [] for name in settings["draws"]}
        for system, dimensions in made.systems.items():
            random = np.random.default_rng([seed, *system.encode()])
            shape = (made.lists, made.length)
            drawn = labels(dimensions, shape=shape, correlation=made.correlation, random=random)
            places = [
                (topic, f"{system}-{topic}-{rank}", rank)
                for topic in topics
                for rank in range(1, made.length + 1)
            ]
            run = "".join(
                f"{topic} Q0 {document} {rank} {made.length + 1 - rank} {system}\n"
                for topic, document, rank in places
            )
            (draft / "runs" / system).write_text(run, encoding="utf-8", newline="\n")
            for name, values in drawn.items():
                texts = [f"{value:g}" for value in values.ravel().tolist()]
                qrels[name] += [
                    f"{topic} 0 {document} {text}\n"
                    for (topic, document, _), text in zip(places, texts, strict=True)
                ]
        for name, rows in qrels.items():
            path = draft / "labels" / f"{name}.qrels"
            path.write_text("".join(rows), encoding="utf-8", newline="\n")
