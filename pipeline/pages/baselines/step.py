"""The step that searches: every baseline as one more batch of rankings."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.errors import InputError
from pipeline.pages.baselines import engine
from pipeline.pages.baselines.index import DOCUMENTS
from pipeline.pages.baselines.model import MODELS
from pipeline.pages.baselines.settings import Baseline, run_of
from pipeline.runs import rankings
from pipeline.storage import arrow
from pipeline.storage.arrow import coded, numbers
from pipeline.storage.atomic import atomic


def retrieve(
    indices: Mapping[str, Path],
    *,
    queries: Mapping[str, Mapping[str, str]],
    systems: Mapping[str, Baseline],
    out: Path,
    facts: Path,
) -> None:
    """Make the run of each baseline, by its name.

    `indices` are by stemmer, `queries` by the name of the baseline, then by topic.
    """
    names = sorted(systems)
    topics = list(dict.fromkeys(topic for name in names for topic in queries[name]))
    if not any(text for name in names for text in queries[name].values()):
        raise InputError("baselines: no topic has a query; correct topics.file or topics.id")
    known: dict[str, int] = {}  # documents by number, over all systems
    run_of_row, topic_of, rank, document, score = [], [], [], [], []
    told = []
    for place, name in enumerate(names):
        given = systems[name]
        asked = [topic for topic in topics if queries[name].get(topic)]
        answers = ranked(
            indices[given.stemmer], queries=[queries[name][topic] for topic in asked], given=given
        )
        answer = dict(zip(asked, answers, strict=True))
        lists = [answer.get(topic, []) for topic in topics]
        for t, found in enumerate(lists):
            run_of_row.append(np.full(len(found), place))
            topic_of.append(np.full(len(found), t))
            rank.append(np.arange(1, len(found) + 1, dtype=np.int32))
            document.append(np.array([known.setdefault(d, len(known)) for d, _ in found], np.int32))
            score.append(np.array([value for _, value in found], np.float64))
        if not any(lists):
            raise InputError(
                f"baselines.{name}: finds nothing for any topic; check that topics and pages are "
                "in one language, and the stopwords"
            )
        told.append(_facts(name, given=given, topics=topics, lists=lists))
    table = pa.table(
        {
            "run": coded(np.concatenate(run_of_row), [run_of(name) for name in names]),
            "topic": coded(np.concatenate(topic_of), topics),
            "rank": numbers(np.concatenate(rank)),
            "document": coded(np.concatenate(document), list(known)),
            "score": numbers(np.concatenate(score)),
        },
        schema=rankings.SCHEMA,
    )
    rankings.write(table, out)
    with atomic(facts) as draft:
        draft.write_text(json.dumps(told, indent=1))


def ranked(
    index: Path, *, queries: Sequence[str], given: Baseline
) -> list[list[tuple[str, float]]]:
    """Documents and scores of each query, best first; ties by document id, descending."""
    model = MODELS[given.model]
    names = arrow.read(index / DOCUMENTS, ["document"])["document"].to_pylist()
    lists: list[list[tuple[str, float]]] = [[] for _ in queries]
    waiting = list(range(len(queries)))
    depth = given.depth + 1  # one more, to see a tie across the end of the list
    with engine.searcher(
        index,
        stemmer=given.stemmer,
        stopwords=given.stopwords,
        scorer=model.scorer,
        parameters=model(given),
    ) as searcher:
        while waiting:
            depth = min(depth, len(names))
            answers = searcher.search([queries[q] for q in waiting], depth=depth)
            cut = []
            for q, found in zip(waiting, answers, strict=True):
                best = sorted(((names[n], score) for n, score in found), key=lambda one: one[0])
                best.sort(key=lambda one: one[1])
                best.reverse()
                # Documents beyond the end may tie with the last one kept: then ask for more.
                if len(best) == depth < len(names) and best[given.depth - 1][1] == best[-1][1]:
                    cut.append(q)
                lists[q] = best[: given.depth]
            waiting, depth = cut, depth * 2
    return lists


def _facts(
    name: str,
    *,
    given: Baseline,
    topics: Sequence[str],
    lists: Sequence[Sequence[tuple[str, float]]],
) -> dict[str, object]:
    """What reading a run leaves for the checks."""
    tied = 0
    for found in lists:
        _, sizes = np.unique([score for _, score in found], return_counts=True)
        tied += int(sizes[sizes > 1].sum())
    return {
        "run": run_of(name),
        "file": f"({given.model} over the pages, by PISA)",
        "tag": "baseline",
        "made": True,
        "lines": sum(len(found) for found in lists),
        "topics": [topic for topic, found in zip(topics, lists, strict=True) if found],
        "duplicates": 0,
        "bad_scores": 0,
        "tied": tied,
        "top10_differs": 0,
    }
