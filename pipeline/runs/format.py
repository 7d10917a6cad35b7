"""A format of run files: one declared function, in a module of `formats`, to lines in TREC's form.

A format says how a file is taken apart, never how runs are ordered or what is wrong with them.
"""

from dataclasses import dataclass
from pathlib import Path

from pipeline.registry import Catalogue, Declared

RUN_LINE = "topic Q0 document rank score tag"


@dataclass(frozen=True, kw_only=True)
class Format(Declared[[Path], bytes]):
    """A format: called with a file it returns lines of `topic Q0 document rank score tag`.

    Each keeps its line number, for messages about it: blank lines stand for what is left out.
    """

    as_is: bool = False  # whether files are in TREC's form already, so that they are read in pieces


run_format = Format.declare
FORMATS = Catalogue("run format", "pipeline.runs.formats", of=Format)
