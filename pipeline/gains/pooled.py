"""Global gain: what a document is to a user whose subtopic is not known (Sakai & Song, SIGIR 2011).

A document's gains in the subtopics, each by the subtopic's chance, become one gain, so that every
measure of plain gains can be taken over it.
"""

from dataclasses import replace

import numpy as np

from pipeline.gains.dimension import UNJUDGED, Dimension
from pipeline.gains.gains import Gains


def pooled(gains: Gains, *, dimension: str, reading: str) -> Gains:
    """The gains with this dimension's subtopics made one; themselves where it has none."""
    if not gains.dimensions[dimension].subtopics.shape[1]:
        return gains

    def made() -> Gains:
        one = _of_all_subtopics(gains, dimension, reading)
        return replace(gains, dimensions={**gains.dimensions, dimension: one}, cache={})

    return gains.once(("pooled", dimension, reading), made)


def _of_all_subtopics(gains: Gains, name: str, reading: str) -> Dimension:
    """Chances differ by topic, so a level is one of a topic."""
    view = gains.view({name: reading})
    old = gains.dimensions[name]
    parts = [part.dimensions[name].read(reading)[0] for part in gains.subtopics]
    known = np.stack(parts, axis=1)[UNJUDGED + 1 :]  # [level, subtopic]
    mean = view.chances @ known.T  # [topic, level]
    worth = np.repeat(np.concatenate([[0.0, np.nan], mean.ravel()])[:, None], 3, axis=1)
    levels = known.shape[0]

    def moved(codes: np.ndarray, topic: np.ndarray) -> np.ndarray:
        return np.where(codes > UNJUDGED, codes.astype(np.int32) + topic * levels, codes)

    return replace(
        old.subtopic(0),
        codes=moved(old.codes, gains.topic[:, None]).astype(np.int32),
        worth=worth,
        judged_level=moved(old.judged_level, old.judged_topic).astype(np.int64),
    )
