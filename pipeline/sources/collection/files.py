"""The generated collection as a file of CLEF's form, one record a document."""

from collections.abc import Sequence
from pathlib import Path
from random import Random

from pipeline.errors import InputError
from pipeline.sources.collection.text import prose
from pipeline.sources.paths import expand
from pipeline.storage.atomic import atomic_folder
from pipeline.storage.text import number, read_text

FOG = (14.0, 4.0)  # mean and standard deviation, as health pages on the web have about
LINE = "topic 0 document label"


def write(
    folder: Path,
    *,
    pages_for: Sequence[str],
    least_label: float | None,
    fog: Sequence[float],
    seed: int,
) -> None:
    """Write pages.dat: a page for every document of the label files, or of those labelled so well.

    The page of a document depends on its id and the seed alone.
    """
    files = expand(pages_for, sources=folder.parent)
    documents = _documents(files, least=least_label)
    records = (_record(document, fog=fog, seed=seed) for document in documents)
    with atomic_folder(folder) as draft:
        (draft / "pages.dat").write_text("".join(records), encoding="utf-8", newline="\n")


def _documents(files: Sequence[Path], *, least: float | None) -> list[str]:
    found: dict[str, None] = {}
    for path in files:
        text = read_text(path, what="label", line=LINE)
        for line, row in enumerate(text.splitlines(), start=1):
            fields = row.split()
            if not fields:
                continue
            if len(fields) != 4 or number(fields[3]) != number(fields[3]):
                raise InputError(f"{path}, line {line}: not a label; write {LINE}")
            if least is None or number(fields[3]) >= least:
                found[fields[2]] = None
    if not found:
        raise InputError(
            f"{files[0]}: no document has a label of {least:g} or more; lower least_label"
        )
    return sorted(found)


def _record(document: str, *, fog: Sequence[float], seed: int) -> str:
    random = Random(f"{seed}/{document}")
    text = prose(random.gauss(*fog), random=random)
    page = (
        '<!doctype html>\n<html><head><meta name="generator" content="Fathom">'
        "<title>Generated page</title></head>\n"
        f"<body><article><p>{text}</p></article></body></html>"
    )
    return f"#UID:{document}\n#DATE:201209-06\n#URL:generated\n#CONTENT:\n{page}\n#EOR\n\n"
