"""Formats of run files: declared functions, in modules of `formats`, to lines in TREC's form.

A format only converts the file. Ranking and checking runs are the same for all formats.
"""

from dataclasses import dataclass
from pathlib import Path

from pipeline.registry import Catalogue, Declared

RUN_LINE = "topic Q0 document rank score tag"


@dataclass(frozen=True, kw_only=True)
class Format(Declared[[Path], bytes]):
    """A format: called with a file, it returns lines of `topic Q0 document rank score tag`.

    Each line keeps its number, for messages: blank lines take the place of lines left out.
    """

    as_is: bool = False  # files are in TREC's form already, so they can be read in pieces


run_format = Format.declare
FORMATS = Catalogue("run format", "pipeline.runs.formats", of=Format)
