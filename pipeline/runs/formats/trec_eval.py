"""TREC's format as widely as trec_eval takes it: neither the rank nor a seventh field is read."""

from pathlib import Path

from pipeline.errors import InputError
from pipeline.runs.format import run_format
from pipeline.runs.trec import RUN_LINE
from pipeline.storage.text import read_bytes


@run_format(
    "trec_eval",
    title=f"lines of `{RUN_LINE}`, with any rank and perhaps more fields, as trec_eval reads them",
    order=2,
)
def trec_eval(path: Path) -> bytes:
    """The lines with six fields each, the rank being 0; their numbers stay."""
    lines = []
    content = read_bytes(path, what="run", line=RUN_LINE, comments=True)
    for number, line in enumerate(content.split(b"\n"), start=1):
        fields = line.split()
        if 0 < len(fields) < 6:
            raise InputError(
                f"{path}, line {number}: {len(fields)} fields where a run line has 6 "
                f"('{RUN_LINE}'); correct the line"
            )
        if fields:
            fields[3:] = [b"0", *fields[4:6]]
        lines.append(b" ".join(fields))
    return b"\n".join(lines)
