"""Synthetic systems as a source."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.sources.generator import generator
from pipeline.sources.synthetic.plan import problems

_NUMBER: dict[str, Any] = {"type": ["number", "null"], "default": None}
_DRAW: dict[str, Any] = {
    "chance": {
        **_NUMBER,
        "description": "Label 1 with this chance, else 0.",
        "minimum": 0,
        "maximum": 1,
    },
    "mean": {
        **_NUMBER,
        "description": "Normal labels around this mean, cut to their scale and rounded.",
    },
    "sd": {
        **_NUMBER,
        "description": "Standard deviation of normal labels; needed with `mean`.",
        "minimum": 0,
    },
    "scale": {
        "description": "Lowest and highest of normal labels; `[0, 100]` when null.",
        "type": ["array", "null"],
        "items": {"type": "number"},
        "minItems": 2,
        "maxItems": 2,
        "default": None,
    },
    "better": {
        "description": "Which end of the labels is the good one, to which correlations refer; "
        "`high` when null.",
        "enum": ["high", "low", None],
        "default": None,
    },
    "levels": {
        "description": "The chance of each label, as `{0: 0.5, 1: 0.3, 2: 0.2}`; they sum to 1.",
        "type": ["object", "null"],
        "x-name": "label",
        "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1},
        "default": None,
    },
}
_DRAWN = {"type": "object", "additionalProperties": False, "properties": _DRAW}
_NAME = {
    "pattern": r"^[A-Za-z0-9][A-Za-z0-9._-]*$(?!\n)",
    "x-must": "start with a letter or digit and hold only letters, digits, '.', '_' and '-', "
    "because it names a file",
}
KEYS: Mapping[str, Any] = {
    "draws": {
        "description": "Of `synthetic`: each dimension by name, and how its labels are drawn, by "
        "`chance`, by `mean` and `sd`, or by `levels`.",
        "type": ["object", "null"],
        "minProperties": 1,
        "x-name": "dimension",
        "propertyNames": _NAME,
        "additionalProperties": _DRAWN,
        "default": None,
    },
    "systems": {
        "description": "Of `synthetic`: each system by name, and what it draws otherwise, as "
        "`{better: {topicality: {chance: 0.6}}, worse: {}}`.",
        "type": ["object", "null"],
        "minProperties": 1,
        "x-name": "system",
        "propertyNames": _NAME,
        "additionalProperties": {
            "type": "object",
            "x-name": "dimension",
            "additionalProperties": _DRAWN,
        },
        "default": None,
    },
    "lists": {
        "description": "Of `synthetic`: topics, a list of each system for each; 50 when null.",
        "type": ["integer", "null"],
        "minimum": 1,
        "default": None,
    },
    "length": {
        "description": "Of `synthetic`: documents of a list; 10 when null.",
        "type": ["integer", "null"],
        "minimum": 1,
        "default": None,
    },
    "correlation": {
        "description": "Of `synthetic`: how the dimensions of a document correlate (Gaussian "
        "copula), one number for every two of them, or a matrix as a list of rows; 0 when null.",
        "type": ["number", "array", "null"],
        "minimum": -1,
        "maximum": 1,
        "items": {"type": "array", "items": {"type": "number"}},
        "default": None,
    },
}


@generator(
    "synthetic",
    title="systems whose labels are drawn, in any number of correlated dimensions",
    keys=KEYS,
    problems=problems,
    needed={
        "draws": "name each dimension and how its labels are drawn",
        "systems": "name each system, as {mine: {}}",
    },
    order=2,
)
def synthetic(folder: Path, *, seed: int, **settings: Any) -> None:
    """Write runs/, labels/ and topics.tsv."""
    from pipeline.sources.synthetic.files import write  # numpy, which a config check need not load

    write(folder, settings, seed=seed)
