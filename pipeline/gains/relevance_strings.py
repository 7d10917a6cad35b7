"""Relevance strings: the labels of each ranking as `trec_eval -m relstring` prints them.

One character per rank: the label's digit, `-` for an unjudged document, `>` for a label above 9 and
`<` for a label below 0. A short ranking has a short string.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pipeline.gains.dimension import NOTHING, STORED, UNJUDGED, Dimension
from pipeline.gains.files import read as read_gains
from pipeline.storage.atomic import write_text


def relstrings(gains: Mapping[str, Path], *, out: Path, depth: int, unjudged: str = "zero") -> None:
    """Write the string of every run, topic and dimension; `unjudged` is the campaign's policy."""
    data = read_gains(gains, unjudged=unjudged)
    rows = [(run, topic) for run in data.runs for topic in data.topics]
    strings = {name: of(data.dimensions[name], depth=depth) for name in gains}
    lines = (
        f"{run}\t{topic}\t{name}\t{strings[name][place]}\n"
        for place, (run, topic) in enumerate(rows)
        for name in gains
    )
    write_text(out, "".join(["run\ttopic\tdimension\trelstring\n", *lines]))


def of(dimension: Dimension, *, depth: int) -> list[str]:
    """[row]: the string of the first `depth` ranks."""
    characters = _characters(dimension)[dimension.codes[:, :depth]]
    return [row.tobytes().decode("ascii").rstrip(" ") for row in characters]


def _characters(dimension: Dimension) -> NDArray[np.uint8]:
    """The character of each level; labels are truncated to whole numbers, as in trec_eval."""
    label = np.nan_to_num(dimension.worth[:, STORED.index("label")])
    digit = ord("0") + np.clip(np.trunc(label), 0, 9)
    digit = np.where(np.trunc(label) > 9, ord(">"), np.where(label < 0, ord("<"), digit))
    digit[NOTHING], digit[UNJUDGED] = ord(" "), ord("-")
    return digit.astype(np.uint8)
