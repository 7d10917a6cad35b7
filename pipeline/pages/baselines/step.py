"""The baselines step: index the text of the pages and retrieve a run for each baseline."""

import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.config.topics import Baseline, Topics
from pipeline.errors import InputError, Problem
from pipeline.labels.topics import read as read_topics
from pipeline.labels.topics import read_counted
from pipeline.pages.baselines import engine
from pipeline.pages.step import read_text
from pipeline.runs import rankings
from pipeline.runs.teams import baseline_run

DEPTH = 1000  # documents per topic by default
Hits = list[tuple[str, float]]  # documents and scores, best first


@dataclass(frozen=True)
class SearchIndex:
    """An index of the pages' text, and the document ids by number."""

    folder: Path
    documents: Sequence[str]

    @classmethod
    @contextmanager
    def build(cls, shards: Sequence[Path], *, stemmer: str) -> Iterator["SearchIndex"]:
        """Build a temporary index of the shards' text.

        The engine identifies documents by number, so ids are unrestricted. A document without text
        keeps its number but is never retrieved.
        """
        if not any(re.search("[A-Za-z0-9]", text) for _, text in _pages(shards)):
            what, fix = "no page has text to index", "check pages.files, or remove baselines"
            raise InputError(Problem("baselines", what, fix))
        documents = [document for document, _ in _pages(shards)]
        with tempfile.TemporaryDirectory(prefix="fathom-index-") as folder:
            texts = (text for _, text in _pages(shards))
            indexed = engine.build(texts, stemmer=stemmer, out=Path(folder))
            if indexed != len(documents):
                raise RuntimeError(f"the engine indexed {indexed} of {len(documents)} documents")
            yield cls(Path(folder), documents)

    def search(self, queries: Sequence[str], *, baseline: Baseline) -> list[Hits]:
        """Rank documents for each query; ties by document id, descending."""
        names = self.documents
        hits: list[Hits] = [[] for _ in queries]
        pending = list(range(len(queries)))
        limit = baseline.depth or DEPTH
        depth = limit + 1  # one more, to detect a tie at the cutoff
        with engine.searcher(self.folder, baseline) as search:
            while pending:
                depth = min(depth, len(names))
                answers = search([queries[q] for q in pending], depth)
                truncated = []
                for q, answer in zip(pending, answers, strict=True):
                    pairs = sorted(((score, names[n]) for n, score in answer), reverse=True)
                    best = [(name, score) for score, name in pairs]
                    # Documents past the cutoff may tie with the last one: search deeper.
                    if len(best) == depth < len(names) and best[limit - 1][1] == best[-1][1]:
                        truncated.append(q)
                    hits[q] = best[:limit]
                pending, depth = truncated, depth * 2
        return hits


def _pages(shards: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield each document with its text; of several pages of a document, the first counts."""
    documents: set[str] = set()
    for document, text in chain.from_iterable(map(read_text, shards)):
        if document not in documents:
            documents.add(document)
            yield document, text


def queries_of(
    baseline: Baseline, *, name: str, counted: Path, file: Path, topics: Topics
) -> dict[str, str]:
    """The query of each topic: its text, or the fields of the topic that the baseline names."""
    queries = {topic.id: topic.text for topic in read_counted(counted)}
    if not baseline.fields:
        return queries
    try:
        parts = read_topics(file, parts=baseline.fields, rename=topics.id)
    except InputError as error:
        where = f"baselines.{name}.fields"
        raise InputError(*(Problem(where, str(problem)) for problem in error.problems)) from None
    return {topic: parts.get(topic, "") for topic in queries}


def retrieve(
    shards: Sequence[Path],
    *,
    queries: Mapping[str, Mapping[str, str]],
    systems: Mapping[str, Baseline],
    out: Path,
    facts: Path,
) -> None:
    """Search the shards' text for the `queries` of each baseline, by name and topic; write runs."""
    names = sorted(systems)
    topics = list(dict.fromkeys(topic for name in names for topic in queries[name]))
    if not any(text for name in names for text in queries[name].values()):
        fix = "correct topics.file or topics.id"
        raise InputError(Problem("baselines", "no topic has a query text", fix))
    results: dict[str, dict[str, Hits]] = {}  # by baseline and topic
    for stemmer in sorted({system.stemmer for system in systems.values()}):
        with SearchIndex.build(shards, stemmer=stemmer) as index:
            for name in [name for name in names if systems[name].stemmer == stemmer]:
                texts = {topic: text for topic, text in queries[name].items() if text}
                hits = index.search([*texts.values()], baseline=systems[name])
                results[name] = dict(zip(texts, hits, strict=True))
    number: dict[str, int] = {}  # by document, over all baselines
    table: dict[tuple[int, int], rankings.Ranking] = {}
    run_facts: list[dict[str, Any]] = []
    column = {topic: place for place, topic in enumerate(topics)}
    for row, name in enumerate(names):
        if not any(results[name].values()):
            what = "retrieves no document for any topic"
            fix = "check that topics and pages are in the same language; check the stopwords"
            raise InputError(Problem(f"baselines.{name}", what, fix))
        tied = 0
        retrieved = [topic for topic in topics if results[name].get(topic)]
        for topic in retrieved:
            documents, scores = zip(*results[name][topic], strict=True)
            numbers = [number.setdefault(document, len(number)) for document in documents]
            table[row, column[topic]] = np.array(numbers, np.int32), np.array(scores)
            tied += sum(count for count in Counter(scores).values() if count > 1)
        file = f"({systems[name].model} over the pages, by PISA)"
        lines = sum(map(len, results[name].values()))
        run_facts.append(
            rankings.facts_of_system(
                baseline_run(name), file, tag="baseline", topics=retrieved, lines=lines, tied=tied
            )
        )
    runs = [baseline_run(name) for name in names]
    rankings.write(rankings.tabulate(table, runs=runs, topics=topics, documents=[*number]), out)
    rankings.write_facts(run_facts, facts)
