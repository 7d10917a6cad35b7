"""Labels as levels: the distinct readings of labels, numbered, and put where documents are ranked.

Level 0 is no document and level 1 an unjudged one (see `dimension`); labels follow from 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.dimension import NOTHING, UNJUDGED, Dimension
from pipeline.storage.arrays import Bools, Floats, Ints


@dataclass(frozen=True)
class Labelled:
    """Labels that somebody could give, each with its level."""

    worths: Floats  # [level - 2, stored reading]
    each: Floats  # [level - 2, subtopic, stored reading]
    level: Ints  # [label]

    @classmethod
    def of(
        cls, binary: Floats, gain: Floats, label: Floats, *, each: Floats | None = None
    ) -> "Labelled":
        """Number the distinct readings of labels.

        With `each`, [label, subtopic, stored reading], a level is all that was said of a document.
        """
        values = np.column_stack([binary, gain, label]).reshape(-1, 3)
        if each is None:
            each = np.zeros((len(values), 0, 3))
        rows = np.hstack([values, each.reshape(len(values), 3 * each.shape[1])])
        found, level = np.unique(rows, axis=0, return_inverse=True)
        parts = found[:, 3:].reshape(len(found), *each.shape[1:])
        return cls(found[:, :3], parts, level.ravel() + 2)

    @property
    def kind(self) -> type[np.uint8] | type[np.int32]:
        """The numbers that levels at each rank are kept as."""
        return np.uint8 if len(self.worths) + 2 <= 256 else np.int32

    def dimension(
        self,
        number: NDArray[np.int32],
        *,
        documents: int,
        topics: int,
        topic_of: Ints,
        everywhere: Bools,
        document_of: Ints,
        names: Sequence[str],
        scale: tuple[float, float, float],
    ) -> Dimension:
        """The levels at every rank of numbered documents; rows go by run, then topic."""
        codes = np.zeros(number.shape, self.kind)
        found = np.full(documents + 1, UNJUDGED, self.kind)  # the last one is document -1
        found[document_of[everywhere]] = self.level[everywhere]
        found[-1] = NOTHING
        order = np.argsort(topic_of, kind="stable")
        bounds = np.searchsorted(topic_of[order], np.arange(topics + 1))
        for t in range(topics):
            mine = order[bounds[t] : bounds[t + 1]]
            mine = mine[document_of[mine] >= 0]
            before = found[document_of[mine]]
            found[document_of[mine]] = self.level[mine]
            codes[t::topics] = found[number[t::topics]]
            found[document_of[mine]] = before
        return self.over(codes, topic_of=topic_of, everywhere=everywhere, names=names, scale=scale)

    def over(
        self,
        codes: NDArray[Any],
        *,
        topic_of: Ints,
        everywhere: Bools,
        names: Sequence[str],
        scale: tuple[float, float, float],
    ) -> Dimension:
        """The dimension of levels that were found already, with all that was judged."""
        keep = (topic_of >= 0) | everywhere
        return Dimension(
            codes=codes,
            worth=np.vstack([[0.0, 0.0, 0.0], [np.nan] * 3, self.worths]),
            scale=np.array(scale),
            judged_topic=np.where(everywhere, -1, topic_of)[keep].astype(np.int64),
            judged_document=np.array(names, dtype=str)[keep],
            judged_level=self.level[keep],
        )
