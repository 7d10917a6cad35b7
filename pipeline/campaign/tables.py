"""Every table of the docs that is made from declarations, so that the two cannot part.

`make tables` brings them up to date (`python -m pipeline.campaign.tables` with the pages' paths).
A further table is a function, a line in `TABLES` and a pair of markers in a page.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from pipeline.campaign.key_table import key_table
from pipeline.campaign.schema import schema
from pipeline.measures.cwl.table import model_table
from pipeline.measures.table import measure_table
from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from pipeline.runs.format import FORMATS
from pipeline.statistics.correlation.step import STATISTICS
from pipeline.storage.atomic import atomic
from pipeline.storage.markdown import placed, table


def _keys() -> str:
    return key_table(schema())


def _indices() -> str:
    rows = (
        (f"`{one.name}`", one.title, f"`{one.formula}`", one.easy, one.citation)
        for one in INDICES.values()
    )
    return table(("index", "what", "formula", "easy end", "source"), rows)


def _user_models() -> str:
    rows = (
        (f"`{one.name}`", one.title, f"`{one.formula}`", one.citation) for one in MODELS.values()
    )
    return table(("model", "what", "chance to understand", "source"), rows)


def _statistics() -> str:
    rows = (
        (f"`{one.name}`", one.title, one.meaning, ", ".join(one.settings), one.citation)
        for one in STATISTICS.values()
    )
    return table(("statistic", "what", "meaning", "reads", "source"), rows)


def _run_formats() -> str:
    rows = ((f"`{one.name}`", one.title) for one in FORMATS.values())
    return table(("format", "what"), rows)


TABLES: Mapping[str, Callable[[], str]] = {
    "cwl-models": model_table,
    "indices": _indices,
    "keys": _keys,
    "measures": measure_table,
    "run-formats": _run_formats,
    "statistics": _statistics,
    "user-models": _user_models,
}


if __name__ == "__main__":
    for page in map(Path, sys.argv[1:]):
        new = placed(page.read_text(encoding="utf-8"), TABLES)
        with atomic(page) as draft:
            draft.write_text(new, encoding="utf-8", newline="\n")
