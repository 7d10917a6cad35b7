"""Runs as widely as trec_eval takes them: neither the rank nor a seventh field is read."""

from pathlib import Path

from pipeline.errors import InputError
from pipeline.runs.trec import RUN_LINE
from pipeline.storage.text import read_bytes


def needed(error: InputError) -> bool:
    """Whether our reader refused what trec_eval would not look at."""
    told = str(error)
    return " fields where a run line" in told or ": the rank '" in told


def written(path: Path, out: Path) -> None:
    """Write a run's lines with six fields each, the rank being 0; their numbers stay."""
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
    out.write_bytes(b"\n".join(lines))
