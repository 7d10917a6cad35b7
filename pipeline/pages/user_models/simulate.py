"""The labels of an estimated dimension, by readability and a user model."""

from pathlib import Path

import numpy as np

from pipeline.labels.judgements import Judgements
from pipeline.labels.tables import table_of
from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.storage import arrow


def simulate(readability: Path, *, out: Path, index: str, model: str, threshold: float) -> None:
    """Write the labels of an estimated dimension: one row per document that has the index.

    The label is the index; binary and gain are the model's probability, so uRBP over the dimension
    is uRBP1 (step) or uRBP2 (arctan) of the paper. The topic is null, because readability does not
    depend on it. Documents without text have no row and count as unjudged. If high values of the
    index are easy (Flesch reading ease), index and threshold are negated.
    """
    table = arrow.read(readability, ["document", index])
    easy = INDICES[index].easy
    sign = 1.0 if easy == "low" else -1.0
    values = arrow.array(table[index], missing=np.nan)
    readable = ~np.isnan(values)
    documents = [d for d, keep in zip(table["document"].to_pylist(), readable, strict=True) if keep]
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
