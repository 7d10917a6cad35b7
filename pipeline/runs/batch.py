"""A batch of run files read and ranked together, as plain arrays."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError
from pipeline.runs.format import FORMATS
from pipeline.runs.reading import Reader
from pipeline.runs.trec import Run, RunReader, run_name
from pipeline.storage.progress import told as slowly
from pipeline.storage.text import LONGEST, refuse_long


@dataclass(frozen=True)
class Batch:
    """Ranked runs; equal ids have one number in all of them."""

    runs: list[Run]
    topics: list[str]
    documents: tuple[NDArray[np.int64], bytes]  # where each id starts, and the ids
    reader: Reader


def read(
    files: Sequence[Path],
    *,
    order: str,
    depth: int,
    duplicates: str,
    bad_scores: str,
    form: str = "trec",
    told: Sequence[str] = (),
    ranks: bool = False,
) -> Batch:
    """Read and rank run files in the format `form`, in their order; the files' `ranks` if asked.

    All that is wrong with them is told at once, behind what has been `told` already.
    """
    if form not in FORMATS:
        raise InputError(FORMATS.unknown(form))
    lines = FORMATS[form]
    reader = RunReader(
        order=order, depth=depth, duplicates=duplicates, bad_scores=bad_scores, ranks=ranks
    )
    runs: list[Run] = []
    wrong = [*told]
    for path in slowly(files, total=len(files), what="reading runs"):
        try:
            runs.append(reader.read(path) if lines.as_is else reader.ranked(path, lines(path)))
        except InputError as error:
            wrong.append(str(error))
    if wrong:  # a person who mends 70 submissions wants one round, not 70
        raise InputError("\n".join(wrong))
    topics, documents = reader.topics(), reader.documents()
    if max([np.diff(documents[0]).max(initial=0), *map(len, topics)]) > LONGEST:
        _refuse_long(files, lines)
    return Batch(runs, topics, documents, reader.reader)


def twins(files: Sequence[Path]) -> list[str]:
    """What is wrong with runs of one name: their rankings would be mixed."""
    named: dict[str, Path] = {}
    told = []
    for path in files:
        first = named.setdefault(run_name(path), path)
        if first is not path:
            told.append(
                f"{first} and {path} both give the run name '{run_name(path)}'; "
                "rename one of them or take it out of runs.files"
            )
    return told


def _refuse_long(files: Sequence[Path], lines: Callable[[Path], bytes]) -> None:
    """Name the file and line of an id that is too long to be one."""
    for path in files:
        for number, line in enumerate(lines(path).split(b"\n"), start=1):
            if len(line) > LONGEST and not line.lstrip().startswith(b"#"):
                refuse_long(path, number, line.split()[:3:2])
