"""What if: other weights, thresholds and persistence, computed in the page.

The page carries the judged documents of every list (see `judged_lists`); the campaign's own setting
is where its sliders start.
"""

from pipeline.report.judged import blocks
from pipeline.report.results import Results
from pipeline.report.section import Content, section


@section("what-if", place=85, template="what_if.html.j2", title="What if", needs=["judged_lists"])
def what_if(results: Results) -> Content | None:
    """Sliders, the ranking and the verdict under them."""
    judged = results.judged
    if not judged or not judged["runs"] or not judged["topics"]:
        return None
    steps = [len(set(one["label"])) for one in judged["dimensions"]]
    values = {"judged": judged, "steps": steps, "board": results.board}
    return Content(values, data=blocks(judged))
