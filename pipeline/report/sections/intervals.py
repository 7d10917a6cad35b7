"""Charts that show one measure at a time, which the reader chooses.

Each has a dataset called "shown", which the page's script fills from the numbers the page has
anyway; on paper it holds the first contrasted measure. The order of runs and topics is a column of
it (`place`), since the script puts other data into the same picture.
"""

from typing import Any

import numpy as np

from pipeline.report.board import Board
from pipeline.report.chart import SHOWN, Chart
from pipeline.report.drawing import Spec, plain
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.report.topic_scores import TopicScores
from pipeline.report.wording import SIGNS, TOLD


@section("intervals", place=70, template="intervals.html.j2", title="Measures")
def intervals(results: Results) -> Content:
    """How sure the means are, how hard the topics are, and every score."""
    board, scores = results.board, results.scores
    first, runs, topics = board.contrast[0], len(board.rows), len(board.topics)
    drawn = [
        Chart(
            name="intervals",
            title=f"{first} with intervals, bounds and who is told apart from the best",
            spec=means(runs=runs, values=shown_intervals(results, measure=first)),
            filled=True,
        )
    ]
    if first in scores.of and topics:
        hard = shown_topics(board, scores, measure=first)
        cells = shown_scores(board, scores, measure=first)
        drawn += [
            Chart(
                name="difficulty",
                title=f"Difficulty of the topics by {first}",
                spec=difficulty(topics=topics, values=hard),
                filled=True,
                around=90,
                wide=topics > 30,  # their ids would cover each other
            ),
            Chart(
                name="heat",
                title=f"{first} of every run on every topic",
                spec=heat(runs=runs, topics=topics, values=cells),
                filled=True,
                around=90,
                wide=True,
            ),
        ]
    return Content({"board": board, "tested": bool(results.standings)}, drawn)


def shown_intervals(results: Results, *, measure: str) -> list[dict[str, Any]]:
    """The rows of the chart of intervals, best first; the page's script makes the same."""
    board, standings, sides = results.board, results.standings, results.from_best[measure]
    at = board.measures.index(measure)
    rows = []
    ordered = sorted(board.rows, key=lambda row: -row.cells[at].value)
    for place, row in enumerate(ordered):
        cell, stand = row.cells[at], standings.get((measure, row.run))
        lower, upper = cell.lower, cell.upper
        ends = [x for x in (cell.value, upper, stand.upper if stand else None) if x is not None]
        rows.append(
            {
                "run": row.run,
                "place": place,
                "mean": cell.value,
                # Where nobody knows them, a line without length: a scale needs numbers.
                "lower": cell.value if lower is None else lower,
                "upper": cell.value if upper is None else upper,
                "t_lower": stand.lower if stand else None,
                "t_upper": stand.upper if stand else None,
                "sign": SIGNS.get(sides.get(row.run, ""), ""),
                "told": TOLD.get(sides.get(row.run, "")),
                "reach": max(ends),
            }
        )
    return rows


def shown_topics(board: Board, scores: TopicScores, *, measure: str) -> list[dict[str, Any]]:
    """The columns of the chart of topics, hard first; the page's script makes the same."""
    values = scores.of[measure]
    low, median, high = np.quantile(values, (0.25, 0.5, 0.75), axis=0)
    return [
        {
            "topic": board.topics[at].id,
            "place": place,
            "worst": float(values[:, at].min()),
            "low": float(low[at]),
            "median": float(median[at]),
            "high": float(high[at]),
            "best": float(values[:, at].max()),
        }
        for place, at in enumerate(scores.order(measure)[1])
    ]


def shown_scores(board: Board, scores: TopicScores, *, measure: str) -> list[dict[str, Any]]:
    """The cells of the heat map; the page's script makes the same."""
    values = scores.of[measure]
    runs, topics = scores.order(measure)
    return [
        {
            "run": board.rows[run].run,
            "topic": board.topics[topic].id,
            "run_place": row,
            "topic_place": column,
            "value": round(float(values[run, topic]), 4),
        }
        for row, run in enumerate(runs)
        for column, topic in enumerate(topics)
    ]


