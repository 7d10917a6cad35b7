"""Looking labels up: rankings of document numbers become arrays of gain levels, one a dimension."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.errors import InputError
from pipeline.gains.dimension import NOTHING, STORED, UNJUDGED, Dimension
from pipeline.labels.tables import scale_of
from pipeline.runs.rankings import Rankings
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage import arrow
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
    values = np.column_stack([array(table[kind]) for kind in STORED]).reshape(-1, 3)
    worths, level = np.unique(values, axis=0, return_inverse=True)
    level = level.ravel() + 2
    small = len(worths) + 2 <= 256
    dtype = np.uint8 if small else np.int32

    topic_number = pc.index_in(table["topic"], value_set=strings(ranked.topics))
    topic_of = array(topic_number, missing=-1)
    everywhere = nulls(table["topic"])
    # Only judged documents are looked up: everything else in the rankings is level 1.
    known = pc.index_in(table["document"], value_set=ranked.documents)
    document_of = array(known, missing=-1)

    codes = np.zeros(ranked.number.shape, dtype)
    found = np.full(len(ranked.documents) + 1, UNJUDGED, dtype)  # the last one is document -1
    found[-1] = NOTHING
    found[document_of[everywhere]] = level[everywhere]
    found[-1] = NOTHING
    stride = len(ranked.topics)
    order = np.argsort(topic_of, kind="stable")
    bounds = np.searchsorted(topic_of[order], np.arange(stride + 1))
    for t in range(stride):
        mine = order[bounds[t] : bounds[t + 1]]
        mine = mine[document_of[mine] >= 0]
        before = found[document_of[mine]]
        found[document_of[mine]] = level[mine]
        codes[t::stride] = found[ranked.number[t::stride]]
        found[document_of[mine]] = before

    keep = (topic_of >= 0) | everywhere
    return Dimension(
        codes=codes,
        worth=np.vstack([[0.0, 0.0, 0.0], [np.nan] * 3, worths]),
        scale=np.array(scale_of(table)),
        judged_topic=np.where(everywhere, -1, topic_of)[keep].astype(np.int64),
        judged_document=np.array(table["document"].to_pylist(), dtype=str)[keep],
        judged_level=level[keep],
    )


def build_scores(*, rankings: Path, topics: Sequence[str], order: str, out: Path) -> None:
    """The systems' own scores at each rank, and which neighbours they left tied.

    Scores tie as the order policy compares them: as 32-bit floats, as 64-bit floats, or never when
    the file's ranks decide.
    """
    ranked = read_rankings(rankings, topics=topics, scores=True)
    assert ranked.score is not None
    compared = ranked.score.astype(np.float32) if order in ("score", "score32") else ranked.score
    same = compared[:, 1:] == compared[:, :-1]
    if order == "rank":
        same = np.zeros_like(same)
    tie = np.zeros(compared.shape, np.int32)
    np.cumsum(~same, axis=1, out=tie[:, 1:])
    with atomic(out) as draft, draft.open("wb") as file:
        np.savez(file, score=ranked.score, tie=tie)
