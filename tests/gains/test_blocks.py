"""Rankings some at a time: every figure as of all at once, in the memory of a few."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

from pipeline.gains import blocks
from pipeline.gains.dimension import UNJUDGED, Dimension
from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.measure import ENDS, scores_of
from pipeline.measures.tie_groups import tied_order
from pipeline.measures.ties import under_ties

TWO = ("topicality", "understandability")
TOPICS = 5
LEVELS = 3


def made(runs: int, depth: int, *, tied: int = 3, seed: int = 5) -> Gains:
    """Random lists of every length, most documents unjudged, about `tied` of them to a score."""
    draw = np.random.default_rng(seed)
    rows = runs * TOPICS
    length = draw.integers(0, depth + 1, rows)
    beyond = np.arange(depth) >= length[:, None]
    dimensions = {}
    for name in TWO:
        codes = draw.choice(np.arange(1, LEVELS + 2), (rows, depth), p=[0.7, 0.1, 0.1, 0.1])
        label = np.array([0, np.nan, 0, 1, 2.0])
        dimensions[name] = Dimension(
            codes=np.where(beyond, 0, codes).astype(np.uint8),
            worth=np.stack([label > 0, label / 2, label], axis=1).astype(float),
            scale=np.array([0.0, 2.0, 1.0]),
            judged_topic=np.repeat(np.arange(TOPICS), 8),
            judged_document=np.array([f"d{n}" for n in range(8 * TOPICS)]),
            judged_level=draw.integers(UNJUDGED + 1, UNJUDGED + 1 + LEVELS, 8 * TOPICS),
        )
    tie = np.cumsum(draw.random((rows, depth)) < 1 / tied, axis=1).astype(np.int32)
    return Gains(
        runs=tuple(f"r{n}" for n in range(runs)),
        topics=tuple(f"t{n}" for n in range(TOPICS)),
        topic=np.tile(np.arange(TOPICS), runs),
        length=length,
        dimensions=dimensions,
        tie=np.where(beyond, tie[:, -1:] + 1 + np.arange(depth), tie).astype(np.int32),
    )


@pytest.mark.parametrize("runs", [1, 7, 13, 26])  # rows that fill no block, or one and a rest
@pytest.mark.parametrize(
    "name",
    [
        "RBP(p=0.8)", "AP", "AP@7", "RR", "nDCG@10", "P@5", "uRBPgr(p=0.8)", "Bpref", "INSQ(T=2)",
        "H(RBP(p=0.8), topicality=1, understandability=1)",
        "Hmeans(nDCG@5, topicality=1, understandability=1)",
    ],
)  # fmt: skip
def test_blocks_change_no_bit(name: str, runs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    gains = made(runs, 40)
    one = parse(name, dimensions=TWO)
    whole = one.scores(gains)
    monkeypatch.setattr(blocks.blocks, "__kwdefaults__", {"cells": 16 * 40})
    (found,) = scores_of([one], replace(gains, cache={}))
    for end in ENDS:
        assert np.array_equal(getattr(found, end), getattr(whole, end), equal_nan=True), end


def test_blocks_are_all_rows_in_order() -> None:
    gains = made(13, 40)
    parts = list(blocks.blocks(gains, cells=16 * 40))
    assert [len(part.topic) for part in parts] == [16, 16, 16, 17]  # one row left over goes along
    assert np.array_equal(np.concatenate([part.length for part in parts]), gains.length)
    assert np.shares_memory(
        parts[1].dimensions["topicality"].codes, gains.dimensions["topicality"].codes
    )


def test_what_depends_on_judgements_alone_is_made_once() -> None:
    gains = made(13, 40)
    seen = [some.view({"topicality": "gain"}).ideal for some in blocks.blocks(gains, cells=640)]
    assert len(seen) > 2
    assert all(one is seen[0] for one in seen)
    assert gains.rows(np.arange(3)).view({"topicality": "gain"}).ideal is seen[0]
    other = {**gains.dimensions, "topicality": gains.dimensions["understandability"]}
    changed = replace(gains, dimensions=other, cache={})
    assert changed.view({"topicality": "gain"}).ideal is not seen[0]


@pytest.mark.parametrize("tied", [1, 2, 5, 200])
def test_tied_documents_are_put_in_order_and_no_others(tied: int) -> None:
    gains = made(9, 60, tied=tied)
    assert gains.tie is not None
    draw = np.random.default_rng(tied)
    for key in (draw.random((45, 60)), gains.view({"topicality": "gain"}).gain):
        found = tied_order(gains, key)
        for row, (length, tie) in enumerate(zip(gains.length, gains.tie, strict=True)):
            order = sorted(range(length), key=lambda n, r=row, t=tie: (t[n], -key[r, n], n))
            for name in TWO:
                one, other = (data.dimensions[name].codes[row] for data in (found, gains))
                assert one.tolist() == [*other[order], *other[length:]]
        moved = found.dimensions["topicality"].codes != gains.dimensions["topicality"].codes
        assert moved.any() == (tied > 1)
        assert found.tie is gains.tie


def test_bounds_and_ties_take_the_memory_of_some_lists() -> None:
    gains = made(400, 1000)  # an array of numbers for all of them is 16 MB
    for name in ("AP", "RBP(p=0.8)", "nDCG@10"):
        one = parse(name, dimensions=TWO)
        tracemalloc.start()
        (found,) = scores_of([one], gains)
        under_ties(one, gains, found.value)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        gains.cache.clear()
        # The lists that ties can change are copied (6 bytes a rank); the rest is some blocks, with
        # the places that are judged and those that gain (24 bytes each).
        assert peak < 96e6, name  # all lists at once took 195 to 227 MB
