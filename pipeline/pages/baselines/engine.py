"""PISA, and all that is known here about it: how it is called, and what it must be spared.

- It writes compressed copies of an index beside the index, under names that round the parameters:
  each search gets a folder of its own, with links to the index.
- It splits words at whatever is not an ASCII letter or digit, and a query at its colon.
- It asks all documents that hold a word of the query (`ranked_or`): the faster ways add up the
  words' scores in an order that differs from document to document, and so in the last digit.
- A word twice in a query counts once.
"""

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.errors import InputError, Problem

Found = tuple[int, float]  # a document's number and its score
Search = Callable[[Sequence[str], int], list[list[Found]]]  # queries, and how deep


def build(texts: Iterable[str], *, stemmer: str, out: Path) -> int:
    """Index texts, numbered in their order, into the empty folder `out`; how many there were."""
    engine = _engine()
    failed: list[BaseException] = []
    with _quiet():
        index = engine.PisaIndex(str(out), text_field="text", stemmer=stemmer, threads=1)
        index.index(_numbered(texts, failed))
    if failed:  # the engine reads in a thread of its own, where an error only ends the reading
        raise failed[0]
    return int(index.num_docs())


def _numbered(texts: Iterable[str], failed: list[BaseException]) -> Iterator[dict[str, str]]:
    try:
        for number, text in enumerate(texts):
            yield {"docno": str(number), "text": _plain(text)}
    except Exception as error:
        failed.append(error)


def _plain(text: str) -> str:
    """What the engine sees of a text in any locale, without the controls it stumbles over."""
    return re.sub(r"[^ -~]", " ", text)


@contextmanager
def searcher(
    index: Path, *, stemmer: str, stopwords: str, scorer: str, parameters: Mapping[str, float]
) -> Iterator[Search]:
    """Search one model over an index: a query's best documents, equal scores in no order."""
    import pandas as pd

    engine = _engine()
    with tempfile.TemporaryDirectory() as folder:
        for path in index.iterdir():
            (Path(folder) / path.name).symlink_to(path.resolve())
        given = engine.PisaIndex(folder, stemmer=stemmer, stops=stopwords, threads=1)

        def search(queries: Sequence[str], depth: int) -> list[list[Found]]:
            found: list[list[Found]] = [[] for _ in queries]
            if not queries:
                return found
            asked = [_plain(query).replace(":", " ") for query in queries]
            table = pd.DataFrame({"qid": [str(n) for n in range(len(asked))], "query": asked})
            with _quiet():
                model = getattr(given, scorer)
                answer = model(
                    num_results=depth, threads=1, query_algorithm="ranked_or", **parameters
                )(table)
            columns = (answer[name] for name in ("qid", "docno", "score"))
            for query, document, score in zip(*columns, strict=True):
                found[int(query)].append((int(document), float(score)))
            return found

        yield search


def _engine() -> Any:
    try:
        import pyterrier_pisa
    except ImportError as error:
        what = f"the search engine is not installed ({error})"
        fix = "install it with 'pip install pyterrier-pisa', or remove baselines from the config"
        raise InputError(Problem("baselines", what, fix)) from None
    return pyterrier_pisa


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the engine's own progress, which C++ writes past Python to both streams."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = [os.dup(1), os.dup(2)]
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        yield
    finally:
        for place, stream in enumerate(kept, start=1):
            os.dup2(stream, place)
            os.close(stream)
        os.close(nowhere)
