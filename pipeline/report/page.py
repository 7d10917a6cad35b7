"""The report's page: the sections in their order, with what their scripts need."""

from collections.abc import Sequence
from pathlib import Path

from pipeline.report.drawing import look
from pipeline.report.markup import environment, json_block, policy, script, style, tight
from pipeline.report.results import Results
from pipeline.report.scripts import behaviour, vega
from pipeline.report.section import Content, Section
from pipeline.report.tables import TABLES

_HERE = Path(__file__).parent
_SCRIPTS = (
    *("elements.js", "address.js", "zoom.js", "judged.js", "explore.js", "ranks.js"),
    *("why.js", "what_if.js"),
)


def render(results: Results, contents: Sequence[tuple[Section, Content]]) -> str:
    """The report as one string of HTML."""
    templates = environment(_HERE, _HERE / "sections")
    bodies = [
        templates.get_template(section.template).render(
            **content.values,
            charts={chart.name: chart for chart in content.charts},
            results=results,
        )
        for section, content in contents
    ]
    specs = {chart.name: chart.for_page for _, content in contents for chart in content.charts}
    data = {id: value for _, content in contents for id, value in content.data.items()}
    own = [(_HERE / name).read_text("utf-8") for name in _SCRIPTS]
    source = "\n".join([behaviour(), *own])
    figures = [chart.name for _, content in contents for chart in content.charts]
    data["figure-files"] = figures
    # Made beside the page, as the pages of the teams are.
    data["table-files"] = list(TABLES) if results.team_pages else []
    scripts = {"page": script(source), "vega": script(vega())}
    html: str = templates.get_template("index.html.j2").render(
        results=results,
        links=_links(contents),
        body=tight("".join(bodies)),
        data={id: json_block(value) for id, value in _blocks(specs, data).items()},
        style=style(),
        scripts=scripts,
        policy=policy(list(scripts.values())),
    )
    return html


def _links(contents: Sequence[tuple[Section, Content]]) -> list[tuple[str, str]]:
    """The navigation: the id of an element and the title of its section."""
    return [
        (id, section.title)
        for section, content in contents
        if section.title
        for id in content.ids or (section.name,)
    ]


def _blocks(specs: object, data: dict[str, object]) -> dict[str, object]:
    """The JSON of the page by id: the charts, their look, and what sections add."""
    return {"charts": specs, "look": look(), **data}
