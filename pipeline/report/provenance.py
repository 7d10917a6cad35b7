"""What a report says about itself: what it was made from, how, and with which tools."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.measures import Measure, parse
from pipeline.measures.measure import Single

GDEVAL = 4  # the highest grade that TREC's gdeval.pl has, whatever the labels are
TOOLS = (
    "fathom-evaluation", "snakemake", "numpy", "pyarrow", "scipy", "beautifulsoup4", "altair",
    "vl-convert-python",
)  # fmt: skip


class InputFile(NamedTuple):
    """One file of the campaign's own inputs."""

    path: str
    sha256: str
    bytes: int


class Definition(NamedTuple):
    """How a measure is defined, and who to cite for it."""

    formula: str = ""
    citation: str = ""
    highest: float | None = None  # the best grade of what ERR reads, where it is not gdeval's 4


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """How the results were made; the page leaves out what is missing here."""

    command: str = ""  # that rebuilds the report
    policies: Mapping[str, Any] = field(default_factory=dict)
    # How each dimension's labels are read, or its estimate; the first is topicality.
    dimensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    measures: Mapping[str, Definition] = field(default_factory=dict)
    inputs: Sequence[InputFile] = ()
    sources: Mapping[str, Any] = field(default_factory=dict)  # folders made or fetched, by name
    versions: Mapping[str, str] = field(default_factory=dict)  # by tool

    @property
    def checksum(self) -> str:
        """One checksum of all input files: the same only if each of them is."""
        lines = sorted(f"{file.sha256}  {file.path}\n" for file in self.inputs)
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def lacking(self) -> dict[str, Sequence[str]]:
        """By source, what it lacks: figures from a part of the runs are not the campaign's."""
        missing = {name: source.get("missing", ()) for name, source in self.sources.items()}
        # A text is not what is missing but the policy of that name.
        return {name: some for name, some in missing.items() if some and not isinstance(some, str)}


def gather(
    *,
    policies: Mapping[str, Any],
    dimensions: Mapping[str, Mapping[str, Any]],
    measures: Sequence[str],
    sources: Mapping[str, Any],
    command: str,
    originals: Sequence[Path],
) -> Provenance:
    """Collect it; `originals` are the campaign's own input files, shown with checksums."""
    parsed = {name: parse(name, dimensions=list(dimensions)) for name in measures}
    return Provenance(
        command=command,
        policies=policies,
        dimensions=dimensions,
        measures={
            name: Definition(one.formula, one.citation, _highest(one, dimensions))
            for name, one in parsed.items()
        },
        inputs=[InputFile(str(path), _digest(path), path.stat().st_size) for path in originals],
        sources=sources,
        versions={tool: version(tool) for tool in TOOLS},
    )


def _highest(measure: Measure, dimensions: Mapping[str, Mapping[str, Any]]) -> float | None:
    """The best grade by which ERR is divided, if gdeval's figures would differ."""
    for part in [measure] if isinstance(measure, Single) else measure.parts:
        for dimension, reading in part.wanted.items():
            scale = dimensions[dimension].get("scale")
            if part.declaration.name == "ERR" and reading == "stop" and scale:
                steps = float(max(scale) - min(scale))
                return None if steps == GDEVAL else steps
    return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
