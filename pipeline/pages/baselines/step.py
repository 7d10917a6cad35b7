"""The step: the pages' text indexed, and every baseline searched as one more batch of rankings."""

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

DEPTH = 1000  # documents per topic, where a baseline does not say
Ranking = list[tuple[str, float]]  # documents and scores, best first


@dataclass(frozen=True)
class Index:
    """The engine's index of the pages' text, and the documents by the engine's numbers."""

    folder: Path
    documents: Sequence[str]

    @classmethod
    @contextmanager
    def built(cls, shards: Sequence[Path], *, stemmer: str) -> Iterator["Index"]:
        """An index of the shards' text, removed at the end.

        The engine knows documents by number, so that any id will do. One without text keeps its
        place and is never found.
        """
        if not any(re.search("[A-Za-z0-9]", text) for _, text in _pages(shards)):
            what, fix = "no page has text to index", "check pages.files, or remove baselines"
            raise InputError(Problem("baselines", what, fix))
        documents = [document for document, _ in _pages(shards)]
        with tempfile.TemporaryDirectory(prefix="fathom-index-") as folder:
            texts = (text for _, text in _pages(shards))
            held = engine.build(texts, stemmer=stemmer, out=Path(folder))
            if held != len(documents):
                raise RuntimeError(f"the engine indexed {held} of {len(documents)} documents")
            yield cls(Path(folder), documents)

    def search(self, queries: Sequence[str], *, given: Baseline) -> list[Ranking]:
        """The ranking of each query; ties by document id, descending."""
        names = self.documents
        lists: list[Ranking] = [[] for _ in queries]
        waiting = list(range(len(queries)))
        kept = given.depth or DEPTH
        depth = kept + 1  # one more, to see a tie across the end of the ranking
        with engine.searcher(self.folder, given) as search:
            while waiting:
                depth = min(depth, len(names))
                answers = search([queries[q] for q in waiting], depth)
                cut = []
                for q, found in zip(waiting, answers, strict=True):
                    pairs = sorted(((score, names[n]) for n, score in found), reverse=True)
                    best = [(name, score) for score, name in pairs]
                    # Documents beyond the end may tie with the last one kept: then ask for more.
                    if len(best) == depth < len(names) and best[kept - 1][1] == best[-1][1]:
                        cut.append(q)
                    lists[q] = best[:kept]
                waiting, depth = cut, depth * 2
        return lists


def _pages(shards: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Each document with its text; as everywhere, of several pages of one the first counts."""
    seen: set[str] = set()
    for document, text in chain.from_iterable(map(read_text, shards)):
        if document not in seen:
            seen.add(document)
            yield document, text


def queries_of(
    given: Baseline, *, name: str, counted: Path, file: Path, topics: Topics
) -> dict[str, str]:
    """What a baseline searches for by topic: its query, or the parts that the baseline names."""
    usual = {topic.id: topic.text for topic in read_counted(counted)}
    if not given.fields:
        return usual
    try:
        parts = read_topics(file, parts=given.fields, rename=topics.id)
    except InputError as error:
        where = f"baselines.{name}.fields"
        raise InputError(*(Problem(where, str(problem)) for problem in error.problems)) from None
    return {topic: parts.get(topic, "") for topic in usual}


def retrieve(
    shards: Sequence[Path],
    *,
    queries: Mapping[str, Mapping[str, str]],
    systems: Mapping[str, Baseline],
    out: Path,
    facts: Path,
) -> None:
    """Search the text of the shards for the `queries` of each baseline, by its name and topic."""
    names = sorted(systems)
    topics = list(dict.fromkeys(topic for name in names for topic in queries[name]))
    if not any(text for name in names for text in queries[name].values()):
        fix = "correct topics.file or topics.id"
        raise InputError(Problem("baselines", "no topic has a query", fix))
    found: dict[str, dict[str, Ranking]] = {}  # by name and topic
    for stemmer in sorted({system.stemmer for system in systems.values()}):
        with Index.built(shards, stemmer=stemmer) as index:
            for name in [name for name in names if systems[name].stemmer == stemmer]:
                asked = {topic: text for topic, text in queries[name].items() if text}
                lists = index.search([*asked.values()], given=systems[name])
                found[name] = dict(zip(asked, lists, strict=True))
    known: dict[str, int] = {}  # documents by number, over all systems
    table: dict[tuple[int, int], rankings.Ranking] = {}
    known_facts: list[dict[str, Any]] = []
    where = {topic: number for number, topic in enumerate(topics)}
    for place, name in enumerate(names):
        if not any(found[name].values()):
            what = "finds nothing for any topic"
            fix = "check that topics and pages are in one language, and the stopwords"
            raise InputError(Problem(f"baselines.{name}", what, fix))
        tied = 0
        answered = [topic for topic in topics if found[name].get(topic)]
        for topic in answered:
            documents, scores = zip(*found[name][topic], strict=True)
            numbered = [known.setdefault(document, len(known)) for document in documents]
            table[place, where[topic]] = np.array(numbered, np.int32), np.array(scores)
            tied += sum(count for count in Counter(scores).values() if count > 1)
        file = f"({systems[name].model} over the pages, by PISA)"
        lines = sum(map(len, found[name].values()))
        known_facts.append(
            rankings.facts_of_system(
                baseline_run(name), file, tag="baseline", topics=answered, lines=lines, tied=tied
            )
        )
    runs = [baseline_run(name) for name in names]
    rankings.write(rankings.tabulate(table, runs=runs, topics=topics, documents=[*known]), out)
    rankings.write_facts(known_facts, facts)
