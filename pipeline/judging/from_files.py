"""Agreement without a workflow: label files in, the table of agreement out."""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from pipeline.config.dimensions import Labels
from pipeline.config.judging import Agreement
from pipeline.errors import InputError, Problem
from pipeline.judging.agreement import agree
from pipeline.labels.tables import tabulate
from pipeline.storage import sheets


def agree_files(sets: Mapping[str, Labels], *, settings: Agreement) -> list[dict[str, str]]:
    """How far judgement sets agree, a row for each two of them and topic, as the campaign's."""
    if len(sets) < 2:
        what = "agreement is between judgement sets"
        raise InputError(Problem("sets", what, "give at least two"))
    with tempfile.TemporaryDirectory() as folder:
        tables = {}
        for place, (name, given) in enumerate(sets.items()):
            tables[name] = Path(folder) / f"{place}.parquet"
            tabulate([Path(path) for path in given.files], out=tables[name], scale=given.scale,
                  key=given.key, conflict=given.conflict)  # fmt: skip
        out = Path(folder) / "agreement.csv"
        agree(tables, out=out, settings=settings)
        return sheets.read(out)
