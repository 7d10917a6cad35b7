"""What a report says about itself: what it was made from, how, and with which tools."""

import hashlib
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pipeline.measures import parse

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
    command: str,
    originals: Sequence[Path],
) -> dict[str, Any]:
    """Collect the facts; `originals` are the campaign's own input files, shown with checksums."""
    return {
        "policies": dict(policies),
        "dimensions": {name: dict(given) for name, given in dimensions.items()},
        "measures": {
            name: {"formula": measure.formula, "citation": measure.citation}
            for name in measures
            for measure in [parse(name, dimensions=list(dimensions))]
        },
        "inputs": [
            {"path": str(path), "sha256": digest(path), "bytes": path.stat().st_size}
            for path in originals
        ],
        "versions": {tool: version(tool) for tool in TOOLS},
        "command": command,
    }


def digest(path: Path) -> str:
    """The sha256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
