"""The report of a campaign: one HTML page that opens offline, with every number traceable.

The way through the package: `results` reads the campaign's files, `sections` (one module and one
template each, see `section`) say what they show, `page` escapes and assembles. `teams` writes a
page for each team, `figures` the charts for paper, `tables` the tables. Nothing here knows the
time or the machine: the same inputs give the same bytes.
"""

import json
from pathlib import Path

from pipeline.report.page import render
from pipeline.report.results import Results
from pipeline.report.section import contents
from pipeline.storage.atomic import atomic


def write(results: Results, *, out: Path, charts: Path | None = None) -> None:
    """Write the report of one campaign to `out`, and its charts as JSON to `charts`."""
    shown = contents(results)
    html = render(results, shown)
    with atomic(out) as draft:
        draft.write_text(html, encoding="utf-8", newline="\n")
    if charts is not None:
        kept = {c.name: c.for_paper for _, content in shown for c in content.charts}
        with atomic(charts) as draft:
            draft.write_text(json.dumps(kept, allow_nan=False) + "\n", encoding="utf-8")
