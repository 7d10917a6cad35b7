"""The demo's assessors: pooled documents, judged with the noise that people have."""

from collections.abc import Mapping, Sequence
from random import Random

from pipeline.sources.demo.plan import Page, planned_relevance, topic_id
from pipeline.sources.demo.systems import Ranking
from pipeline.sources.demo.topics import TOPICS

POOL_DEPTH = 12
_STRAY = 6  # pooled from deeper down, by chance


def pooled(runs: Sequence[Mapping[int, Ranking]], *, number: int, seed: int) -> tuple[Page, ...]:
    """The pages that assessors see for a topic: the top of every run, and a few from below."""
    ranked = [run.get(number, ()) for run in runs]
    pool = {page.document: page for run in ranked for _, page in run[:POOL_DEPTH]}
    below = {page.document: page for run in ranked for _, page in run[POOL_DEPTH:50]}
    rest = sorted(below.keys() - pool.keys())
    stray = Random(f"{seed}/pool/{number}").sample(rest, min(_STRAY, len(rest)))
    return tuple(page for _, page in sorted((pool | {name: below[name] for name in stray}).items()))


def _topicality(page: Page, number: int, random: Random) -> int:
    planned = planned_relevance(page, number=number)
    if random.random() < 0.92:
        return planned
    return min(2, max(0, planned + random.choice((-1, 1))))


def _understandability(page: Page, _: int, random: Random) -> int:
    """0-3, 3 = easiest: three quarters of a label a level."""
    return min(3, max(0, round(3 - 0.75 * (page.level - 1) + random.gauss(0, 0.4))))


def _trustworthiness(page: Page, _: int, random: Random) -> int:
    """0-100, in steps of five: nobody tells 71 from 72."""
    return min(100, max(0, 5 * round((page.trust + random.gauss(0, 8)) / 5)))


_ASSESSORS = {
    "topicality": _topicality,
    "understandability": _understandability,
    "trustworthiness": _trustworthiness,
}


def label_files(runs: Sequence[Mapping[int, Ranking]], *, seed: int) -> Mapping[str, str]:
    """Dimension -> its qrels."""
    pools = [pooled(runs, number=number, seed=seed) for number in range(len(TOPICS))]
    files = {}
    for dimension, judge in _ASSESSORS.items():
        random = Random(f"{seed}/labels/{dimension}")
        files[dimension] = "".join(
            f"{topic_id(number)} 0 {page.document} {judge(page, number, random)}\n"
            for number, pool in enumerate(pools)
            for page in pool
        )
    return files
