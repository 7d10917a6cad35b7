"""Read gains from the files that `step` writes."""

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
    """Read the gains of the named dimensions; `unjudged` is the policy, zero or condensed.

    Condensed rankings omit documents that are unjudged in the first dimension. The file `scores`
    has the systems' own scores (skipped with `only_ties`) and the groups of tied documents, `costs`
    the reading cost of each document.
    """
    expected: tuple[tuple[str, ...], tuple[str, ...]] | None = None  # runs, topics
    dimensions: dict[str, Dimension] = {}
    for name, path in paths.items():
        with np.load(path) as stored:
            axes = tuple(stored["runs"].tolist()), tuple(stored["topics"].tolist())
            if expected is not None and axes != expected:
                what = "built from other runs or topics than the files of other dimensions"
                raise InputError(Problem(path, what, "delete the file and rerun the campaign"))
            expected = axes
            length = stored["length"].astype(np.int64)
            dimensions[name] = Dimension(**{d.name: stored[d.name] for d in fields(Dimension)})
    if expected is None:
        raise ValueError("gains.read needs at least one dimension")
    runs, topics = expected
    gains = Gains(runs, topics, np.tile(np.arange(len(topics)), len(runs)), length, dimensions)
    if scores is not None:
        with np.load(scores) as stored:
            score = None if only_ties else stored["score"]
            gains = replace(gains, score=score, tie=stored["tie"])
    if costs is not None:
        with np.load(costs) as stored:
            gains = replace(gains, cost=stored["cost"], usual_cost=float(stored["usual"]))
    return gains.condensed(next(iter(paths))) if unjudged == "condensed" else gains
