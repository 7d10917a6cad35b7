"""The report's section on reading: what each threshold accepts, which correlation goes where."""

import json
from math import nan
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipeline.report.board import Board, Cell, Row
from pipeline.report.sections.reading import Reading, read

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


def board() -> Board:
    rows = tuple(
        Row(
            f"run{n}",
            "team",
            (n, n),
            tuple(Cell(0.1 * n, None, None, None, best=False) for _ in MEASURES),
        )
        for n in (1, 2, 3)
    )
    return Board(MEASURES, (MEASURES[0], MEASURES[1]), ("team",), rows, ())


@pytest.fixture
def reading(tmp_path: Path) -> Reading:
    pq.write_table(
        pa.table(
            {"fog": [4.0, 10.0, 12.0, 20.0, nan], "flesch_ease": [90.0, 60.0, 59.0, 10.0, nan]}
        ),
        tmp_path / "readability.parquet",
    )
    (tmp_path / "summary.json").write_text(
        json.dumps(
            {"documents": 5, "doubles": 0, "reasons": {"binary": 1}, "missing": 2, "notes": ["<b>"]}
        )
    )
    (tmp_path / "correlations.csv").write_text(
        "measure_a,measure_b,n,tau_b,tau_ap\n"
        'RBP(p=0.8),"uRBP(p=0.8, by=step_10)",3,0.5,0.25\n'
        '"uRBP(p=0.8, by=step_10)",RBP(p=0.8),3,0.5,0.75\n'
        'RBP(p=0.8),"uRBP(p=0.8, by=soft)",3,,\n'
    )
    return read(
        readability=tmp_path / "readability.parquet",
        summary=tmp_path / "summary.json",
        correlations=tmp_path / "correlations.csv",
        dimensions=DIMENSIONS,
        board=board(),
    )


def test_the_table(reading: Reading) -> None:
    assert reading.models == ("step", "arctan")
    assert [(r.index, r.base, r.threshold, r.accepted, r.share) for r in reading.rows] == [
        ("flesch_ease", "RBP(p=0.8)", 60, 2, 0.5),  # high is easy: 90 and 60 are accepted
        ("fog", "RBP(p=0.8)", 10, 2, 0.5),
        ("fog", "RBP(p=0.8)", 15, 3, 0.75),
    ]
    ease, ten, fifteen = reading.rows
    assert ten.cells[0] is not None
    assert ten.cells[0].measure == "uRBP(p=0.8, by=step_10)"
    assert ten.cells[0].correlations == {"tau_b": 0.5, "tau_ap": 0.25}  # RBP is the reference
    assert ten.cells[1] is not None
    assert ten.cells[1].correlations == {"tau_b": None, "tau_ap": None}
    assert fifteen.cells == (None, None)
    assert ease.cells[0] is not None
    assert ease.cells[0].correlations == {}  # not in the file


def test_the_numbers_around_it(reading: Reading) -> None:
    assert (reading.documents, reading.readable, reading.missing) == (5, 4, 2)
    assert reading.reasons == {"binary": 1}
    assert reading.quartiles["fog"] == pytest.approx((8.5, 11.0, 14.0))
    assert set(reading.specs) == {"reading-fog", "reading-flesch_ease", "reading-scatter"}


def data(spec: dict[str, Any], part: dict[str, Any]) -> list[dict[str, Any]]:
    """The values of a part of a chart, which Altair may put aside under a name."""
    given = part["data"]
    found: list[dict[str, Any]] = given.get("values") or spec["datasets"][given["name"]]
    return found


def test_every_document_is_in_the_histogram(reading: Reading) -> None:
    (bars, *_) = reading.specs["reading-fog"]["layer"]
    assert sum(bar["documents"] for bar in data(reading.specs["reading-fog"], bars)) == 4


def test_every_run_is_in_every_plot(reading: Reading) -> None:
    spec = reading.specs["reading-scatter"]
    points = data(spec, spec)
    assert len(points) == 3 * 3
    assert {point["plot"] for point in points} == set(MEASURES[1:4])
