"""How the campaign was evaluated: policies, dimensions, measures, statistics and tools."""

from pipeline.report.provenance import Definition
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.statistics.correlation.statistics.pairs import tau_b


@section("methods", place=200, template="methods.html.j2", title="Methods")
def methods(results: Results) -> Content:
    """All choices, with definitions and citations."""
    known = results.provenance.measures
    measures = {name: known.get(name, Definition()) for name in results.board.measures}
    return Content(
        {
            "provenance": results.provenance,
            "measures": measures,
            "correlation": tau_b,
        }
    )
