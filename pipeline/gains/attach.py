"""Looking labels up: rankings of document numbers become arrays of gain levels, one a dimension."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.errors import InputError
from pipeline.gains.dimension import STORED, UNJUDGED, Dimension
from pipeline.gains.labelled import Labelled
from pipeline.labels.tables import by_each, scale_of, subtopics_of
from pipeline.runs.rankings import Rankings, read_scores
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage import arrow
from pipeline.storage.arrays import Floats
from pipeline.storage.arrow import array, nulls, strings
from pipeline.storage.atomic import atomic


def build(
    *,
    rankings: Path,
    labels: Path,
    topics: Sequence[str],
    out: Path,
    dimension: str | None = None,
) -> None:
    """Look up the labels of one dimension for every ranked document of the topics that count.

    Of a `dimension` that is named, labels that meet none of the rankings are refused.
    """
    ranked = read_rankings(rankings, topics=topics)
    table = arrow.read(labels)
    found = attach(ranked, table)
    if dimension is not None:
        _refuse_strangers(dimension, ranked, table, found)
    with atomic(out) as draft, draft.open("wb") as file:
        np.savez(
            file,
            runs=np.array(ranked.runs, dtype=str),
            topics=np.array(ranked.topics, dtype=str),
            length=ranked.length,
            **dataclasses.asdict(found),
        )


def _refuse_strangers(name: str, ranked: Rankings, table: pa.Table, found: Dimension) -> None:
    """Refuse labels that meet no retrieved document: every measure would be 0 without a word."""
    if not len(table) or not len(ranked.documents) or (found.codes > UNJUDGED).any():
        return
    if not len(found.judged_level):
        if np.isnan(array(table["gain"])).all():  # nobody could judge any: said elsewhere
            return
        raise InputError(
            f"dimension '{name}': none of its topics, as '{table['topic'][0]}', is one that "
            f"counts, as '{ranked.topics[0]}'; correct the topic ids of its labels"
        )
    if not ranked.length.any():
        raise InputError(
            f"dimension '{name}': no run answers a topic that counts, as '{ranked.topics[0]}'; "
            "correct the topic ids of the runs, or of the labels"
        )
    raise InputError(
        f"dimension '{name}': none of its {len(found.judged_level)} labels, as that of document "
        f"'{found.judged_document[0]}', is of a document that a run retrieves in its topic, as "
        f"'{ranked.documents[0]}'; correct the ids of its labels"
    )


def attach(ranked: Rankings, table: pa.Table) -> Dimension:
    """One dimension: the label table's levels at every rank, and all that was judged."""
    table = table.filter(pc.invert(pc.is_nan(table["gain"])))  # not able to judge = not judged
    each, chances = _by_subtopic(table, ranked.topics)
    labelled = Labelled.of(*(array(table[kind]) for kind in STORED), each=each)
    topic_number = pc.index_in(table["topic"], value_set=strings(ranked.topics))
    # Only judged documents are looked up: everything else in the rankings is level 1.
    known = pc.index_in(table["document"], value_set=ranked.documents)
    found = labelled.dimension(
        ranked.number,
        documents=len(ranked.documents),
        topics=len(ranked.topics),
        topic_of=array(topic_number, missing=-1),
        everywhere=nulls(table["topic"]),
        document_of=array(known, missing=-1),
        names=table["document"].to_pylist(),
        scale=scale_of(table),
    )
    return dataclasses.replace(found, subtopics=_levels(labelled.each), chances=chances)


def _by_subtopic(table: pa.Table, topics: Sequence[str]) -> tuple[Floats, Floats]:
    """[label, subtopic, stored reading] and the subtopics' chances; none in a plain table.

    Topics have as many subtopics as the one with most: what a topic has not has chance 0.
    """
    known = subtopics_of(table)
    most = max((len(given) for given in known.values()), default=0)
    lowest, highest, sign = scale_of(table)
    each = np.zeros((len(table), most, 3))
    each[:, :, STORED.index("label")] = lowest if sign > 0 else highest
    chances = np.zeros((len(topics), most))
    if not most:
        return each, chances
    for place, kind in enumerate(STORED):
        size, values = by_each(table, kind)
        each[np.arange(most) < size[:, None], place] = values
    for row, topic in enumerate(topics):
        given = [np.nan if one is None else one for one in known.get(topic, {}).values()]
        chances[row, : len(given)] = given
    return each, chances


def _levels(each: Floats) -> Floats:
    """Those of the levels that documents have, behind nothing at all and not judged."""
    ends = np.stack([np.zeros(each.shape[1:]), np.full(each.shape[1:], np.nan)])
    return np.concatenate([ends, each])


def build_scores(*, rankings: Path, topics: Sequence[str], order: str, out: Path) -> None:
    """The systems' own scores at each rank, and which neighbours they left tied.

    Scores tie as the order policy compares them: as 32-bit floats, as 64-bit floats, or never when
    the file's ranks decide.
    """
    score = read_scores(rankings, topics=topics)
    compared = score.astype(np.float32) if order in ("score", "score32") else score
    same = compared[:, 1:] == compared[:, :-1]
    if order == "rank":
        same = np.zeros_like(same)
    tie = np.zeros(compared.shape, np.int32)
    np.cumsum(~same, axis=1, out=tie[:, 1:])
    with atomic(out) as draft, draft.open("wb") as file:
        np.savez(file, score=score, tie=tie)
