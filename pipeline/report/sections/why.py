"""Why this score: a list document by document, alone or beside another run's.

The page has each document's gain and each rank's weight as the engine found them (see
`judged_lists`), for every measure that is a sum over the documents.
"""

from pipeline.report.judged import blocks
from pipeline.report.results import Results
from pipeline.report.section import Content, section


@section("why", place=82, template="why.html.j2", title="Why this score", needs=["judged_lists"])
def why(results: Results) -> Content | None:
    """The room, where a measure of the campaign is a sum."""
    judged = results.judged
    if not judged or not results.board.topics:
        return None
    sums = [name for name in results.board.measures if judged["measures"].get(name)]
    if not sums:
        return None
    others = [name for name in results.board.measures if name not in sums]
    values = {"judged": judged, "sums": sums, "others": others, "board": results.board}
    return Content(values, data=blocks(judged))
