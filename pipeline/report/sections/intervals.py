"""Charts that show one measure at a time, which the reader chooses.

Each has a dataset called "shown", which the page's script fills from the numbers the page has
anyway; on paper it holds the first contrasted measure. The order of runs and topics is a column of
it (`place`), since the script puts other data into the same picture.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeline.report.charts import SHOWN, Chart, filled
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.wording import SIGNS, TOLD
from pipeline.storage.arrays import Floats

Values = list[dict[str, Any]]


@section("intervals", place=70, template="intervals.html.j2", title="Measures")
def intervals(report: Report) -> Content:
    """How sure the means are, how hard the topics are, and every score."""
    board = report.board
    first, runs, topics = board.contrast[0], board.runs, [topic.id for topic in board.topics]
    height = (16 if len(runs) <= 40 else 13 if len(runs) <= 100 else 7) * len(runs)
    font, count = _font(len(runs)), len(topics)
    title = f"{first} with intervals, bounds and who is told apart from the best"
    shown = {SHOWN: shown_intervals(report, measure=first)}
    spec = filled("intervals.yaml", shown, height=height, font=font)
    drawn = [Chart(name="intervals", title=title, spec=spec, filled=True)]
    if first in report.scores and topics:
        scores = report.scores[first]
        axis = {"labelAngle": -90, "labelFontSize": _font(count), "labels": count <= 150}
        width = max(2, min(9, 700 // count))
        shown = {SHOWN: shown_topics(topics, scores)}
        hard = filled("difficulty.yaml", shown, axis=axis, stroke=width, size=8 * width)
        shown = {SHOWN: shown_scores(runs, topics, scores)}
        cells = filled("heat.yaml", shown, axis=axis, height=height, font=font)
        for name, title, spec, wide in (
            # Of many topics the ids would cover each other.
            ("difficulty", f"Difficulty of the topics by {first}", hard, count > 30),
            ("heat", f"{first} of every run on every topic", cells, True),
        ):
            chart = Chart(name=name, title=title, spec=spec, filled=True, around=90, wide=wide)
            drawn.append(chart)
    return Content({"tested": bool(report.standings)}, drawn)


def shown_intervals(report: Report, *, measure: str) -> Values:
    """The rows of the chart of intervals, best first; the page's script makes the same."""
    sides = report.from_best[measure]
    ordered = sorted(report.board.cells(measure).items(), key=lambda one: -one[1].value)
    rows = []
    for place, (run, cell) in enumerate(ordered):
        stand, side = report.standings.get((measure, run)), sides.get(run, "")
        # Where they are unknown, a line without length: a scale needs numbers.
        lower = cell.value if cell.lower is None else cell.lower
        upper = cell.value if cell.upper is None else cell.upper
        rows.append(
            {"run": run, "place": place, "mean": cell.value, "lower": lower, "upper": upper}
            | {"t_lower": stand and stand.lower, "t_upper": stand and stand.upper}
            | {"sign": SIGNS.get(side, ""), "told": TOLD.get(side)}
            | {"reach": max(cell.value, upper, stand.upper if stand else cell.value)}
        )
    return rows


def _hard_first(scores: Floats) -> list[int]:
    order: list[int] = np.argsort(np.median(scores, axis=0), kind="stable").tolist()
    return order


def shown_topics(topics: Sequence[str], scores: Floats) -> Values:
    """The columns of the chart of topics, hard first; the page's script makes the same."""
    names = ("worst", "low", "median", "high", "best")
    quantiles = np.quantile(scores, (0, 0.25, 0.5, 0.75, 1), axis=0)
    return [
        {"topic": topics[at], "place": place}
        | dict(zip(names, quantiles[:, at].tolist(), strict=True))
        for place, at in enumerate(_hard_first(scores))
    ]


def shown_scores(runs: Sequence[str], topics: Sequence[str], scores: Floats) -> Values:
    """The cells of the heat map; the page's script makes the same."""
    ordered = np.argsort(-scores.mean(axis=1), kind="stable").tolist()
    return [
        {"run": runs[run], "topic": topics[topic], "run_place": row, "topic_place": column}
        | {"value": round(float(scores[run, topic]), 4)}
        for row, run in enumerate(ordered)
        for column, topic in enumerate(_hard_first(scores))
    ]


def _font(count: int) -> int:
    return 12 if count <= 40 else 10 if count <= 100 else 6
