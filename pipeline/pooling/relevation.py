"""To the assessors and back: pools in qrels form and for Relevation!, and its judgements read.

Relevation! (Koopman & Zuccon, SIGIR 2014) takes its queries as `number<TAB>text` and its pool as a
TREC run, shows documents in the order of that file, and gives judgements back as lines of query,
assessor, document and label. Its query ids are whole numbers, so topics with other ids are counted
up and `topics.tsv` keeps which is which; -1 is its word for "not judged yet".
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import InputError
from pipeline.labels.qrels import QRELS_LINE, read_qrels
from pipeline.pooling.files import read as read_pool
from pipeline.pooling.sampling import generator
from pipeline.storage.atomic import atomic
from pipeline.storage.text import natural, read_bytes

UNJUDGED = -1
LONGEST = 250  # characters of a query or document id, by Relevation!'s data base


@dataclass(frozen=True, kw_only=True)
class Files:
    """Where the forms of a pool go."""

    qrels: Path
    pool: Path
    queries: Path
    topics: Path


def export(pool: Path, *, texts: Mapping[str, str], seed: int, out: Files) -> None:
    """Write a pool for the assessors, each topic's documents shuffled under the seed.

    Shuffled, because the order would tell an assessor what the systems thought of a document.
    """
    found = read_pool(pool)
    if not found:
        raise InputError(f"{pool}: the pool holds no document; correct the pool in the config")
    topics = sorted(found, key=natural)
    numbers = numbered(topics)
    shuffled = {topic: shuffled_documents(found[topic], topic=topic, seed=seed) for topic in topics}
    for topic in topics:
        for document in shuffled[topic]:
            if len(document) > LONGEST:
                raise InputError(
                    f"{pool}: the document id '{document[:40]}...' has {len(document)} characters, "
                    f"but Relevation! holds {LONGEST}; shorten it"
                )
    _lines(out.qrels, [f"{t} 0 {d} {UNJUDGED}" for t in topics for d in shuffled[t]])
    _lines(
        out.pool,
        [
            f"{numbers[topic]} Q0 {document} {place} {len(shuffled[topic]) - place + 1} pool"
            for topic in topics
            for place, document in enumerate(shuffled[topic], start=1)
        ],
    )
    _lines(out.queries, [f"{numbers[t]}\t{(texts.get(t) or t)[:LONGEST]}" for t in topics])
    _lines(out.topics, ["number\ttopic", *(f"{numbers[t]}\t{t}" for t in topics)])


def numbered(topics: Sequence[str]) -> dict[str, int]:
    """A whole number for each topic: its own id where all ids are such, else 1, 2, 3, ..."""
    own = all(
        topic.isascii() and topic.isdecimal() and topic == str(int(topic)) for topic in topics
    )
    return {topic: int(topic) if own else place for place, topic in enumerate(topics, start=1)}


def collect(
    judgements: Path, *, topics: Path | None, out: Path, cannot_judge: Sequence[int] = ()
) -> dict[str, Path]:
    """Turn Relevation!'s judgements into one label file an assessor, named after them.

    What is not judged yet is left out; the codes `cannot_judge` (its -2 is "junk") are kept as they
    are, for the dimension's own `cannot_judge`, and any other negative label is refused.
    """
    names = _names(topics) if topics else {}
    files: dict[str, list[str]] = {}
    for assessor, topic, document, label, line in _judgements(judgements):
        where = f"{judgements}, line {line}"
        if label == UNJUDGED:
            continue
        if label < 0 and label not in cannot_judge:
            raise InputError(
                f"{where}: the label {label:g} is none of a scale; name it as a code for "
                "'cannot judge' (--cannot-judge), or correct it"
            )
        if names and topic not in names:
            raise InputError(f"{where}: {topics} knows no query number '{topic}'; use its own file")
        files.setdefault(assessor, []).append(f"{names.get(topic, topic)} 0 {document} {label:g}")
    if not files:
        raise InputError(f"{judgements}: nothing is judged yet; every label is {UNJUDGED}")
    written = {}
    for assessor, lines in sorted(files.items()):
        written[assessor] = out / f"{_safe(assessor)}.qrels"
        _lines(written[assessor], lines)
    return written


def _judgements(path: Path) -> list[tuple[str, str, str, float, int]]:
    """Assessor, topic, document, label, line: a qrels file whose second column is the assessor."""
    qrels = read_qrels(path)
    lines = read_bytes(path, what="qrels", line=QRELS_LINE).split(b"\n")
    assessors = [line.split()[1].decode() for line in lines if line.split()]
    return list(
        zip(assessors, qrels.topic, qrels.document, qrels.label.tolist(), qrels.line, strict=True)
    )


def _names(path: Path) -> dict[str, str]:
    """What `export` wrote: number -> topic."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:-1]]
    return {row[0]: row[1] for row in rows}


def shuffled_documents(documents: Sequence[str], *, topic: str, seed: int) -> list[str]:
    """A topic's documents as an assessor sees them, under the seed."""
    found = sorted(documents)
    return [found[i] for i in generator(seed, topic).permutation(len(found))]


def _safe(name: str) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "_" for c in name).lstrip(".") or "assessor"


def _lines(path: Path, lines: Sequence[str]) -> None:
    with atomic(path) as draft, draft.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)


def main() -> None:
    """`python -m pipeline.pooling.relevation qrels.txt --topics .../topics.tsv --out labels/`."""
    parser = argparse.ArgumentParser(description=collect.__doc__)
    parser.add_argument("judgements", type=Path, help="what Relevation! gave back")
    parser.add_argument("--topics", type=Path, help="the pool's relevation/topics.tsv")
    parser.add_argument("--out", type=Path, required=True, help="folder for the label files")
    parser.add_argument("--cannot-judge", type=int, nargs="*", default=[], help="codes, as -2")
    given = parser.parse_args()
    try:
        files = collect(
            given.judgements, topics=given.topics, out=given.out, cannot_judge=given.cannot_judge
        )
    except InputError as error:
        sys.exit(f"fathom: {error}")
    for assessor, path in files.items():
        print(f"{assessor}: {path}")


if __name__ == "__main__":
    main()
