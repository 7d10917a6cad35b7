"""Several queries for one information need: how far a run depends on the wording."""

from pipeline.report.findings import Findings, table
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

FILES = ("variations/runs.csv", "variations/needs.csv")


@section("variations", place=150, template="variations.html.j2", title="Variations", needs=FILES)
def variations(results: Results) -> Content:
    """Means over needs, and how far needs and wordings differ."""
    runs, needs = (sheets.read(results.files.tables[name]) for name in FILES)
    queries = {row["need"]: int(row["queries"]) for row in needs}
    found = Findings((table("Runs", runs, open=True), table("Needs", needs)))
    return Content({"findings": found, "queries": queries})
