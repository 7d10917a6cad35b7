"""Running the experiment of Kingrani, Levene & Zhang 2018, as often as asked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.papers.reruns import diversity_experiment as experiment
from pipeline.papers.reruns.diversity_experiment import Analyses, Setting
from pipeline.papers.reruns.diversity_implied import MAIN, MEASURES
from pipeline.papers.reruns.diversity_lists import BOUNDARIES, LEVELS, Lists, pairs
from pipeline.statistics.significance.factorial import Effect
from pipeline.storage import arrow

KIND = "II"  # of the squares beside the printed ones: they hang on no order of the factors


@dataclass(frozen=True, kw_only=True)
class Ran:
    """What running the experiment gave."""

    settings: Mapping[str, Any]
    setting: Setting
    analyses: Sequence[Analyses]  # one for each draw
    points: int  # lists of a draw
    states: int  # what the lists of all topics can be
    least_even: float  # the least evenness of any list
    variants: Sequence[tuple[str, str, str, int, int]]  # N, bound, empty, conditions, pairs

    @property
    def measures(self) -> list[str]:
        """All that were analysed."""
        return list(self.analyses[0])

    def mean(self, measure: str, kind: str) -> list[Effect]:
        """The effects on a measure, each the mean over all draws."""
        each = [one[measure][kind] for one in self.analyses]
        return [
            Effect(
                name=same[0].name.replace(":", " * "),
                squares=_mean([one.squares for one in same]),
                freedom=same[0].freedom,
                f=_mean([one.f for one in same]),
                p=_mean([one.p for one in same]),
                share=_mean([one.share for one in same]),
            )
            for same in zip(*each, strict=True)
        ]

    def effect(self, measure: str, name: str, kind: str = KIND) -> Effect:
        """One of them."""
        return next(one for one in self.mean(measure, kind) if one.name == name)

    def orders(self, measure: str, kind: str = KIND) -> set[tuple[str, ...]]:
        """The main effects from the largest to the smallest, in every draw."""
        found = set()
        for one in self.analyses:
            main = [effect for effect in one[measure][kind] if effect.name in MAIN]
            found.add(tuple(e.name for e in sorted(main, key=lambda e: -e.squares)))
        return found

    def largest_interaction(self, kind: str = KIND) -> float:
        """The largest share of an interaction of two in any draw of a measure of the paper."""
        return max(
            effect.share
            for one in self.analyses
            for measure in MEASURES.values()
            for effect in one[measure][kind]
            if effect.name.count(":") == 1
        )


def run(labels: Path, settings: Mapping[str, Any]) -> Ran:
    """Draw and analyse lists of the judged documents of a table of labels, as often as asked."""
    collection = experiment.collected(arrow.read(labels))
    wanted = settings["conditions"]
    setting = experiment.Setting(
        each=settings["lists_each"],
        depth=settings["documents"],
        bounds=settings["bounds"],
        boundary=settings["boundary"],
        conditions=wanted and [tuple(LEVELS.index(one) for one in cell) for cell in wanted],
    )
    found = experiment.possible(collection, setting.depth)
    measures = [*MEASURES.values(), *settings["further_measures"]]
    analyses, points = [], 0
    for seed in range(settings["seed"], settings["seed"] + settings["draws"]):
        made, gains = experiment.drawn(collection, found, setting, seed=seed)
        analyses.append(experiment.analysed(made, gains, measures))
        points = len(made.topic)
    return Ran(
        settings=settings,
        setting=setting,
        analyses=analyses,
        points=points,
        states=sum(len(one.ways) for one in found),
        least_even=min(experiment.least_even(one) for one in found),
        variants=_variants(collection, found, settings),
    )


def _variants(
    collection: experiment.Collection, found: Sequence[Lists], settings: Mapping[str, Any]
) -> list[tuple[str, str, str, int, int]]:
    """How many conditions there are under each reading of bounds, N and lists with nothing."""

    readings = {"judgements": found}
    if settings["subtopics_file"]:
        known = experiment.subtopics_in(Path(settings["subtopics_file"]))
        counted = collection.counted(known)
        readings["topics file"] = experiment.possible(counted, settings["documents"])
    rows = []
    for (source, lists), boundary, empty in product(readings.items(), BOUNDARIES, (False, True)):
        cells = pairs(lists, settings["bounds"], boundary=boundary, empty=empty)
        shown = "evenness 0" if empty else "left out"
        rows.append((source, boundary, shown, len(cells), sum(cells.values())))
    return rows


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values))
