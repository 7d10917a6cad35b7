"""The step: all that measures see, written once for them all; `files` reads it back.

One file per dimension, and beside them `_ties.npz` (the systems' scores and which of them tie) and,
where the campaign has costs of documents, `_costs.npz`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError, Problem
from pipeline.gains.build import Levels, of_rankings
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
    """Write the gains of every dimension for the topics that count into the folder `out`.

    With the `order` policy the ties of scores are written, with `costs` (of documents, and the
    usual one) what each ranked document costs. Labels of which none matches a retrieved document
    are refused, but for those of the dimensions named `unmatched`.
    """
    out.mkdir(parents=True, exist_ok=True)
    ranked = read_rankings(rankings, topics=topics, scores=order is not None)
    for name, path in labels.items():
        judged = tables.read(path)
        levels = Levels(judged, ranked.topics)
        found = levels.dimension(of_rankings(ranked, levels))
        if name not in unmatched:
            _refuse_unmatched(name, ranked, judged, found)
        _save(
            out / f"{name}.npz",
            runs=np.array(ranked.runs, dtype=str),
            topics=np.array(ranked.topics, dtype=str),
            length=ranked.length,
            **{part.name: getattr(found, part.name) for part in fields(Dimension)},
        )
    if ranked.score is not None and order is not None:
        _save(out / TIES, score=ranked.score, tie=_ties(ranked.score, order=order))
    if costs is not None:
        known, usual = costs
        each = np.full(len(ranked.documents) + 1, float(usual))  # the last one is behind the end
        place = ranked.find(list(known))
        each[place[place >= 0]] = np.array(list(known.values()), float)[place >= 0]
        _save(out / COSTS, cost=each[ranked.number], usual=np.array(usual))


def _save(out: Path, **arrays: Any) -> None:
    with atomic(out) as draft, draft.open("wb") as file:
        np.savez(file, **arrays)


def _ties(score: Floats, *, order: str) -> NDArray[np.int32]:
    """Groups of equal scores by rank, as the order policy compares them.

    As 32-bit floats, as 64-bit floats, or never when the file's ranks decide.
    """
    compared = score.astype(np.float32) if order in ("score", "score32") else score
    same = compared[:, 1:] == compared[:, :-1]
    tie = np.zeros(compared.shape, np.int32)
    np.cumsum(~same | (order == "rank"), axis=1, out=tie[:, 1:])
    return tie


def _refuse_unmatched(name: str, ranked: Rankings, judged: Judgements, found: Dimension) -> None:
    """Refuse labels that match no retrieved document: every measure would be 0 without a word."""
    if not len(judged.label) or not len(ranked.documents) or (found.codes > UNJUDGED).any():
        return
    example = ranked.topics[0]
    if not len(found.judged_level):
        if np.isnan(judged.gain).all():  # nobody could judge any: reported elsewhere
            return
        what = f"none of its topics, as '{judged.topic[0]}', is one that counts, as '{example}'"
        fix = "correct the topic ids of its labels"
    elif not ranked.length.any():
        what = f"no run answers a topic that counts, as '{example}'"
        fix = "correct the topic ids of the runs, or of the labels"
    else:
        what = (
            f"none of its {len(found.judged_level)} labels, as that of document "
            f"'{found.judged_document[0]}', is of a document that a run retrieves in its topic, "
            f"as '{ranked.documents[0]}'"
        )
        fix = "correct the ids of its labels"
    raise InputError(Problem(f"dimension '{name}'", what, fix))
