"""Section 6 of UBIRE: assessors' labels, from the campaign's own figures and from the runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.audit.published import ALL
from pipeline.audit.published import read as read_published
from pipeline.papers.published import Cell, Printed, compared
from pipeline.papers.ubire.measures import OURS
from pipeline.statistics.correlation.means import Means
from pipeline.statistics.correlation.statistics.depths import ubire_overlap
from pipeline.statistics.correlation.statistics.pairs import tau_ap, tau_b
from pipeline.storage.arrays import Floats

OFFICIAL = {"RBP": "RBP(0.8)", "uRBP": "uRBP(0.8)", "uRBPgr": "uRBPgr(0.8)"}
FILES = "*.urbp"  # what ubire printed of each run
DETAIL = {"RBP": (0.25, 0.40), "uRBP": (0.15, 0.35)}  # the ranges of figure 2's central panel
DIGITS = 0.00011  # means of values that ubire rounded to four digits each, and rounded again
EQUAL = 0.001  # means this near are equal to the eye
Scores = Mapping[str, Floats]


def official(folder: Path) -> tuple[Sequence[str], Scores]:
    """The campaign's own means of every run, from the files that ubire wrote."""
    found = read_published(sorted(folder.rglob(FILES)))
    values: dict[tuple[str, str], float] = {
        (found.run.names[run], found.source.names[source].removeprefix("ubire ")): value
        for run, source, topic, value in zip(
            found.run.number, found.source.number, found.topic.number, found.value, strict=True
        )
        if found.topic.names[topic] == ALL
    }
    runs = sorted(found.run.names)
    return runs, {
        name: np.array([values[run, theirs] for run in runs]) for name, theirs in OFFICIAL.items()
    }


def own(means: Means) -> tuple[Sequence[str], Scores]:
    """Our means of the runs at hand."""
    return means.runs, {name: means.column(ours) for name, ours in OURS.items()}


def agreement(scores: Scores, other: str) -> dict[str, float]:
    """How alike RBP and another measure rank the runs."""
    pair = (scores["RBP"], scores[other])
    return {
        "tau-b": tau_b(*pair),
        "ubire's overlap": ubire_overlap(*pair),
        "AP correlation": tau_ap(*pair),
    }


def section_6(printed: Sequence[Printed], scores: Scores) -> list[Cell]:
    """The printed correlations, beside those of the official means."""
    cells = []
    for one in printed:
        found = agreement(scores, one.row.removeprefix("RBP, "))
        if one.column == "tau":
            cells.append(compared(one, found["tau-b"], note="of the official means"))
            continue
        note = (
            "printed as tau_AP, but it is the overlap that ubire computes under that name, on the "
            f"official means; AP correlation is {found['AP correlation']:.3f}"
        )
        why = "tied means decide the last digits: ours is the mean over all ways to break them"
        cells.append(compared(one, found["ubire's overlap"], within=0.0005, why=why, note=note))
    return cells


def differing(mine: Sequence[str], ours: Scores, runs: Sequence[str], theirs: Scores) -> list[str]:
    """The runs whose means are not the official ones, printed to four digits."""
    place = {run: number for number, run in enumerate(runs)}
    return [
        run
        for number, run in enumerate(mine)
        if run in place
        and any(abs(ours[name][number] - theirs[name][place[run]]) > DIGITS for name in OFFICIAL)
    ]


@dataclass(frozen=True)
class Pair:
    """Two runs that one measure cannot tell apart and the other can."""

    first: int
    second: int
    gap: float


def look_alikes(same: Floats, other: Floats, *, count: int = 3) -> list[Pair]:
    """Pairs equal by one measure and furthest apart by the other; no run in two of them."""
    n = len(same)
    pairs = [
        Pair(i, j, abs(float(other[i] - other[j])))
        for i in range(n)
        for j in range(i + 1, n)
        if abs(same[i] - same[j]) <= EQUAL
    ]
    chosen: list[Pair] = []
    for pair in sorted(pairs, key=lambda one: -one.gap):
        used = {place for one in chosen for place in (one.first, one.second)}
        if not {pair.first, pair.second} & used:
            chosen.append(pair)
    return chosen[:count]


def weighted(means: Means) -> list[tuple[float, str]]:
    """The weights of understandability that the campaign has uRBPgr with, and their columns."""
    found = [(1.0, OURS["uRBPgr"])]
    for name in means.measures:
        _, mark, weight = name.partition("uRBPgr(p=0.8, understandability=")
        if mark:
            found.append((float(weight.rstrip(")")), name))
    return sorted(found)
