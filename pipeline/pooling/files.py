"""The pool as a file: topic, document, runs that hold it, best rank, chance to be drawn."""

from collections.abc import Iterable
from pathlib import Path

from pipeline.storage.atomic import atomic

COLUMNS = ("topic", "document", "runs", "best_rank", "probability")


def write(out: Path, rows: Iterable[tuple[str, str, int, int, float]]) -> None:
    """Write the rows of a pool."""
    with atomic(out) as draft, draft.open("w", newline="\n", encoding="utf-8") as file:
        file.write("\t".join(COLUMNS) + "\n")  # plain: ids hold no white space, but may hold quotes
        file.writelines(f"{t}\t{d}\t{n}\t{best}\t{c:.6g}\n" for t, d, n, best, c in rows)


def read(path: Path) -> dict[str, list[str]]:
    """The pool's documents by topic, as `pool` wrote them."""
    found: dict[str, list[str]] = {}
    with path.open(newline="\n", encoding="utf-8") as file:
        for line in file.read().split("\n")[1:-1]:
            topic, document, *_ = line.split("\t")
            found.setdefault(topic, []).append(document)
    return found
