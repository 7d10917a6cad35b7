"""Every score of a campaign, in the order of the board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.errors import InputError
from pipeline.report.board import Board
from pipeline.statistics.score_table import read
from pipeline.storage.arrays import Floats


@dataclass(frozen=True)
class TopicScores:
    """Every score by measure: one row a run (as on the board), one column a topic (likewise)."""

    of: Mapping[str, Floats]

    def order(self, measure: str) -> tuple[list[int], list[int]]:
        """Runs from best to worst and topics from hard to easy."""
        values = self.of[measure]
        runs = np.argsort(-values.mean(axis=1), kind="stable")
        return runs.tolist(), np.argsort(np.median(values, axis=0), kind="stable").tolist()


def read_scores(paths: Sequence[Path], *, board: Board) -> TopicScores:
    """Read scores/<measure>.parquet into the board's order."""
    found = {}
    for path in paths:
        table = read(path)
        runs = {run: row for row, run in enumerate(table.runs)}
        topics = {topic: column for column, topic in enumerate(table.topics)}
        try:
            rows = [runs[row.run] for row in board.rows]
            columns = [topics[topic.id] for topic in board.topics]
        except KeyError as error:
            raise InputError(f"{path}: there is no score of {error}; make it again.") from error
        found[table.measure] = table.values[np.ix_(rows, columns)]
    return TopicScores(found)
