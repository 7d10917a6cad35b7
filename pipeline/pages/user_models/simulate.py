"""The step: labels of an estimated dimension, from the pages' readability and a user model."""

from math import isfinite, isnan
from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.labels.tables import write as write_labels
from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.storage import arrow


def simulate(readability: Path, *, out: Path, index: str, model: str, threshold: float) -> None:
    """Write the labels of an estimated dimension: one row a document that has the index.

    The label is the index itself; binary and gain are both the model's probability, so that uRBP
    over the dimension is the paper's uRBP1 (step) or uRBP2 (arctan). The topic is null: a page
    reads the same whatever was asked. Documents without text are left out, so they count as
    unjudged. For an index where high means easy (Flesch ease) index and threshold change their
    sign, so that to a user model low is always easy.
    """
    import pyarrow as pa

    if index not in INDICES:
        raise InputError(INDICES.unknown(index))
    if model not in MODELS:
        raise InputError(MODELS.unknown(model))
    if not isfinite(threshold):
        raise InputError(f"The threshold of {index} is {threshold}: give a finite number.")
    try:
        table = arrow.read(readability, ["document", index])
        table = table.select(["document", index])  # reading leaves out what is not there
    except (OSError, KeyError, pa.ArrowInvalid) as error:
        raise InputError(
            f"{readability}: not a readability file with the column {index}; run readability again."
        ) from error
    easy = INDICES[index].easy
    sign = 1.0 if easy == "low" else -1.0
    chance = MODELS[model]
    limit = sign * threshold
    labels = [
        (document, value, chance(sign * value, limit))
        for document, value in zip(*table.to_pydict().values(), strict=True)
        if value is not None and not isnan(value)
    ]
    documents, values, chances = zip(*labels, strict=True) if labels else ((), (), ())
    gain = np.array(chances, np.float64)
    write_labels(
        out,
        topic=[None] * len(labels),
        document=documents,
        label=np.array(values, np.float64),
        binary=gain,
        gain=gain,
        scale=(min(values, default=0.0), max(values, default=1.0), easy),
    )
