"""Precision at levels of recall: a curve a run, where the campaign asks for enough points of it."""

from dataclasses import dataclass

from pipeline.measures import parse
from pipeline.measures.measure import Single
from pipeline.report.board import Board
from pipeline.report.chart import Chart
from pipeline.report.drawing import Spec, plain
from pipeline.report.results import Results
from pipeline.report.section import Content, section

MEASURE, POINT = "IPrec", "recall"
FEWEST = 3  # points of a curve
NAMED = 6  # runs with a colour, the best by the measure that orders the leaderboard


@dataclass(frozen=True)
class Points:
    """The measures of one dimension's curve: recall, and the measure's place on the board."""

    dimension: str
    at: tuple[tuple[float, int], ...]


@section("curves", place=55, template="curves.html.j2", title="Curves")
def curves(results: Results) -> Content | None:
    """Interpolated precision against recall, for each dimension that has it."""
    board = results.board
    found = points(board, dimensions=list(results.provenance.dimensions))
    if not found:
        return None
    charts = [
        Chart(
            name=f"curves_{one.dimension}",
            title=f"Precision against recall: {one.dimension}",
            spec=chart(board, one),
            around=90,
        )
        for one in found
    ]
    return Content({"drawn": charts, "named": min(NAMED, len(board.rows))}, charts)


def points(board: Board, *, dimensions: list[str]) -> list[Points]:
    """The curves that the campaign's measures have enough points for."""
    found: dict[str, list[tuple[float, int]]] = {}
    for place, name in enumerate(board.measures):
        if not name.startswith(f"{MEASURE}("):
            continue
        one = parse(name, dimensions=dimensions)
        if isinstance(one, Single) and len(one.dimensions) == 1:
            recall = float(one.params[POINT])
            found.setdefault(one.dimensions[0], []).append((recall, place))
    return [Points(name, tuple(sorted(at))) for name, at in found.items() if len(at) >= FEWEST]


def chart(board: Board, one: Points) -> Spec:
    """A line a run; the best runs have colours, the others are thin."""
    import altair as alt

    named = [row.run for row in board.rows[:NAMED]]
    values = [
        {"run": row.run, "recall": recall, "precision": round(row.cells[place].value, 6)}
        for row in board.rows
        for recall, place in one.at
    ]
    x = alt.X("recall:Q", title="Recall", axis=alt.Axis(tickCount=6))
    y = alt.Y("precision:Q", title="Mean interpolated precision", axis=alt.Axis(tickCount=6))
    tooltip = [
        alt.Tooltip("run:N", title="Run"),
        alt.Tooltip("recall:Q", title="Recall"),
        alt.Tooltip("precision:Q", title="Precision", format=".4f"),
    ]
    best = [value for value in values if value["run"] in named]
    others = [value for value in values if value["run"] not in named]
    colour = alt.Color("run:N", title="Run", scale=alt.Scale(domain=named))
    drawn = alt.layer(
        alt.Chart(alt.InlineData(values=others), name="others")
        .mark_line(style="open")
        .encode(x=x, y=y, detail="run:N"),
        alt.Chart(alt.InlineData(values=best), name="named")
        .mark_line(point=True, strokeWidth=2)
        .encode(x=x, y=y, color=colour, tooltip=tooltip),
    ).properties(
        width="container",
        height=360,
        description="Mean interpolated precision at levels of recall, a line a run.",
    )
    return plain(drawn)
