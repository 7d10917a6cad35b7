"""How far the measures agree on the order of the runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import InputError
from pipeline.report.board import FEW
from pipeline.report.chart import Chart
from pipeline.report.drawing import Spec, plain
from pipeline.report.names import shown_short
from pipeline.report.results import Results
from pipeline.report.section import Content, section
from pipeline.storage import sheets

NUMBERED = 25  # measures at most whose cells are large enough for a number


@dataclass(frozen=True)
class Agreement:
    """A symmetric statistic between measures; `values` has what correlations.csv has."""

    statistic: str
    measures: tuple[str, ...]
    values: Mapping[tuple[str, str], float]

    @property
    def numbered(self) -> bool:
        """Whether the cells have their numbers in them."""
        return len(self.measures) <= NUMBERED

    @property
    def cell(self) -> tuple[int, int]:
        """Width, at least, and height of a cell, in pixels; a measure's name has its line."""
        return (46, 36) if self.numbered else (14, 14)


@section(
    "agreement",
    place=60,
    template="agreement.html.j2",
    title="Agreement",
    needs=["correlations"],
)
def agreement(results: Results) -> Content:
    """The heat map of a statistic between the measures."""
    assert results.files.correlations
    found = read_agreement(results.files.correlations, measures=results.board.measures)
    runs = len(results.board.rows)
    if runs <= FEW:
        return Content({"agreement": found, "few": runs})
    drawn = Chart(
        name="agreement",
        title="Agreement between measures",
        spec=heat_map(found),
        around=150,
        wide=True,
    )
    return Content({"agreement": found, "few": 0}, [drawn])


def read_agreement(path: Path, *, measures: Sequence[str]) -> Agreement:
    """Read tau_b, or else the first statistic, from correlations.csv; blanks are left out."""
    head = next(sheets.lines(path), [])
    statistics = [name for name in head if name not in _KEYS]
    if not statistics or not set(_KEYS) <= set(head):
        raise InputError(f"{path}: columns {', '.join(_KEYS)} and a statistic are needed.")
    statistic = "tau_b" if "tau_b" in statistics else statistics[0]
    values = {
        (row["measure_a"], row["measure_b"]): float(row[statistic])
        for row in sheets.read(path)
        if row[statistic]
    }
    return Agreement(statistic=statistic, measures=tuple(measures), values=values)


_KEYS = ("measure_a", "measure_b", "n")


def heat_map(agreement: Agreement) -> Spec:
    """Heat map of a statistic between all measures; few enough have their numbers in the cells."""
    import altair as alt

    measures = list(agreement.measures)
    cells = [
        {"a": a, "b": b, "value": agreement.values[a, b]}
        for a in measures
        for b in measures
        if (a, b) in agreement.values
    ]
    # Altair checks every value of its data: ten seconds and a gigabyte for 90,000 cells.
    given = cells if agreement.numbered else cells[:1]
    base = alt.Chart(alt.InlineData(values=given)).encode(
        x=alt.X(
            "b:N",
            title=None,
            scale=alt.Scale(domain=measures),
            axis=alt.Axis(labelAngle=-35, labelExpr=shown_short(measures)),
        ),
        y=alt.Y(
            "a:N",
            title=None,
            scale=alt.Scale(domain=measures),
            axis=alt.Axis(labelExpr=shown_short(measures)),
        ),
        tooltip=[
            alt.Tooltip("a:N", title="Measure"),
            alt.Tooltip("b:N", title="and"),
            alt.Tooltip("value:Q", title=agreement.statistic, format=".4f"),
        ],
    )
    # domainMid makes Vega-Lite use the config's diverging range, whose middle is the page's ground.
    shade = alt.Color(
        "value:Q",
        title=agreement.statistic,
        legend=None,
        scale=alt.Scale(domain=[-1, 1], domainMid=0, interpolate="lab"),
    )
    layers = [base.mark_rect(style="tile").encode(color=shade).properties(name="cells")]
    if agreement.numbered:
        # White is legible on both themes' full colours; nearer 0 the theme's own ink for tiles is.
        text = alt.when("datum.value > 0.75 || datum.value < -0.97").then(alt.value("#ffffff"))
        numbers = base.mark_text(style="tile-number").encode(
            text=alt.Text("value:Q", format=".2f"), color=text
        )
        layers.append(numbers.properties(name="numbers"))
    chart = alt.layer(*layers).properties(
        width="container",
        height=agreement.cell[1] * len(measures),
        description=f"Heat map of {agreement.statistic} between the measures.",
    )
    spec = plain(chart)
    (data,) = spec["datasets"]
    spec["datasets"][data] = cells
    return spec
