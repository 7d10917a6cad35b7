"""Some of the runs, by an expression that is searched in their names."""

from collections.abc import Sequence

from pipeline.errors import InputError
from pipeline.storage.expressions import search


def chosen(runs: Sequence[str], *, pattern: str | None, where: str) -> list[int]:
    """The places of the runs whose name the expression finds; all without one, never none."""
    mine = [i for i, run in enumerate(runs) if pattern is None or search(pattern, run, key=where)]
    if not mine:
        raise InputError(
            f"{where}: '{pattern}' finds none of the {len(runs)} runs, as '{runs[0]}'; "
            "correct the expression"
        )
    return mine
