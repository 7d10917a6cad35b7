"""Global gain: the expected gain for a user with an unknown subtopic (Sakai & Song, SIGIR 2011).

The gains of a document in the subtopics, weighted by P(s), become one gain, so any measure can be
applied to it.
"""

from dataclasses import replace

import numpy as np

from pipeline.gains.dimension import UNJUDGED, Dimension
from pipeline.gains.gains import Gains


def with_global_gain(gains: Gains, *, dimension: str, reading: str) -> Gains:
    """The gains with the global gain of this dimension; unchanged if it has no subtopics."""
    if not gains.dimensions[dimension].subtopics.shape[1]:
        return gains

    def compute() -> Gains:
        changed = {dimension: _global_gain(gains, dimension, reading)}
        return replace(gains, dimensions={**gains.dimensions, **changed}, cache={})

    return gains.compute_once(("global gain", dimension, reading), compute)


def _global_gain(gains: Gains, name: str, reading: str) -> Dimension:
    """The dimension of global gains; P(s) differs by topic, so each topic has its own levels."""
    view = gains.view({name: reading})
    original = gains.dimensions[name]
    parts = [part.dimensions[name].read(reading)[0] for part in gains.subtopics]
    worths = np.stack(parts, axis=1)[UNJUDGED + 1 :]  # [level, subtopic]
    mean = view.chances @ worths.T  # [topic, level]
    worth = np.repeat(np.concatenate([[0.0, np.nan], mean.ravel()])[:, None], 3, axis=1)

    def renumber(codes: np.ndarray, topic: np.ndarray) -> np.ndarray:
        return np.where(codes > UNJUDGED, codes.astype(np.int32) + topic * len(worths), codes)

    return replace(
        original.subtopic(0),
        codes=renumber(original.codes, gains.topic[:, None]).astype(np.int32),
        worth=worth,
        judged_level=renumber(original.judged_level, original.judged_topic).astype(np.int64),
    )
