"""Reading gains from the files that `step` wrote."""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from pipeline.errors import InputError, Problem
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

    Condensed rankings drop what the first dimension does not know. `scores` brings the systems' own
    scores (unless `only_ties` are wanted) and the groups of tied documents, `costs` what each
    document costs its reader.
    """
    rows: tuple[tuple[str, ...], tuple[str, ...]] | None = None  # runs, topics
    dimensions: dict[str, Dimension] = {}
    for name, path in paths.items():
        with np.load(path) as stored:
            here = tuple(stored["runs"].tolist()), tuple(stored["topics"].tolist())
            if rows is not None and here != rows:
                what = "made from other runs or topics"
                raise InputError(Problem(path, what, "remove it and run again"))
            rows = here
            length = stored["length"].astype(np.int64)
            parts = (part.name for part in fields(Dimension))
            dimensions[name] = Dimension(**{part: stored[part] for part in parts})
    if rows is None:
        raise ValueError("gains.read needs at least one dimension")
    runs, topics = rows
    gains = Gains(runs, topics, np.tile(np.arange(len(topics)), len(runs)), length, dimensions)
    if scores is not None:
        with np.load(scores) as stored:
            score = None if only_ties else stored["score"]
            gains = replace(gains, score=score, tie=stored["tie"])
    if costs is not None:
        with np.load(costs) as stored:
            gains = replace(gains, cost=stored["cost"], usual_cost=float(stored["usual"]))
    return gains.condensed(next(iter(paths))) if unjudged == "condensed" else gains
