"""Choosing among the candidates: the best of a fusion, or a sample under a seed.

A sample depends on the seed and the topic's id alone, so that a further topic changes no other.
"""

import zlib
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.pooling.candidates import Candidates
from pipeline.pooling.plan import Plan
from pipeline.runs.fusion import Settings, fused
from pipeline.runs.rankings import Rankings
from pipeline.storage.arrays import Floats
from pipeline.storage.arrow import numbers


def places(document: NDArray[np.int64]) -> pa.Array:
    """Document numbers to take from the rankings' own list."""
    return numbers(document.astype(np.int64))


def generator(seed: int, topic: str) -> np.random.Generator:
    """The source of chance of one topic."""
    return np.random.default_rng([seed, zlib.crc32(topic.encode())])


def take(ranked: Rankings, found: Candidates, *, runs: Sequence[int], plan: Plan) -> Floats:
    """The first `size` documents a topic of a fusion of the runs."""
    assert ranked.score is not None
    settings = Settings(method=plan.by, norm=plan.norm, k=plan.k, p=plan.p)
    chance = np.zeros(len(found.topic))
    stride = len(ranked.topics)
    for t in range(stride):
        rows = np.array(runs) * stride + t
        documents, _ = fused(
            ranked.number[rows],
            ranked.score[rows],
            documents=ranked.documents,
            settings=settings,
        )
        here = found.rows(t)
        chance[here] = np.isin(found.document[here], documents[: plan.size])
    return chance


def uniform(found: Candidates, *, topics: Sequence[str], size: int, seed: int) -> Floats:
    """`size` of a topic's candidates, each as likely as any other; all where there are fewer."""
    chance = np.zeros(len(found.topic))
    for t, topic in enumerate(topics):
        _draw(chance, _rows(found, t), size, generator(seed, topic))
    return chance


def stratified(
    found: Candidates, *, topics: Sequence[str], strata: Sequence[tuple[int, float]], seed: int
) -> Floats:
    """A share of each stratum of best ranks, as statAP and infAP want them; at least one each."""
    chance = np.zeros(len(found.topic))
    for t, topic in enumerate(topics):
        rows, random, above = _rows(found, t), generator(seed, topic), 0
        for to, share in strata:
            inside = rows[(found.best[rows] > above) & (found.best[rows] <= to)]
            size = max(1, round(share * len(inside))) if len(inside) and share > 0 else 0
            _draw(chance, inside, size, random)
            above = to
    return chance


def _rows(found: Candidates, topic: int) -> NDArray[np.int64]:
    rows = found.rows(topic)
    return np.arange(rows.start, rows.stop)


def _draw(chance: Floats, rows: NDArray[np.int64], size: int, random: np.random.Generator) -> None:
    """Draw `size` rows and set their chance."""
    size = min(size, len(rows))
    if size:
        chance[random.choice(rows, size, replace=False)] = size / len(rows)
