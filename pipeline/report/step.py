"""The report of a campaign: one HTML page that opens offline, with every number traceable.

The way through the package: `report` reads the campaign's results, `sections` (one module and one
template each, see `section`) say what they show, and the page is put together here. `teams` writes
a page for each team, `figures` the charts for paper, `tables` the tables. Nothing here knows the
time or the machine: the same inputs give the same bytes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pipeline.report import figures, tables, teams
from pipeline.report.charts import look
from pipeline.report.markup import behaviour, environment, json_block, policy, script, style, tight
from pipeline.report.markup import vega as vega_script
from pipeline.report.report import Report
from pipeline.report.section import Content, Section, contents
from pipeline.results import REPORT_TABLES
from pipeline.storage.atomic import atomic

_HERE = Path(__file__).parent
_SCRIPTS = (
    *("elements.js", "address.js", "zoom.js", "judged.js", "explore.js", "ranks.js"),
    *("why.js", "what_if.js"),
)


def write(report: Report) -> None:
    """Write the page, the teams' pages, the tables and the figures of one campaign."""
    shown = contents(report)
    write_page(report, shown)
    teams.write(report)
    tables.write(report)
    charts = [chart for _, content in shown for chart in content.charts]
    figures.write(charts, out=report.results.figures)


def write_page(report: Report, shown: Sequence[tuple[Section, Content]]) -> None:
    """Write report/index.html."""
    with atomic(report.results.page) as draft:
        draft.write_text(render(report, shown), encoding="utf-8", newline="\n")


def body(report: Report, section: Section, content: Content, templates: Any) -> str:
    """One section as HTML."""
    values = {**content.values, "charts": {chart.name: chart for chart in content.charts}}
    template = templates.get_template(section.template)
    return str(template.render(**values, report=report, board=report.board))


def render(report: Report, shown: Sequence[tuple[Section, Content]]) -> str:
    """The report as one string of HTML."""
    templates = environment(_HERE / "sections")
    bodies = [body(report, section, content, templates) for section, content in shown]
    charts = {chart.name: chart.for_page for _, content in shown for chart in content.charts}
    # The JSON of the page by id: the charts, their look, what sections add, and what is beside it.
    data: dict[str, Any] = {
        "charts": charts,
        "look": look(),
        **{id: value for _, content in shown for id, value in content.data.items()},
        "figure-files": list(charts),
        "table-files": list(REPORT_TABLES) if report.team_pages else [],
    }
    scripts = {"page": behaviour(*_SCRIPTS), "vega": script(vega_script())}
    links = [
        (id, section.title)
        for section, content in shown
        if section.title
        for id in content.ids or (section.name,)
    ]
    page = templates.get_template("index.html.j2").render(
        report=report,
        links=links,
        body=tight("".join(bodies)),
        data={id: json_block(value) for id, value in data.items()},
        style=style(),
        scripts=scripts,
        policy=policy(list(scripts.values())),
    )
    return str(page)
