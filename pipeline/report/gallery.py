"""All charts of a campaign, drawn in one go: importing Altair costs more than drawing them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.report import charts, grids, numbers, plots
from pipeline.report.certainty import Standings, Swap
from pipeline.report.data import Agreement, Board
from pipeline.report.drawing import Spec
from pipeline.report.numbers import Scores

SUREST = 12  # swaps drawn: more would hide the runs


@dataclass(frozen=True)
class Drawn:
    """One chart; `filled` says that the page fills its data in, from the numbers it holds."""

    name: str
    title: str
    spec: Spec
    filled: bool = False

    @property
    def on_page(self) -> Spec:
        """The chart without the data the page has anyway."""
        if not self.filled:
            return self.spec
        return {**self.spec, "datasets": {**self.spec["datasets"], grids.SHOWN: []}}


def surest(swaps: Sequence[Swap]) -> list[Swap]:
    """The swaps worth showing: those that at least half of the samples of topics repeat."""
    return [swap for swap in swaps if swap.share >= 0.5][:SUREST]


def draw(
    *,
    board: Board,
    agreement: Agreement,
    scores: Scores,
    standings: Standings,
    swaps: Sequence[Swap],
    regression: tuple[float, float] | None,
    dimensions: Mapping[str, Any],
    readability: Path | None,
    tops: Path | None,
) -> list[Drawn]:
    """The charts this campaign has the data for."""
    first, second = board.contrast
    runs, topics = len(board.rows), len(board.topics)
    made = [
        Drawn(
            "scatter",
            f"{second} against {first}",
            charts.scatter(board, regression=regression, swaps=surest(swaps)),
        ),
        Drawn("agreement", "Agreement between measures", charts.agreement(agreement)),
    ]
    if runs > 1 and len(board.measures) > 1:
        made.append(Drawn("bump", "Ranks from measure to measure", plots.bump(board)))
    if runs > 1 and (found := plots.planes(board.measures)):
        base = next(iter(dimensions), "topicality")
        made.append(
            Drawn(
                "tradeoff",
                f"{base} against {found[0][2]}",
                plots.tradeoff(board, plane=found[0], first=base),
            )
        )
    shown = numbers.shown_intervals(board, standings, measure=first)
    made.append(
        Drawn(
            "intervals",
            f"{first} with intervals, bounds and groups",
            grids.intervals(runs=runs, values=shown),
            filled=True,
        )
    )
    if first in scores.of and topics:
        hard = numbers.shown_topics(board, scores, measure=first)
        cells = numbers.shown_scores(board, scores, measure=first)
        made += [
            Drawn(
                "difficulty",
                f"Difficulty of the topics by {first}",
                grids.difficulty(topics=topics, values=hard),
                filled=True,
            ),
            Drawn(
                "heat",
                f"{first} of every run on every topic",
                grids.heat(runs=runs, topics=topics, values=cells),
                filled=True,
            ),
        ]
    if readability and (spec := _fog(readability, tops=tops, dimensions=dimensions)):
        made.append(Drawn("fog", "Readability of the pages", spec))
    return made


def _fog(readability: Path, *, tops: Path | None, dimensions: Mapping[str, Any]) -> Spec | None:
    """FOG of all pages and of those in some run's first ten; thresholds of estimates by it."""
    from pipeline.storage import arrow

    table = arrow.read(readability, ["document", "fog"])
    fog = arrow.array(table["fog"], missing=np.nan)
    known = np.isfinite(fog)
    if not known.any():
        return None
    shown: list[float] = []
    if tops:
        first = arrow.read(tops, ["document"], codes=["document"]).combine_chunks()["document"]
        names = first.chunk(0).dictionary if len(first) else []
        retrieved = {names[at].as_py() for at in np.unique(arrow.array(first.chunk(0).indices))}
        documents = table["document"].to_pylist()
        shown = [f for d, f, k in zip(documents, fog, known, strict=True) if k and d in retrieved]
    limits = {
        f"{name}: {given['threshold']:g}": float(given["threshold"])
        for name, given in dimensions.items()
        if isinstance(given, Mapping) and given.get("index") == "fog" and given.get("threshold")
    }
    return grids.fog(pages=fog[known].tolist(), shown=shown, limits=limits)