def means(*, runs: int, values: list[dict[str, Any]]) -> Spec:
    """Each run's mean with its interval over topics, and what unjudged documents leave open."""
    import altair as alt

    data = alt.NamedData(name=SHOWN)
    y = alt.Y(
        "run:N",
        title=None,
        sort=_by("place"),
        axis=alt.Axis(labelLimit=190, labelFontSize=_font(runs)),
    )
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("mean:Q", title="Mean", format=".4f"),
        alt.Tooltip("interval:N", title="95 % interval over topics"),
        alt.Tooltip("open:N", title="Bounds (unjudged)"),
        alt.Tooltip("told:N", title="From the best"),
    ]
    # Where there is no bound or no interval (a delegated measure, one topic) nothing is drawn, but
    # an axis of nothing but blanks has no ends.
    ends = {
        f"drawn_{end}": f"isValid(datum.{end}) ? datum.{end} : datum.mean"
        for end in ("lower", "upper", "t_lower", "t_upper")
    }
    base = alt.Chart(data).transform_calculate(**ends).encode(y=y, tooltip=tooltip)
    title = alt.X(
        "drawn_lower:Q",
        title="Mean over topics",
        axis=alt.Axis(tickCount=8),
        scale=alt.Scale(zero=False),
    )
    chart = alt.layer(
        base.mark_rule(style="open")
        .encode(x=title, x2="drawn_upper:Q")
        .properties(name="residual"),
        base.mark_rule(style="interval").encode(x="drawn_t_lower:Q", x2="drawn_t_upper:Q"),
        base.mark_point(style="mean").encode(x="mean:Q").properties(name="means"),
        base.mark_text(align="left", dx=8, style="end", fontSize=14).encode(
            x="reach:Q", text="sign:N"
        ),
    ).properties(
        width="container",
        height=_step(runs) * runs,
        description="Means of the runs with intervals, bounds and who is told apart.",
    )
    return _with(plain(chart), values)


def difficulty(*, topics: int, values: list[dict[str, Any]]) -> Spec:
    """Each topic from hard to easy: the middle half of the runs, the median and the best."""
    import altair as alt

    data = alt.NamedData(name=SHOWN)
    x = alt.X(
        "topic:N",
        title="Topic, from hard to easy",
        sort=_by("place"),
        axis=alt.Axis(labelAngle=-90, labelFontSize=_font(topics), labels=topics <= 150),
    )
    tooltip = [
        alt.Tooltip("topic:N", title="Topic"),
        alt.Tooltip("text:N", title="Text"),
        alt.Tooltip("median:Q", title="Median run", format=".4f"),
        alt.Tooltip("low:Q", title="Lower quartile", format=".4f"),
        alt.Tooltip("high:Q", title="Upper quartile", format=".4f"),
        alt.Tooltip("best:Q", title="Best run", format=".4f"),
        alt.Tooltip("by:N", title="by"),
    ]
    base = alt.Chart(data).encode(x=x, tooltip=tooltip)
    width = max(2, min(9, 700 // max(1, topics)))
    chart = alt.layer(
        base.mark_rule(style="open").encode(
            y=alt.Y("worst:Q", title="Score of the runs"), y2="best:Q"
        ),
        base.mark_rule(style="interval", strokeWidth=width, strokeCap="butt").encode(
            y="low:Q", y2="high:Q"
        ),
        base.mark_point(style="mean", size=8 * width)
        .encode(y="median:Q")
        .properties(name="topics"),
    ).properties(
        width="container",
        height=300,
        description="Difficulty of the topics: spread of the runs' scores on each.",
    )
    return _with(plain(chart), values)


def heat(*, runs: int, topics: int, values: list[dict[str, Any]]) -> Spec:
    """Every score: runs from best to worst, topics from hard to easy."""
    import altair as alt

    chart = (
        alt.Chart(alt.NamedData(name=SHOWN), name="scores")
        .mark_rect(style="cell")
        .encode(
            x=alt.X(
                "topic:N",
                title="Topic, from hard to easy",
                sort=_by("topic_place"),
                axis=alt.Axis(labelAngle=-90, labelFontSize=_font(topics), labels=topics <= 150),
            ),
            y=alt.Y(
                "run:N",
                title=None,
                sort=_by("run_place"),
                axis=alt.Axis(labelLimit=190, labelFontSize=_font(runs)),
            ),
            color=alt.Color("value:Q", title="Score", legend=alt.Legend(gradientLength=160)),
            tooltip=[
                alt.Tooltip("run:N", title="Run"),
                alt.Tooltip("topic:N", title="Topic"),
                alt.Tooltip("value:Q", title="Score", format=".4f"),
            ],
        )
        .properties(
            width="container",
            height=_step(runs) * runs,
            description="Heat map of scores: a row a run, a column a topic.",
        )
    )
    return _with(plain(chart), values)


def _by(column: str) -> Any:
    import altair as alt

    return alt.EncodingSortField(column, op="min", order="ascending")


def _with(spec: Spec, values: list[dict[str, Any]]) -> Spec:
    return {**spec, "datasets": {**spec.get("datasets", {}), SHOWN: values}}


def _step(count: int) -> int:
    return 16 if count <= 40 else 13 if count <= 100 else 7


def _font(count: int) -> int:
    return 12 if count <= 40 else 10 if count <= 100 else 6
