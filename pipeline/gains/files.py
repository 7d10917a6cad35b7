"""Reading gains from the files that earlier steps left."""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.gains.dimension import Dimension
from pipeline.gains.gains import Gains


def read(
    paths: Mapping[str, Path],
    *,
    unjudged: str = "zero",
    scores: Path | None = None,
    only_ties: bool = False,
    costs: Path | None = None,
) -> Gains:
    """Read the gains of the named dimensions; `unjudged` is the policy zero or condensed.

    Condensed lists drop what the first dimension does not know. `scores` brings the systems' own
    scores (unless `only_ties` are wanted) and the groups of tied documents, `costs` what each
    document costs its reader.
    """
    rows: tuple[tuple[str, ...], tuple[str, ...]] | None = None  # runs, topics
    dimensions: dict[str, Dimension] = {}
    for name, path in paths.items():
        with np.load(path) as stored:
            here = tuple(stored["runs"].tolist()), tuple(stored["topics"].tolist())
            if rows is not None and here != rows:
                raise InputError(f"{path}: made from other runs or topics; remove it and run again")
            rows = here
            length = stored["length"].astype(np.int64)
            parts = (part.name for part in fields(Dimension))
            dimensions[name] = Dimension(**{part: stored[part] for part in parts})
    if rows is None:
        raise ValueError("gains.read needs at least one dimension")
    runs, topics = rows
    score, tie = None, None
    if scores is not None:
        with np.load(scores) as stored:
            score, tie = None if only_ties else stored["score"], stored["tie"]
    topic = np.tile(np.arange(len(topics)), len(runs))
    gains = Gains(runs, topics, topic, length, dimensions, score, tie)
    if costs is not None:
        with np.load(costs) as stored:
            gains = replace(gains, cost=stored["cost"], usual_cost=float(stored["usual"]))
    return gains.condensed(next(iter(paths))) if unjudged == "condensed" else gains
