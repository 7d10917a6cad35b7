"""What a made source lacks, kept with it: partial availability is normal, silence is not."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

MISSING = ".missing.txt"  # hidden, so that no pattern of a campaign takes it for data


def keep(lacking: Sequence[str], folder: Path) -> None:
    """Write down what a source lacks, one path a line."""
    (folder / MISSING).write_text("".join(f"{one}\n" for one in lacking), encoding="utf-8")


def missing_of(folder: Path) -> list[str]:
    """What a made source lacks, as `runs/*.dat (68 of 110)`; nothing if it is whole."""
    file = folder / MISSING
    return file.read_text(encoding="utf-8").splitlines() if file.is_file() else []


def told(described: Mapping[str, Mapping[str, Any]], *, sources: Path) -> dict[str, Any]:
    """What the report says of each source, with what it lacks."""
    lacking = {name: missing_of(sources / name) for name in described}
    return {
        name: {**given, "missing": lacking[name]} if lacking[name] else given
        for name, given in described.items()
    }
