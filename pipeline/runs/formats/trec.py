"""TREC's format, which the compiled reader reads directly."""

from pathlib import Path

from pipeline.runs.format import RUN_LINE, run_format
from pipeline.storage.text import read_bytes


@run_format("trec", title=f"lines of `{RUN_LINE}`", order=1, as_is=True)
def trec(path: Path) -> bytes:
    """The lines of the file."""
    return read_bytes(path, what="run", line=RUN_LINE)
