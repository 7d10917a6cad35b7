"""The topics: their text, and how hard they are."""

from pipeline.report.results import Results
from pipeline.report.section import Content, section


@section("topics", place=90, template="topics.html.j2", title="Topics")
def topics(results: Results) -> Content | None:
    """Each topic with the mean over all runs under the contrasted measures."""
    return Content({"board": results.board}) if results.board.topics else None
