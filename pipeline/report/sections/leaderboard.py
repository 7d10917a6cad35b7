"""The leaderboard: every run under every measure."""

from pipeline.report.board import Board, Cell
from pipeline.report.results import Results
from pipeline.report.section import Content, section


@section("leaderboard", place=20, template="leaderboard.html.j2", title="Leaderboard")
def leaderboard(results: Results) -> Content:
    """Means, bounds, groups and ranks, in order of the first contrasted measure."""
    return Content(
        {
            "board": results.board,
            "standings": results.standings,
            "from_best": results.from_best,
            "largest": largest(results.board),
            "team_files": results.team_files,
        }
    )


def largest(board: Board) -> list[float]:
    """The largest bound of each column, to which its bars are drawn."""

    def reach(cell: Cell) -> float:
        return max(cell.value, cell.upper if cell.upper is not None else cell.value)

    columns = zip(*(row.cells for row in board.rows), strict=True)
    return [max(1e-9, *(reach(cell) for cell in column)) for column in columns]
