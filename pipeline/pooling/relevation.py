"""To the assessors and back: pools in qrels form and for Relevation!, and its judgements read.

Relevation! (Koopman & Zuccon, SIGIR 2014) takes its queries as `number<TAB>text` and its pool as a
TREC run, shows documents in the order of that file, and gives judgements back as lines of query,
assessor, document and label. Its query ids are whole numbers, so topics with other ids are counted
up and `topics.tsv` keeps which is which; -1 is its word for "not judged yet".
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.errors import InputError, Problem
from pipeline.labels.qrels import read_qrels
from pipeline.pooling.declaration import generator
from pipeline.storage.atomic import atomic
from pipeline.storage.text import natural

UNJUDGED = -1
LONGEST = 250  # characters of a query or document id, by Relevation!'s data base


def shuffled(pool: Mapping[str, Sequence[str]], *, seed: int) -> dict[str, list[str]]:
    """The documents of each topic as an assessor sees them, topics in natural order.

    Shuffled, because the order would tell an assessor what the systems thought of a document.
    """
    found = {}
    for topic in sorted(pool, key=natural):
        documents = sorted(pool[topic])
        order = generator(seed, topic).permutation(len(documents))
        found[topic] = [documents[place] for place in order]
    return found


def qrels_lines(pool: Mapping[str, Sequence[str]]) -> list[str]:
    """A pool in qrels form, nothing judged yet."""
    return [f"{topic} 0 {d} {UNJUDGED}" for topic, documents in pool.items() for d in documents]


def export(
    pool: Mapping[str, Sequence[str]],
    *,
    texts: Mapping[str, str],
    seed: int,
    out: Mapping[str, Path],
) -> None:
    """Write the documents of each topic for the assessors: files judge, pool, queries, topics."""
    found = shuffled(pool, seed=seed)
    for document in (d for documents in found.values() for d in documents if len(d) > LONGEST):
        what = f"the document id '{document[:40]}...' has {len(document)} characters"
        raise InputError(Problem("pool", f"{what}, but Relevation! holds {LONGEST}", "shorten it"))
    numbers = numbered(list(found))
    lines = [
        f"{numbers[topic]} Q0 {document} {place} {len(documents) - place + 1} pool"
        for topic, documents in found.items()
        for place, document in enumerate(documents, start=1)
    ]
    _lines(out["judge"], qrels_lines(found))
    _lines(out["pool"], lines)
    _lines(out["queries"], [f"{n}\t{(texts.get(t) or t)[:LONGEST]}" for t, n in numbers.items()])
    _lines(out["topics"], ["number\ttopic", *(f"{n}\t{t}" for t, n in numbers.items())])


def numbered(topics: Sequence[str]) -> dict[str, int]:
    """A whole number for each topic: its own id where all ids are such, else 1, 2, 3, ..."""
    own = all(re.fullmatch("0|[1-9][0-9]*", topic) for topic in topics)
    return {topic: int(topic) if own else place for place, topic in enumerate(topics, start=1)}


def collect(
    judgements: Path, *, topics: Path | None, out: Path, cannot_judge: Sequence[int] = ()
) -> dict[str, Path]:
    """Turn Relevation!'s judgements into one label file per assessor, named after them.

    Unjudged documents are left out. The codes `cannot_judge` (its -2 is "junk") are kept as they
    are, for the dimension's own `cannot_judge`; any other negative label is an error.
    """
    names = _names(topics) if topics else {}
    files: dict[str, list[str]] = {}
    qrels = read_qrels(judgements)
    columns = (qrels.second, qrels.topic, qrels.document, qrels.label.tolist(), qrels.line)
    for assessor, topic, document, label, line in zip(*columns, strict=True):
        if label == UNJUDGED:
            continue
        if label < 0 and label not in cannot_judge:
            what = f"the label {label:g} is not on a scale"
            fix = "name it as a code for 'cannot judge' (--cannot-judge), or correct it"
            raise InputError(Problem(judgements, what, fix, line=line))
        if names and topic not in names:
            what = f"{topics} has no query number '{topic}'"
            fix = "give the topics.tsv of its pool"
            raise InputError(Problem(judgements, what, fix, line=line))
        files.setdefault(assessor, []).append(f"{names.get(topic, topic)} 0 {document} {label:g}")
    if not files:
        what = f"nothing is judged yet; every label is {UNJUDGED}"
        raise InputError(Problem(judgements, what, "judge some documents first"))
    written = {}
    for assessor, judged in sorted(files.items()):
        safe = re.sub(r"[^\w.-]", "_", assessor).lstrip(".")
        written[assessor] = out / f"{safe or 'assessor'}.qrels"
        _lines(written[assessor], judged)
    return written


def _names(path: Path) -> dict[str, str]:
    """What `export` wrote: number -> topic."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:-1]]
    return {row[0]: row[1] for row in rows}


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
