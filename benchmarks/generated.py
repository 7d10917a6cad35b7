"""Campaigns of any size, made from a seed: what the scale study and the tests of limits run."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

TEAMS = 25
LEVELS = 3  # labels 0, 1, 2


@dataclass(frozen=True, kw_only=True)
class Size:
    """How large a campaign is."""

    runs: int = 20
    topics: int = 50
    depth: int = 100
    measures: int = 10
    dimensions: int = 2
    pages: int = 0  # a page for each of so many judged documents
    shards: int = 2
    judged: int = 50  # documents a topic

    @property
    def labelled(self) -> int:
        """The documents judged of each topic."""
        return max(self.judged, -(-self.pages // self.topics))


def write(folder: Path, size: Size, *, seed: int = 13) -> Path:
    """Write runs, labels and a config into a folder; the config's path."""
    random = np.random.default_rng(seed)
    (folder / "runs").mkdir(parents=True)
    names = [f"team{number % TEAMS}_run{number}" for number in range(size.runs)]
    pool = max(2 * size.depth, size.labelled)
    quality = random.normal(size=(size.topics, pool))  # shared: runs find the same documents
    skill = random.uniform(0.2, 1.5, size=size.runs)
    scores = [f"{value:.3f}" for value in np.linspace(20, 1, size.depth)]
    for name, able in zip(names, skill, strict=True):
        seen = able * quality + random.normal(size=quality.shape)
        best = np.argsort(-seen, axis=1)[:, : size.depth].tolist()
        with (folder / "runs" / name).open("w") as file:
            for topic, documents in enumerate(best):
                ranked = zip(documents, scores, strict=True)
                file.writelines(
                    f"{topic} Q0 d{topic}-{document} {rank} {score} {name}\n"
                    for rank, (document, score) in enumerate(ranked, start=1)
                )
    for dimension in dimensions(size):
        label = _labels(quality + random.normal(size=quality.shape), size.labelled)
        with (folder / f"{dimension}.qrels").open("w") as file:
            file.writelines(f"{topic} 0 d{topic}-{doc} {value}\n" for topic, doc, value in label)
    config = folder / "config.yaml"
    config.write_text(yaml.safe_dump({"campaigns": {"grown": campaign(size)}}, sort_keys=False))
    return config


def _labels(seen: Any, judged: int) -> Iterator[tuple[int, int, int]]:
    """The best documents of each topic, the first sixth of them with the highest label."""
    for topic, documents in enumerate(np.argsort(-seen, axis=1)[:, :judged].tolist()):
        for place, document in enumerate(documents):
            yield topic, document, max(0, LEVELS - 1 - 6 * place // judged)


def dimensions(size: Size) -> list[str]:
    """The first is topicality, as everywhere."""
    return ["topicality", *(f"further{number}" for number in range(1, size.dimensions))]


def measures(size: Size) -> list[str]:
    """As many as asked for: of each dimension, of all of them together, and then plain ones."""
    every = dimensions(size)
    some = ["RBP(p=0.8)", "AP", "nDCG@10"]
    if len(every) > 1:
        by = "+".join(every[1:])
        weights = ", ".join(f"{name}=1" for name in every)
        some += [f"uRBP(p=0.8, by={by})", f"H(RBP(p=0.8), {weights})"]
        some += [f"RBP(p=0.8, on={name})" for name in every[1:]]
    plain = [
        form.format(k=k, p=k / 1000)
        for k in range(1, 1 + size.measures)
        for form in ("P@{k}", "nDCG@{k}", "RBP(p={p})", "R@{k}")
        if form.format(k=k, p=k / 1000) not in some
    ]
    return [*some, *plain][: size.measures]


def campaign(size: Size) -> dict[str, Any]:
    """The config: everything on that needs nothing but runs, labels and perhaps pages."""
    made: dict[str, Any] = {
        "title": "Generated",
        "runs": {"files": "runs/*", "team": "^([^_]+)_"},
        "dimensions": {
            name: {"labels": f"{name}.qrels", "scale": [0, LEVELS - 1], "threshold": 1}
            for name in dimensions(size)
        },
        "measures": measures(size),
        "policies": {"depth": max(1000, size.depth)},  # by default 1,000 are kept
    }
    if size.pages:
        made["sources"] = {
            "pages": {"generate": "collection", "seed": 7, "pages_for": "topicality.qrels"}
        }
        made["pages"] = {"files": "@pages/pages.dat", "shards": size.shards}
        made["dimensions"]["read"] = {
            "estimate": {"index": "fog", "model": "step", "threshold": 12}
        }
        made["measures"] = [*made["measures"][:-1], "uRBP(p=0.8, by=read)"]
    return made
