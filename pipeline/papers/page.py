"""A paper's page: its findings, its sections, and every printed figure beside ours."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pipeline.papers.outcome import Outcome, Value
from pipeline.papers.paper import Paper
from pipeline.papers.published import VERDICTS, Cell
from pipeline.report.drawing import look
from pipeline.report.markup import environment, json_block, policy, script, style
from pipeline.report.scripts import behaviour, vega

_HERE = Path(__file__).parent
_TEMPLATE = "paper.html.j2"
_OWN_STYLE = "paper.css"


def render(name: str, paper: Paper, outcome: Outcome, *, absent: Mapping[str, str]) -> str:
    """The page as one string of HTML."""
    charts = [chart for section in outcome.sections for chart in section.charts]
    scripts = {"page": script(behaviour())}
    if charts:
        scripts["vega"] = script(vega())
    verdicts = Counter(cell.verdict for cell in outcome.cells)
    templates = environment(_HERE)
    templates.tests["cell"] = _is_cell
    html: str = templates.get_template(_TEMPLATE).render(
        name=name,
        paper=paper,
        outcome=outcome,
        absent=absent,
        counts=[(one, VERDICTS[one], verdicts[one]) for one in VERDICTS if verdicts[one]],
        style=style() + (_HERE / _OWN_STYLE).read_text("utf-8"),
        data={
            "charts": json_block({chart.name: chart.for_page for chart in charts}),
            "look": json_block(look()),
        },
        scripts=scripts,
        policy=policy(list(scripts.values())),
    )
    return html


def _is_cell(value: Value) -> bool:
    return isinstance(value, Cell)
