"""The report of a campaign: one HTML page that opens offline.

`report` reads the results, `sections` select and show them (see `section`), and this module renders
the page. `teams` writes a page for each team, `figures` and `tables` the files for papers. The
same inputs give the same bytes.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import yaml

from pipeline.config.runs import Teams
from pipeline.gains.relevance_strings import relstrings
from pipeline.report import figures, tables, teams
from pipeline.report.charts import look
from pipeline.report.checks import write_checks
from pipeline.report.markup import behaviour, environment, json_block, script, tight, vega
from pipeline.report.report import Provenance, Report, definition
from pipeline.report.section import Content, Section, contents
from pipeline.results import REPORT_TABLES, Results
from pipeline.runs.teams import is_unaffiliated, read_teams
from pipeline.sources.places import with_missing
from pipeline.storage.atomic import write_text

_HERE = Path(__file__).parent
TOOLS = (
    *("fathom-evaluation", "snakemake", "numpy", "pyarrow", "scipy", "beautifulsoup4"),
    "vl-convert-python",
)
_SCRIPTS = (
    "elements.js", "address.js", "zoom.js", "judged.js", "explore.js", "ranks.js", "why.js",
    "what_if.js",
)  # fmt: skip


def write_page(report: Report, sections: Sequence[tuple[Section, Content]]) -> None:
    """Write report/index.html."""
    write_text(report.results.page, render(report, sections))


def body(report: Report, section: Section, content: Content, templates: Any) -> str:
    """One section as HTML."""
    values = {**content.values, "charts": {chart.name: chart for chart in content.charts}}
    template = templates.get_template(section.template)
    return str(template.render(**values, report=report, board=report.board))


def render(report: Report, sections: Sequence[tuple[Section, Content]]) -> str:
    """The report as one string of HTML."""
    templates = environment(_HERE / "sections")
    bodies = [body(report, section, content, templates) for section, content in sections]
    charts = {chart.name: chart.for_page for _, content in sections for chart in content.charts}
    # JSON blocks by id: charts, their look, data of sections, names of files beside the page.
    data: dict[str, Any] = {
        "charts": charts,
        "look": look(),
        **{id: value for _, content in sections for id, value in content.data.items()},
        "figure-files": list(charts),
        "table-files": list(REPORT_TABLES),
    }
    page = templates.get_template("index.html.j2").render(
        report=report,
        shown=sections,
        body=tight("".join(bodies)),
        data={id: json_block(value) for id, value in data.items()},
        script=behaviour(*_SCRIPTS),
        vega=script(vega()),
    )
    return str(page)


def write(
    results: Results, settings: Mapping[str, Any], *, inputs: Iterable[Path], originals: list[Path]
) -> None:
    """Write the report from the results in `inputs`; `originals` are the campaign's input files."""
    policies, labelled, topics = settings["policies"], settings["labelled"], results.read_topics()
    gains = {name: results.gains(name) for name in settings["dimensions"]}
    team = settings["team"] and Teams.model_validate(settings["team"])
    write_checks(
        results.runs,
        rankings=results.rankings,
        gains=gains,
        topics=[topic.id for topic in topics if topic.counts],
        known_topics=[topic.id for topic in topics],
        unknown_topics=policies["unknown_topics"],
        teams=read_teams(results.teams) if team else None,
        unaffiliated=partial(is_unaffiliated, team) if team else lambda _: False,
        out=results.checks,
    )
    judged = {name: gains[name] for name in dict.fromkeys((next(iter(gains)), *labelled))}
    relstrings(judged, out=results.relevance_strings, depth=10, unjudged=policies["unjudged"])
    command = f"fathom run results/{results.name}/config.yaml"
    # As the user wrote it, to rebuild from.
    config = {"campaigns": {results.name: settings["given"]}}
    text = yaml.safe_dump(config, sort_keys=False, width=100)
    write_text(results.config, f"# {command}\n{text}")
    dimensions = settings["dimensions"]
    provenance = Provenance(
        command=command,
        policies=policies,
        dimensions=dimensions,
        measures={name: definition(name, dimensions) for name in settings["measures"]},
        inputs=list(map(_described, originals)),
        sources=with_missing(settings["made"], sources=results.sources),
        versions={tool: version(tool) for tool in TOOLS},
    )
    report = Report(
        results=results,
        title=settings["title"],
        contrast=tuple(settings["contrast"]),
        provenance=provenance,
        files=frozenset([results.checks, *inputs]),
        alpha=settings["alpha"],
        unjudged=policies["unjudged"],
        relevant=next(iter(labelled), None),
    )
    sections = contents(report)
    write_page(report, sections)
    teams.write(report)
    tables.write(report)
    charts = [chart for _, content in sections for chart in content.charts]
    figures.write(charts, out=results.figures)


def _described(path: Path) -> dict[str, str | int]:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"path": str(path), "sha256": digest, "bytes": path.stat().st_size}
