"""The verdict first, then what was evaluated, from which files, under which policies.

Facts are found here; the words are in the template, so that they cannot disagree with them.
"""

from pipeline.report.board import FEW
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.report.sections.audit import read as read_audit
from pipeline.report.verdict import claims, lacking, left_open


@section("summary", place=10, template="summary.html.j2")
def summary(results: Results) -> Content:
    """Who is ahead and how surely, what was evaluated, and what was odd."""
    return Content(
        {
            "board": results.board,
            "claims": claims(results),
            "few": len(results.board.rows) <= FEW,
            "lacking": list(lacking(results.provenance)),
            "published": read_audit(results.files.audit).counts if results.files.audit else None,
            "left_open": list(left_open(results.board)),
            "checks": results.checks,
        }
    )
