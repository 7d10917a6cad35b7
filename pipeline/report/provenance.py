"""What a report says about itself: what it was made from, how, and with which tools."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class InputFile:
    """One file of the campaign's own inputs."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True)
class Definition:
    """How a measure is defined, and who to cite for it."""

    formula: str = ""
    citation: str = ""
    highest: float | None = None  # the best grade of what ERR reads, where it is not gdeval's 4


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """How the results were made; the page leaves out what is not given here."""

    command: str = ""  # that makes the report again
    policies: Mapping[str, Any] = field(default_factory=dict)
    # How each dimension's labels are read, or its estimate; the first is topicality.
    dimensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    measures: Mapping[str, Definition] = field(default_factory=dict)
    inputs: Sequence[InputFile] = ()
    sources: Mapping[str, Any] = field(default_factory=dict)  # folders made or fetched, by name
    versions: Mapping[str, str] = field(default_factory=dict)  # by tool
    judged: int | None = None  # documents
    remarks: Sequence[str] = ()  # sentences to add to the summary

    @property
    def checksum(self) -> str:
        """One checksum of all input files: the same only if each of them is."""
        lines = sorted(f"{file.sha256}  {file.path}\n" for file in self.inputs)
        return hashlib.sha256("".join(lines).encode()).hexdigest()
