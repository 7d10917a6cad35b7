"""The campaign's own rankings, so that the audit reads run files again only for another order."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pipeline.runs.rankings import Rankings
from pipeline.runs.rankings import read as read_rankings
from pipeline.runs.reading import ORDERS
from pipeline.storage import arrow
from pipeline.storage.arrow import array


@dataclass(frozen=True)
class Ingested:
    """Rankings as the campaign has them, and what was noticed as their files were read."""

    rankings: Path
    facts: Sequence[Path]  # of each batch
    order: str  # the campaign's own

    def ranked(self, runs: Sequence[str], *, order: str, topics: Sequence[str]) -> Rankings | None:
        """The rankings of some runs in an order, if it is the campaign's or follows from that."""
        own, wanted = ORDERS[self.order], ORDERS[order]
        if wanted == "rank":  # the ranks as written are not kept
            return None
        if wanted == own:
            return _only(read_rankings(self.rankings, topics=topics), runs)
        if own != "score32" or not self._whole(runs):
            return None
        return _by_64_bits(_only(read_rankings(self.rankings, topics=topics, scores=True), runs))

    def _whole(self, runs: Sequence[str]) -> bool:
        """Whether every line of the runs is ranked: none cut off, repeated or without a score."""
        column = arrow.read(self.rankings, ["run"], codes=["run"])["run"].chunk(0)
        ranked = np.bincount(array(column.indices), minlength=len(column.dictionary)).tolist()
        lines = dict(zip(column.dictionary.to_pylist(), ranked, strict=True))
        told = [one for path in self.facts for one in json.loads(path.read_text(encoding="utf-8"))]
        whole = {
            one["run"]
            for one in told
            if one["lines"] == lines.get(one["run"])
            and not one["duplicates"]
            and not one["bad_scores"]
        }
        return whole.issuperset(runs)


def _only(ranked: Rankings, runs: Sequence[str]) -> Rankings:
    """Without systems that the campaign made itself."""
    kept = sorted(runs)
    if kept == ranked.runs:
        return ranked
    place = {run: n for n, run in enumerate(ranked.runs)}
    each = np.arange(len(ranked.topics))
    rows = np.concatenate([place[run] * len(each) + each for run in kept])
    score = None if ranked.score is None else ranked.score[rows]
    return replace(
        ranked, runs=kept, number=ranked.number[rows], length=ranked.length[rows], score=score
    )


def _by_64_bits(ranked: Rankings) -> Rankings:
    """Rankings by 32-bit scores in the order of the 64-bit ones: only ties can change places.

    Documents that tie under both stay as they are, by descending id.
    """
    assert ranked.score is not None
    rows = np.flatnonzero((np.diff(ranked.score, axis=1) > 0).any(axis=1))
    order = np.argsort(-ranked.score[rows], axis=1, kind="stable")  # NaN behind the end stays last
    number = ranked.number.copy()
    number[rows] = np.take_along_axis(number[rows], order, axis=1)
    return replace(ranked, number=number, score=None)
