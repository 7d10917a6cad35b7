"""Precision at levels of recall: one curve per run, if the campaign has enough points of it."""

from pipeline.measures import parse
from pipeline.measures.measure import Single
from pipeline.report.board import Board
from pipeline.report.charts import Chart, Spec, filled
from pipeline.report.report import Report
from pipeline.report.section import Content, section

MEASURE, POINT = "IPrec", "recall"
FEWEST = 3  # points of a curve
NAMED = 6  # runs with a colour, the best by the measure that orders the leaderboard
Points = dict[float, str]  # the measures of a curve, by recall


@section("curves", place=55, template="curves.html.j2", title="Curves")
def curves(report: Report) -> Content | None:
    """Interpolated precision against recall, for each dimension that has it."""
    board, drawn = report.board, []
    for dimension, measures in points(board, dimensions=report.dimensions).items():
        name, title = f"curves_{dimension}", f"Precision against recall: {dimension}"
        drawn.append(Chart(name=name, title=title, spec=_chart(board, measures), around=90))
    shown = {"drawn": drawn, "named": min(NAMED, len(board.rows))}
    return Content(shown, drawn) if drawn else None


def points(board: Board, *, dimensions: list[str]) -> dict[str, Points]:
    """By dimension, the curves that the campaign's measures have enough points for."""
    found: dict[str, Points] = {}
    for name in board.measures:
        if not name.startswith(f"{MEASURE}("):
            continue
        one = parse(name, dimensions=dimensions)
        if isinstance(one, Single) and len(one.dimensions) == 1:
            found.setdefault(one.dimensions[0], {})[float(one.params[POINT])] = name
    return {name: dict(sorted(at.items())) for name, at in found.items() if len(at) >= FEWEST}


def _chart(board: Board, measures: Points) -> Spec:
    best = board.runs[:NAMED]
    columns = {recall: board.values(name).tolist() for recall, name in measures.items()}
    data: dict[str, list[dict[str, object]]] = {"others": [], "named": []}
    for number, run in enumerate(board.runs):
        data["named" if run in best else "others"] += [
            {"run": run, "recall": recall, "precision": round(column[number], 6)}
            for recall, column in columns.items()
        ]
    return filled("curves.yaml", data, best=best)
