"""The interface to PISA, with the workarounds it needs.

- PISA writes compressed copies beside the index, under names with rounded parameters. So each
  search gets its own folder with links to the index.
- It splits text at every character but ASCII letters and digits, and queries at colons.
- `ranked_or` scores all documents with a query term. The faster algorithms add term scores in an
  order that varies by document, which changes the last digit.
- A repeated query term counts once.
"""

import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.config.topics import Baseline
from pipeline.errors import InputError, Problem
from pipeline.pages.baselines.model import MODELS

Hit = tuple[int, float]  # document number and score
Search = Callable[[Sequence[str], int], list[list[Hit]]]  # queries and depth


def build(texts: Iterable[str], *, stemmer: str, out: Path) -> int:
    """Index texts, numbered in order, into the empty folder `out`; return their number."""
    numbered = ({"docno": str(n), "text": _plain(text)} for n, text in enumerate(texts))
    with _quiet():
        index = _engine().PisaIndex(str(out), text_field="text", stemmer=stemmer, threads=1)
        index.index(numbered)  # reads in a thread, where an error only stops reading
    return int(index.num_docs())


def _plain(text: str) -> str:
    """Replace all but printable ASCII, so that indexing does not depend on the locale."""
    return re.sub(r"[^ -~]", " ", text)


@contextmanager
def searcher(index: Path, baseline: Baseline) -> Iterator[Search]:
    """Search an index by one model: the top documents of a query, ties in any order."""
    import pandas as pd

    engine, model = _engine(), MODELS[baseline.model]
    parameters = {name: getattr(baseline, name) for name in model.reads}
    with tempfile.TemporaryDirectory() as folder:
        for path in index.iterdir():
            (Path(folder) / path.name).symlink_to(path.resolve())
        stops = baseline.stopwords
        pisa = engine.PisaIndex(folder, stemmer=baseline.stemmer, stops=stops, threads=1)

        def search(queries: Sequence[str], depth: int) -> list[list[Hit]]:
            results: list[list[Hit]] = [[] for _ in queries]
            rows = [(str(n), _plain(query).replace(":", " ")) for n, query in enumerate(queries)]
            table = pd.DataFrame(rows, columns=["qid", "query"])
            options = {"num_results": depth, "threads": 1, "query_algorithm": "ranked_or"}
            with _quiet():
                hits = getattr(pisa, model.scorer)(**options, **parameters)(table)
            for query, document, score in hits[["qid", "docno", "score"]].itertuples(index=False):
                results[int(query)].append((int(document), float(score)))
            return results

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
    """Silence the engine's progress, which C++ writes to both streams directly."""
    sys.stdout.flush()
    sys.stderr.flush()
    streams = [os.dup(1), os.dup(2)]
    null = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(null, 1)
        os.dup2(null, 2)
        yield
    finally:
        for number, stream in enumerate(streams, start=1):
            os.dup2(stream, number)
            os.close(stream)
        os.close(null)
