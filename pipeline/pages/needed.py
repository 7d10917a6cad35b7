"""The list of the documents whose pages a campaign needs: their ids, one a line."""

from collections.abc import Iterable
from pathlib import Path

from pipeline.storage.atomic import atomic


def write(out: Path, documents: Iterable[str]) -> None:
    """Write the ids, sorted."""
    with atomic(out) as draft:
        lines = "".join(f"{document}\n" for document in sorted(documents))
        draft.write_text(lines, encoding="utf-8", newline="\n")


def read(path: Path) -> set[str]:
    """The ids in such a file."""
    return set(path.read_text(encoding="utf-8").splitlines())
