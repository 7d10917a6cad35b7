"""The reader of TREC runs there is: the compiled one, else the plain one, which says so once."""

import sys
from functools import cache

from pipeline.runs import compiled
from pipeline.runs.reading import Reader


def run_reader() -> Reader:
    """A reader that has read nothing yet."""
    if compiled.extension() is not None:
        return compiled.CompiledReader()
    from pipeline.runs.plain import PlainReader

    _say_slow()
    return PlainReader()


@cache
def _say_slow() -> None:
    print(
        "fathom: the compiled run reader is not built, so runs are read about 30 times more "
        "slowly; install a C compiler and run `make setup`",
        file=sys.stderr,
    )
