"""A user's mistake: the one exception they may meet, and how a job says it."""

import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


class InputError(Exception):
    """Something the user gave is wrong; the message names file, line, value and the fix."""


@contextmanager
def reported(log: Sequence[str]) -> Iterator[None]:
    """Run a script's body. A user's mistake ends the job with its sentence, never a traceback.

    What went wrong also goes into the rule's log; an error of our own keeps its traceback.
    """
    path = Path(log[0]) if log else None
    if path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    try:
        yield
    except InputError as error:
        if path:
            path.write_text(f"{error}\n", encoding="utf-8")
        sys.exit(f"fathom: {error}")
    except Exception:
        if path:
            path.write_text(traceback.format_exc(), encoding="utf-8")
        raise
