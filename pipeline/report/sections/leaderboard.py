"""The leaderboard: every run under every measure."""

from pipeline.report.board import Board, Cell
from pipeline.report.certainty import told_apart
from pipeline.report.names import short_names
from pipeline.report.results import Results
from pipeline.report.section import Content, section


@section("leaderboard", place=20, template="leaderboard.html.j2", title="Leaderboard")
def leaderboard(results: Results) -> Content:
    """Means, bounds, groups and ranks, in order of the first contrasted measure."""
    return Content(
        {
            "board": results.board,
            "short": short_names(results.board.measures),
            "standings": results.standings,
            "apart": apart(results),
            "largest": largest(results.board),
            "team_files": results.team_files,
        }
    )


def apart(results: Results) -> dict[str, dict[str, bool] | None]:
    """By measure, which runs are told apart from the best of its column; None: not tested."""
    rows, found = results.board.rows, {}
    for at, measure in enumerate(results.board.measures):
        best = next((row.run for row in rows if row.cells[at].best), "")
        others = [row.run for row in rows if not row.cells[at].best]
        found[measure] = told_apart(results.standings, measure=measure, best=best, runs=others)
    return found


def largest(board: Board) -> list[float]:
    """The largest bound of each column, to which its bars are drawn."""

    def reach(cell: Cell) -> float:
        return max(cell.value, cell.upper if cell.upper is not None else cell.value)

    columns = zip(*(row.cells for row in board.rows), strict=True)
    return [max(1e-9, *(reach(cell) for cell in column)) for column in columns]
