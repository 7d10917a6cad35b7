"""The step: labels of an estimated dimension, from the pages' readability and a user model."""

from pathlib import Path

import numpy as np

from pipeline.labels.judgements import Judgements
from pipeline.labels.tables import table_of
from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.storage import arrow


def simulate(readability: Path, *, out: Path, index: str, model: str, threshold: float) -> None:
    """Write the labels of an estimated dimension: one row per document that has the index.

    The label is the index itself; binary and gain are both the model's probability, so that uRBP
    over the dimension is the paper's uRBP1 (step) or uRBP2 (arctan). The topic is null: a page
    reads the same whatever was asked. Documents without text are left out, so they count as
    unjudged. For an index where high means easy (Flesch ease) index and threshold change their
    sign, so that to a user model low is always easy.
    """
    table = arrow.read(readability, ["document", index])
    easy = INDICES[index].easy
    sign = 1.0 if easy == "low" else -1.0
    values = arrow.array(table[index], missing=np.nan)
    readable = ~np.isnan(values)
    documents = [d for d, kept in zip(table["document"].to_pylist(), readable, strict=True) if kept]
    values = values[readable]
    chance, limit = MODELS[model], sign * threshold
    gain = np.array([chance(sign * value, limit) for value in values.tolist()], np.float64)
    judged = Judgements(
        topic=[None] * len(documents),
        document=documents,
        label=values,
        binary=gain,
        gain=gain,
        scale=(float(min(values, default=0.0)), float(max(values, default=1.0)), easy),
    )
    arrow.write(out, table_of(judged))
