"""Sections whose templates show parts of the report with few further values."""

from pipeline.measures.measure import slug
from pipeline.report.board import FEW
from pipeline.report.judged import blocks
from pipeline.report.markup import Rows
from pipeline.report.report import Report
from pipeline.report.section import Content, section
from pipeline.report.sections.audit import counts
from pipeline.report.verdict import claims, residuals
from pipeline.statistics.correlation.statistics.pairs import tau_b
from pipeline.storage import arrow

ENDS = ("value", "worst", "expected", "best")
VISIBLE = 5e-5  # a difference that four decimals show


@section("summary", order=10, template="summary.html.j2")
def summary(report: Report) -> Content:
    """The verdict, then the scope of the evaluation, warnings, input files and policies."""
    audited = report.has(report.results.audit_summary)
    values = {
        "claims": claims(report),
        "few": len(report.board.rows) <= FEW,
        "missing": report.provenance.missing,
        "published": counts(report.results.read_audit()) if audited else None,
        "residuals": list(residuals(report.board)),
    }
    return Content(values)


@section("leaderboard", order=20, template="leaderboard.html.j2", title="Leaderboard")
def leaderboard(report: Report) -> Content:
    """Means, bounds, groups and ranks of every run under every measure."""
    columns = zip(*(row.cells for row in report.board.rows), strict=True)
    # The largest bound of each column scales its bars.
    reach = [max(1e-9, *(max(c.value, c.upper or c.value) for c in column)) for column in columns]
    return Content({"largest": reach})


@section("why", order=82, template="why.html.j2", title="Why this score")
def why(report: Report) -> Content | None:
    """The contributions of documents, for measures that are sums over documents."""
    judged, measures = report.judged, report.board.measures
    sums = [name for name in measures if judged and judged["measures"].get(name)]
    if not judged or not sums or not report.board.topics:
        return None
    others = [name for name in measures if name not in sums]
    return Content({"judged": judged, "sums": sums, "others": others}, data=blocks(judged))


@section("what-if", order=85, template="what_if.html.j2", title="What if")
def what_if(report: Report) -> Content | None:
    """Other weights, thresholds and persistence, from the campaign's setting."""
    judged = report.judged
    if not judged or not judged["runs"] or not judged["topics"]:
        return None
    steps = [len(set(dimension["label"])) for dimension in judged["dimensions"]]
    return Content({"judged": judged, "steps": steps}, data=blocks(judged))


@section("topics", order=90, template="topics.html.j2", title="Topics")
def topics(report: Report) -> Content | None:
    """Each topic with the mean over all runs under the contrasted measures."""
    return Content() if report.board.topics else None


@section("teams", order=180, template="teams.html.j2", title="Teams")
def teams(report: Report) -> Content | None:
    """A link to the page of each team."""
    return Content() if report.team_files else None


@section("inputs", order=190, template="inputs.html.j2", title="Inputs")
def inputs(report: Report) -> Content:
    """Warnings about the runs, the effect of ties, and the input files."""
    return Content({"ties": _ties(report)})


def _ties(report: Report) -> Rows:
    """The runs whose means under the contrasted measures depend on the order of tied documents."""
    widths = []
    for measure in dict.fromkeys(report.contrast):
        path = report.results.overall(slug(measure))
        for row in arrow.read(path).to_pylist() if report.has(path) else ():
            ends = {end: row.get(end) for end in ENDS}  # None without this analysis
            if None not in ends.values() and (width := ends["best"] - ends["worst"]) >= VISIBLE:
                cells = {end: f"{value:.4f}" for end, value in ends.items()}
                widths.append((width, {"run": row["run"], "measure": measure, **cells}))
    ordered = sorted(widths, key=lambda entry: (-entry[0], *entry[1].values()))
    return [cells for _, cells in ordered]


@section("methods", order=200, template="methods.html.j2", title="Methods")
def methods(report: Report) -> Content:
    """Policies, dimensions, measures and statistics, with citations."""
    return Content({"correlation": tau_b})
