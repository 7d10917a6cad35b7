"""Collecting a report's provenance: checksums, definitions of measures, versions of tools."""

import hashlib
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pipeline.measures import Measure, parse
from pipeline.measures.measure import Single
from pipeline.report.provenance import Definition, InputFile, Provenance

GDEVAL = 4  # the highest grade that TREC's gdeval.pl has, whatever the labels are
TOOLS = (
    "fathom-evaluation",
    "snakemake",
    "numpy",
    "pyarrow",
    "scipy",
    "beautifulsoup4",
    "altair",
    "vl-convert-python",
)


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
    return Provenance(
        command=command,
        policies=policies,
        dimensions=dimensions,
        measures={
            name: Definition(measure.formula, measure.citation, _highest(measure, dimensions))
            for name in measures
            for measure in [parse(name, dimensions=list(dimensions))]
        },
        inputs=[InputFile(str(path), digest(path), path.stat().st_size) for path in originals],
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


def digest(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
