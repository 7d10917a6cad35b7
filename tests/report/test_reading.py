"""The report's section on reading: what each threshold accepts, which correlation goes where."""

from math import nan
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.report.report import Provenance, Report
from pipeline.report.section import Content
from pipeline.report.sections.reading import reading as show
from pipeline.results import Results
from pipeline.storage import sheets

MEASURES = (
    "RBP(p=0.8)",
    "uRBP(p=0.8, by=step_10)",
    "uRBP(p=0.8, by=soft)",
    "uRBP(p=0.8, by=ease)",
    "uRBP(p=0.5, by=step_10)",  # its plain counterpart is not there
    "uRBP(p=0.8, by=human)",  # not estimated
    "nDCG@10",
)
DIMENSIONS = {
    "topicality": {"scale": [0, 1]},
    "human": {"scale": [0, 1]},
    "step_10": {"index": "fog", "model": "step", "threshold": 10},
    "soft": {"index": "fog", "model": "arctan", "threshold": 10},
    "unused": {"index": "fog", "model": "step", "threshold": 15},
    "ease": {"index": "flesch_ease", "model": "step", "threshold": 60},
}


@pytest.fixture
def reading(tmp_path: Path) -> Content:
    results = Results(tmp_path)
    results.page_problems.parent.mkdir()
    columns = {
        "fog": [4.0, 10.0, 12.0, 20.0, nan],
        "flesch_ease": [90.0, 60.0, 59.0, 10.0, nan],
        "reason": ["", "", "", "", "binary"],
    }
    pq.write_table(pa.table(columns), results.readability)
    results.page_problems.write_text(
        "kind,where,what\nmissing,d1,no page\nmissing,d2,no page\nnote,<b>,truncated\n"
    )
    results.correlations.write_text(
        "measure_a,measure_b,n,tau_b,tau_ap\n"
        'RBP(p=0.8),"uRBP(p=0.8, by=step_10)",3,0.5,0.25\n'
        '"uRBP(p=0.8, by=step_10)",RBP(p=0.8),3,0.5,0.75\n'
        'RBP(p=0.8),"uRBP(p=0.8, by=soft)",3,,\n'
    )
    rows = ([f"run{n}", "team", *[0.1 * n] * len(MEASURES)] for n in (1, 2, 3))
    sheets.write(results.means, ["run", "team", *MEASURES], rows)
    known = Provenance(dimensions=DIMENSIONS)
    contrast = (MEASURES[0], MEASURES[1])
    shown = show(Report(results=results, title="Pages", contrast=contrast, provenance=known))
    assert shown
    return shown


KEYS = ("index", "base", "threshold", "accepted", "share")


def taus(cell: Any) -> tuple[str, str]:
    return cell["tau_b"], cell["tau_ap"]


def test_the_table(reading: Content) -> None:
    assert list(reading.values["models"]) == ["step", "arctan"]
    rows = reading.values["rows"]
    assert [tuple(row[key] for key in KEYS) for row in rows] == [
        ("flesch_ease", "RBP(p=0.8)", 60, 2, 0.5),  # high is easy: 90 and 60 are accepted
        ("fog", "RBP(p=0.8)", 10, 2, 0.5),
        ("fog", "RBP(p=0.8)", 15, 3, 0.75),
    ]
    ease, ten, fifteen = rows
    assert ten["cells"][0]["measure_b"] == "uRBP(p=0.8, by=step_10)"
    assert taus(ten["cells"][0]) == ("0.5", "0.25")  # RBP is the reference
    assert taus(ten["cells"][1]) == ("", "")
    assert fifteen["cells"] == [None, None]
    assert ease["cells"][0] == {}  # not in the file


def test_the_numbers_around_it(reading: Content) -> None:
    values = reading.values
    assert (values["documents"], values["readable"], values["missing"]) == (5, 4, 2)
    assert values["reasons"] == {"binary": 1}
    assert values["notes"] == ["<b>: truncated"]
    assert values["quartiles"]["fog"] == pytest.approx((8.5, 11.0, 14.0))
    names = [chart.name for chart in reading.charts]
    assert names == ["reading-fog", "reading-flesch_ease", "reading-scatter"]


def data(spec: dict[str, Any], part: dict[str, Any]) -> list[dict[str, Any]]:
    """The values of a part of a chart, which Altair may put aside under a name."""
    given = part["data"]
    found: list[dict[str, Any]] = given.get("values") or spec["datasets"][given["name"]]
    return found


def test_every_document_is_in_the_histogram(reading: Content) -> None:
    spec = reading.charts[0].spec
    assert sum(bar["documents"] for bar in data(spec, spec["layer"][0])) == 4


def test_every_run_is_in_every_plot(reading: Content) -> None:
    spec = reading.charts[-1].spec
    points = data(spec, spec)
    assert len(points) == 3 * 3
    assert {point["plot"] for point in points} == set(MEASURES[1:4])
