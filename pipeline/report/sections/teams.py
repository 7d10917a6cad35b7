"""Links to the pages of the teams."""

from pipeline.report.results import Results
from pipeline.report.section import Content, section


@section("teams", place=180, template="teams.html.j2", title="Teams")
def teams(results: Results) -> Content | None:
    """A link for each team, where there are such pages."""
    if not results.team_files:
        return None
    return Content({"board": results.board, "team_files": results.team_files})
