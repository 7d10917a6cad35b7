"""Gains from arrays of labels: the same as from files."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.config.scale import Scale
from pipeline.gains.from_labels import from_labels
from pipeline.measures import parse
from tests.builders import BINARY, Judged, build, ranked

GRADED = Scale(0, 100, "low", 40, None, ())
DIMENSIONS = ("topicality", "ease")
MEASURES = ("RBP(p=0.8)", "nDCG@3", "AP", "uRBPgr(p=0.8, by=ease)", "H(P@2, topicality=1, ease=1)")


def test_as_from_files(tmp_path: Path) -> None:
    random = np.random.default_rng(4)
    shape = (2, 3, 4)
    drawn = {
        "topicality": (random.random(shape) < 0.5).astype(float),
        "ease": random.integers(0, 101, shape).astype(float),
    }
    ours = from_labels(drawn, scales={"topicality": BINARY, "ease": GRADED}, runs=["a", "b"])
    runs, labels = {}, {name: {str(t): {} for t in (1, 2, 3)} for name in drawn}
    for r, run in enumerate("ab"):
        runs[run] = {}
        for t in range(3):
            documents = [f"{run}{t}{rank}" for rank in range(4)]
            runs[run][str(t + 1)] = ranked(" ".join(documents))
            for name, values in drawn.items():
                labels[name][str(t + 1)] |= dict(zip(documents, values[r, t].tolist(), strict=True))
    judged = {
        "topicality": Judged(labels["topicality"]),
        "ease": Judged(labels["ease"], scale=GRADED),
    }
    files = build(tmp_path, runs, judged)
    assert ours.runs == files.runs
    assert ours.topics == files.topics
    for text in MEASURES:
        measure = parse(text, dimensions=DIMENSIONS)
        assert measure.value(ours) == pytest.approx(measure.value(files)), text


def test_labels_that_are_no_whole_numbers_and_far_apart() -> None:
    values = np.array([[[0.25, 99.5, 0.25], [50.0, 1e-3, 100.0]]])
    gains = from_labels({"ease": values}, scales={"ease": GRADED})
    expected = 1 - values.reshape(2, 3) / 100
    assert gains.view({"ease": "gain"}).gain == pytest.approx(expected)
    apart = Scale(0, 1e6, "high", 1, None, ())
    wide = from_labels({"x": np.array([[[0.0, 1e6]]])}, scales={"x": apart})
    assert len(wide.dimensions["x"].worth) == 4
