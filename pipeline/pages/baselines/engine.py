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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pipeline.config.topics import Baseline
from pipeline.errors import InputError, Problem
from pipeline.pages.baselines.model import MODELS

Found = tuple[int, float]  # a document's number and its score
Search = Callable[[Sequence[str], int], list[list[Found]]]  # queries, and how deep


def build(texts: Iterable[str], *, stemmer: str, out: Path) -> int:
    """Index texts, numbered in their order, into the empty folder `out`; how many there were."""
    numbered = ({"docno": str(n), "text": _plain(text)} for n, text in enumerate(texts))
    engine = _engine()
    with _quiet():
        index = engine.PisaIndex(str(out), text_field="text", stemmer=stemmer, threads=1)
        index.index(numbered)  # in a thread of its own, where an error only ends the reading
    return int(index.num_docs())


def _plain(text: str) -> str:
    """What the engine sees of a text in any locale, without the controls it stumbles over."""
    return re.sub(r"[^ -~]", " ", text)


@contextmanager
def searcher(index: Path, given: Baseline) -> Iterator[Search]:
    """Search one model over an index: a query's best documents, equal scores in no order."""
    import pandas as pd

    engine, model = _engine(), MODELS[given.model]
    parameters = {name: getattr(given, name) for name in model.reads}
    with tempfile.TemporaryDirectory() as folder:
        for path in index.iterdir():
            (Path(folder) / path.name).symlink_to(path.resolve())
        whole = engine.PisaIndex(folder, stemmer=given.stemmer, stops=given.stopwords, threads=1)

        def search(queries: Sequence[str], depth: int) -> list[list[Found]]:
            found: list[list[Found]] = [[] for _ in queries]
            asked = [(str(n), _plain(query).replace(":", " ")) for n, query in enumerate(queries)]
            table = pd.DataFrame(asked, columns=["qid", "query"])
            how = {"num_results": depth, "threads": 1, "query_algorithm": "ranked_or"}
            with _quiet():
                answer = getattr(whole, model.scorer)(**how, **parameters)(table)
            for query, document, score in answer[["qid", "docno", "score"]].itertuples(index=False):
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
