"""The step `gains`: it writes the input of all measures, which `files` reads.

There is one file per dimension, `_ties.npz` (the systems' scores and groups of ties) and, if the
campaign has costs of documents, `_costs.npz`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError, Problem
from pipeline.gains.build import LabelLevels, of_rankings
from pipeline.gains.dimension import UNJUDGED, Dimension
from pipeline.labels import tables
from pipeline.labels.judgements import Judgements
from pipeline.runs.rankings import Rankings
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage.arrays import Floats
from pipeline.storage.atomic import atomic

TIES, COSTS = "_ties.npz", "_costs.npz"


def write(
    *,
    rankings: Path,
    labels: Mapping[str, Path],
    topics: Sequence[str],
    out: Path,
    order: str | None = None,
    costs: tuple[Mapping[str, float], float] | None = None,
    unmatched: Sequence[str] = (),
) -> None:
    """Write the gains of every dimension on the evaluated topics into the folder `out`.

    With the policy `order`, ties are written, too; with `costs` (of documents, and the default),
    the cost of each ranked document. Labels are refused if none matches a retrieved document,
    except in the dimensions `unmatched`.
    """
    out.mkdir(parents=True, exist_ok=True)
    ranked = read_rankings(rankings, topics=topics, scores=order is not None)
    for name, path in labels.items():
        judged = tables.read(path)
        levels = LabelLevels(judged, ranked.topics)
        dimension = levels.dimension(of_rankings(ranked, levels))
        if name not in unmatched:
            _refuse_unmatched(name, ranked, judged, dimension)
        _save(
            out / f"{name}.npz",
            runs=np.array(ranked.runs, dtype=str),
            topics=np.array(ranked.topics, dtype=str),
            length=ranked.length,
            **{part.name: getattr(dimension, part.name) for part in fields(Dimension)},
        )
    if ranked.score is not None and order is not None:
        _save(out / TIES, score=ranked.score, tie=_ties(ranked.score, order=order))
    if costs is not None:
        costs_of, default = costs
        cost = np.full(len(ranked.documents) + 1, float(default))  # the last is past the end
        number = ranked.find(list(costs_of))
        cost[number[number >= 0]] = np.array(list(costs_of.values()), float)[number >= 0]
        _save(out / COSTS, cost=cost[ranked.number], usual=np.array(default))


def _save(out: Path, **arrays: Any) -> None:
    with atomic(out) as draft, draft.open("wb") as file:
        np.savez(file, **arrays)


def _ties(score: Floats, *, order: str) -> NDArray[np.int32]:
    """[row, rank]: the group of scores tied as 32- or 64-bit floats; order `rank` has no ties."""
    rounded = score.astype(np.float32) if order in ("score", "score32") else score
    equal = rounded[:, 1:] == rounded[:, :-1]
    tie = np.zeros(rounded.shape, np.int32)
    np.cumsum(~equal | (order == "rank"), axis=1, out=tie[:, 1:])
    return tie


def _refuse_unmatched(
    name: str, ranked: Rankings, judged: Judgements, dimension: Dimension
) -> None:
    """Refuse labels that match no retrieved document: all scores would silently be 0."""
    if not len(judged.label) or not len(ranked.documents) or (dimension.codes > UNJUDGED).any():
        return
    example = ranked.topics[0]
    if not len(dimension.judged_level):
        if np.isnan(judged.gain).all():  # all are "cannot judge", which is reported elsewhere
            return
        label = judged.topic[0]
        what = f"none of its topics (such as '{label}') is evaluated (such as '{example}')"
        fix = "correct the topic ids in its label files"
    elif not ranked.length.any():
        what = f"no run retrieves documents for an evaluated topic (such as '{example}')"
        fix = "correct the topic ids in the run files or in the label files"
    else:
        count, document = len(dimension.judged_level), dimension.judged_document[0]
        what = (
            f"none of its {count} labels (such as that of document '{document}') is of a document "
            f"that a run retrieves for that topic (such as '{ranked.documents[0]}')"
        )
        fix = "correct the topic and document ids in its label files"
    raise InputError(Problem(f"dimension '{name}'", what, fix))
