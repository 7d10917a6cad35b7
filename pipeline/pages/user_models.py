"""Simulated understandability: from a readability index to the chance that a user understands.

The two user models of Zuccon, "Understandability Biased Evaluation for Information Retrieval"
(ECIR 2016). Both take a threshold, the hardest text a user is comfortable with (10, 15 and 20 for
FOG in the paper); for an index where high means easy (Flesch ease) both sides change their sign.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from math import atan, isfinite, isnan, pi
from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.labels.tables import write as write_labels
from pipeline.storage import arrow

# Index -> which end of it is easy to read; a column of readability.parquet each.
EASY: Mapping[str, str] = {
    "fog": "low",
    "smog": "low",
    "flesch_kincaid": "low",
    "flesch_ease": "high",
    "coleman_liau": "low",
    "ari": "low",
    "dale_chall": "low",
}


def step(index: float, threshold: float) -> float:
    """P1: understood up to the threshold, not at all beyond."""
    return 1.0 if index <= threshold else 0.0


def arctan(index: float, threshold: float) -> float:
    """P2, equation 7: 1/2 at the threshold, falling smoothly on both sides of it."""
    return 0.5 - atan(index - threshold) / pi


def arctan_ubire(index: float, threshold: float) -> float:
    """P2 as ubire computes it: it forgets to divide by pi, and so leaves [0, 1]; cut to it here."""
    return min(1.0, max(0.0, 0.5 - atan(index - threshold)))


MODELS: Mapping[str, Callable[[float, float], float]] = {
    "step": step,
    "arctan": arctan,
    "arctan_ubire": arctan_ubire,
}


def simulate(readability: Path, *, out: Path, index: str, model: str, threshold: float) -> None:
    """Write the labels of an estimated dimension: one row a document that has the index.

    The label is the index itself; binary and gain are both the model's probability, so that uRBP
    over the dimension is the paper's uRBP1 (step) or uRBP2 (arctan). The topic is null: a page
    reads the same whatever was asked. Documents without text are left out, so they count as
    unjudged.
    """
    import pyarrow as pa

    _known("readability index", index, EASY)
    _known("user model", model, MODELS)
    if not isfinite(threshold):
        raise InputError(f"The threshold of {index} is {threshold}: give a finite number.")
    try:
        table = arrow.read(readability, ["document", index])
        table = table.select(["document", index])  # reading leaves out what is not there
    except (OSError, KeyError, pa.ArrowInvalid) as error:
        raise InputError(
            f"{readability}: not a readability file with the column {index}; run readability again."
        ) from error
    sign = 1.0 if EASY[index] == "low" else -1.0
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
        scale=(min(values, default=0.0), max(values, default=1.0), EASY[index]),
    )


def _known(what: str, name: str, names: Mapping[str, object]) -> None:
    if name not in names:
        nearest = get_close_matches(name, names, n=1, cutoff=0.0)[0]
        raise InputError(f"There is no {what} {name!r}: did you mean {nearest!r}?")
