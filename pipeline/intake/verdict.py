"""The last word of `make check`: what was found, and an exit code that says how bad it is.

`python -m pipeline.intake.verdict results/<campaign>/check ...` ends with 1 if anything is wrong,
and with `--strict` also if anything is odd.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from pipeline.intake.problem import ODD, WRONG
from pipeline.storage import sheets


def verdict(folders: Sequence[Path], *, strict: bool = False) -> tuple[list[str], int]:
    """A line for each campaign, and the exit code."""
    told, code = [], 0
    for folder in folders:
        count = Counter(row["severity"] for row in sheets.read(folder / "problems.csv"))
        told.append(f"{count[WRONG]} wrong, {count[ODD]} odd: see {folder / 'index.html'}")
        code = max(code, int(bool(count[WRONG] or (strict and count[ODD]))))
    return told, code


if __name__ == "__main__":
    given = [argument for argument in sys.argv[1:] if argument != "--strict"]
    lines, ended = verdict([Path(folder) for folder in given], strict="--strict" in sys.argv)
    print("\n".join(lines))
    sys.exit(ended)
