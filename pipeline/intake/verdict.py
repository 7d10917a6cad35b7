"""The last word of `make check`: what was found, and an exit code that says how bad it is."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pipeline.intake.problem import ODD, WRONG
from pipeline.storage import sheets


def verdict(folders: Sequence[Path], *, strict: bool = False) -> tuple[list[str], int]:
    """A line for each campaign, and the exit code: 1 if anything is wrong, if `strict` or odd."""
    told, code = [], 0
    for folder in folders:
        count = Counter(row["severity"] for row in sheets.read(folder / "problems.csv"))
        told.append(f"{count[WRONG]} wrong, {count[ODD]} odd: see {folder / 'index.html'}")
        code = max(code, int(bool(count[WRONG] or (strict and count[ODD]))))
    return told, code
