"""The lines of a run, a figure each: in C where it was compiled (`_lines.c`), else in Python.

Both write the same; printing would otherwise cost as much as a third of the measures do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np

from pipeline.storage.arrays import Floats
from pipeline.storage.c_sources import refuse_stale

WHOLE, DECIMAL, TEXT = "w", "d", "t"  # the kinds of a column
FORMS = {WHOLE: "%.0f", DECIMAL: "%6.4f", TEXT: "%s"}


@cache
def extension() -> ModuleType | None:
    """The extension module, None where it was not built; refused if built from other sources."""
    try:
        made = import_module("pipeline.api.trec_eval._lines")
    except ImportError:
        return None
    refuse_stale("printing", built_from=made.SOURCES_DIGEST, folder=Path(__file__).parent)
    return made


@dataclass(frozen=True)
class Column:
    """One figure of each topic."""

    name: str
    kind: str


def head(name: str) -> str:
    """A line up to its topic."""
    return f"{name:<22}\t"


def lines(
    topics: Sequence[str], columns: Sequence[Column], values: Floats, texts: Sequence[str] = ()
) -> str:
    """A line for each topic and column: `values` [topic, column]; `texts` of columns of text."""
    module = extension()
    if module is not None:
        return str(
            module.lines(
                [topic.encode() for topic in topics],
                [head(column.name).encode() for column in columns],
                "".join(column.kind for column in columns).encode(),
                np.ascontiguousarray(values),
                [text.encode() for text in texts],
            )
        )
    return plainly(topics, columns, values, texts)


def plainly(
    topics: Sequence[str], columns: Sequence[Column], values: Floats, texts: Sequence[str] = ()
) -> str:
    """As `lines`, in Python."""
    text = iter(texts)
    return "".join(
        f"{head(column.name)}{topic}\t"
        f"{next(text) if column.kind == TEXT else FORMS[column.kind] % value}\n"
        for topic, row in zip(topics, values.tolist(), strict=True)
        for column, value in zip(columns, row, strict=True)
    )
