"""What the results would have been, had a team or a run not given to the pool."""

from pipeline.report.findings import Findings, Rows, table
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

FILES = ("reusability/summary.csv", "reusability/runs.csv")


@section("reusability", place=130, template="reusability.html.j2", title="Reusability", needs=FILES)
def reusability(results: Results) -> Content:
    """How far runs move when what only they gave to the pool becomes unjudged."""
    summary, runs = (sheets.read(results.files.tables[name]) for name in FILES)
    found = Findings(
        tuple(_sentences(summary)),
        (
            table("By measure", summary, open=True),
            *(
                table(f"Each {kind} left out", [row for row in runs if row["kind"] == kind])
                for kind in dict.fromkeys(row["kind"] for row in runs)
            ),
        ),
    )
    return Content({"findings": found})


def _sentences(summary: Rows) -> list[str]:
    text = []
    for kind in dict.fromkeys(row["kind"] for row in summary):
        known = [r for r in summary if r["kind"] == kind and r.get("largest_rank_change")]
        if known:
            worst = max(known, key=lambda row: int(row["largest_rank_change"]))
            text.append(
                f"Leaving out each {kind} in turn moves its runs by {worst['mean_rank_change']} "
                f"ranks on average under {worst['measure']}, and by up to "
                f"{worst['largest_rank_change']} ({worst['largest_rank_change_of']})."
            )
    return text or ["Nobody gave a judged document to the pool alone, so nothing would change."]
