"""Export of pools to assessors, as qrels and for Relevation!, and import of its judgements.

Relevation! (Koopman & Zuccon, SIGIR 2014) reads queries as `number<TAB>text` and the pool as a TREC
run, and shows documents in the order of that file. It exports judgements as lines of query,
assessor, document and label, where -1 means "not judged yet". Its query ids are whole numbers, so
topics with other ids are numbered, and `topics.tsv` maps the numbers to topics.
"""

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.errors import InputError, Problem
from pipeline.labels.qrels import read_qrels
from pipeline.pooling.declaration import generator
from pipeline.storage.atomic import write_text
from pipeline.storage.text import natural

UNJUDGED = -1
LONGEST = 250  # characters of a query or document id in Relevation!'s database


def shuffled(pool: Mapping[str, Sequence[str]], *, seed: int) -> dict[str, list[str]]:
    """The documents of each topic in random order, so that ranks cannot bias assessors."""
    shuffled_pool = {}
    for topic in sorted(pool, key=natural):
        documents = sorted(pool[topic])
        order = generator(seed, topic).permutation(len(documents))
        shuffled_pool[topic] = [documents[place] for place in order]
    return shuffled_pool


def qrels_lines(pool: Mapping[str, Sequence[str]]) -> list[str]:
    """A pool as qrels lines, with every document unjudged."""
    return [f"{topic} 0 {d} {UNJUDGED}" for topic, documents in pool.items() for d in documents]


def export(
    pool: Mapping[str, Sequence[str]],
    *,
    texts: Mapping[str, str],
    seed: int,
    out: Mapping[str, Path],
) -> None:
    """Write the files for assessors: `judge` (qrels), and `pool`, `queries`, `topics`."""
    order = shuffled(pool, seed=seed)
    for document in (d for documents in order.values() for d in documents if len(d) > LONGEST):
        what = f"the document id '{document[:40]}...' has {len(document)} characters"
        fix = "shorten the ids"
        raise InputError(Problem("pool", f"{what}; Relevation! stores at most {LONGEST}", fix))
    numbers = numbered(list(order))
    lines = [
        f"{numbers[topic]} Q0 {document} {place} {len(documents) - place + 1} pool"
        for topic, documents in order.items()
        for place, document in enumerate(documents, start=1)
    ]
    _lines(out["judge"], qrels_lines(order))
    _lines(out["pool"], lines)
    _lines(out["queries"], [f"{n}\t{(texts.get(t) or t)[:LONGEST]}" for t, n in numbers.items()])
    _lines(out["topics"], ["number\ttopic", *(f"{n}\t{t}" for t, n in numbers.items())])


def numbered(topics: Sequence[str]) -> dict[str, int]:
    """A whole number for each topic: its id if all ids are whole numbers, else 1, 2, 3, ..."""
    whole = all(re.fullmatch("0|[1-9][0-9]*", topic) for topic in topics)
    return {topic: int(topic) if whole else place for place, topic in enumerate(topics, start=1)}


def collect(
    judgements: Path, *, topics: Path | None, out: Path, cannot_judge: Sequence[int] = ()
) -> dict[str, Path]:
    """Convert Relevation!'s judgements into one label file per assessor, named after the assessor.

    Unjudged documents are left out. The codes `cannot_judge` (for example -2, "junk") are kept, to
    be named in the dimension's `cannot_judge`. Any other negative label is an error.
    """

    def problem(what: str, fix: str, line: int | None = None) -> InputError:
        return InputError(Problem(judgements, what, fix, line=line))

    names = _names(topics) if topics else {}
    files: dict[str, list[str]] = {}
    qrels = read_qrels(judgements)
    columns = (qrels.second, qrels.topic, qrels.document, qrels.label.tolist(), qrels.line)
    for assessor, topic, document, label, line in zip(*columns, strict=True):
        if label == UNJUDGED:
            continue
        if label < 0 and label not in cannot_judge:
            fix = f"correct it, or pass --cannot-judge {label:g} if it means 'cannot judge'"
            raise problem(f"the label {label:g} is negative", fix, line)
        if names and topic not in names:
            fix = "pass the topics.tsv of this pool with --topics"
            raise problem(f"{topics} has no query number '{topic}'", fix, line)
        files.setdefault(assessor, []).append(f"{names.get(topic, topic)} 0 {document} {label:g}")
    if not files:
        raise problem(f"no document is judged (every label is {UNJUDGED})", "judge some documents")
    paths = {}
    for assessor, lines in sorted(files.items()):
        safe = re.sub(r"[^\w.-]", "_", assessor).lstrip(".")
        paths[assessor] = out / f"{safe or 'assessor'}.qrels"
        _lines(paths[assessor], lines)
    return paths


def _names(path: Path) -> dict[str, str]:
    """The topic of each query number, from the `topics.tsv` that `export` wrote."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[1:-1]]
    return {row[0]: row[1] for row in rows}


def _lines(path: Path, lines: Sequence[str]) -> None:
    write_text(path, "".join(f"{line}\n" for line in lines))


def main() -> None:
    """`python -m pipeline.pooling.relevation qrels.txt --topics .../topics.tsv --out labels/`."""
    parser = argparse.ArgumentParser(description=collect.__doc__)
    parser.add_argument("judgements", type=Path, help="qrels exported by Relevation!")
    parser.add_argument("--topics", type=Path, help="the pool's relevation/topics.tsv")
    parser.add_argument("--out", type=Path, required=True, help="folder for the label files")
    codes = "labels that mean 'cannot judge', for example -2"
    parser.add_argument("--cannot-judge", type=int, nargs="*", default=[], help=codes)
    try:
        files = collect(**vars(parser.parse_args()))
    except InputError as error:
        sys.exit(f"fathom: {error}")
    for assessor, path in files.items():
        print(f"{assessor}: {path}")


if __name__ == "__main__":
    main()
