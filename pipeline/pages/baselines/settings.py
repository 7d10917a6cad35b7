"""Which baseline systems are made: the model, its parameters, and how words are compared."""

from dataclasses import dataclass

from pipeline.runs.trec import BASELINE


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """A baseline: the model, what only some models read, and what goes in and comes out."""

    model: str
    stemmer: str = "porter2"
    stopwords: str = "terrier"
    k1: float = 0.9  # BM25
    b: float = 0.4  # BM25
    mu: float = 1000.0  # QLD
    c: float = 1.0  # PL2
    depth: int = 1000  # documents kept per topic
    fields: tuple[str, ...] = ()  # parts of a topic that make the query; its own query if none


def run_of(name: str) -> str:
    """The name of the run that a baseline of the config makes.

    >>> run_of("bm25")
    'baseline:bm25'
    """
    return BASELINE + name
