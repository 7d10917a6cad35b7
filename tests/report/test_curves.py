"""Curves of precision and recall: from the measures a campaign lists, and only from enough."""

from pathlib import Path

import pytest

from pipeline.report.report import Provenance, Report
from pipeline.report.section import contents
from pipeline.report.sections.measures import points
from tests.report.made import small

LISTED = ("IPrec(recall=0.5)", "IPrec(recall=0)", "AP", "IPrec(recall=1)")
OTHER = "IPrec(recall=0.5, on=easy)"


def campaign(folder: Path, *measures: str) -> Report:
    known = Provenance(dimensions={"topic": {}, "easy": {}})
    report = small(folder, contrast=(measures[0], measures[1]), provenance=known)
    quoted = ",".join(f'"{name}"' for name in measures)
    rows = "".join(
        f"{run},t," + ",".join(str(value) for value in values[: len(measures)]) + "\n"
        for run, values in {"a": (0.3, 0.6, 0.2, 0.1, 0.9), "b": (0.2, 0.5, 0.1, 0, 0.8)}.items()
    )
    report.results.means.write_text(f"run,team,{quoted}\n{rows}")
    return report


def test_a_curve_of_three_points_and_none_of_one(tmp_path: Path) -> None:
    one = campaign(tmp_path, *LISTED, OTHER)
    found = points(one.board, dimensions=["topic", "easy"])
    assert found == {"topic": {0.0: LISTED[1], 0.5: LISTED[0], 1.0: LISTED[3]}}
    shown = {section.name: content for section, content in contents(one)}["curves"]
    assert [chart.name for chart in shown.charts] == ["curves_topic"]
    spec = shown.charts[0].spec
    values = spec["datasets"][spec["layer"][-1]["data"]["name"]]
    assert [(v["recall"], v["precision"]) for v in values if v["run"] == "a"] == [
        (0.0, 0.6), (0.5, 0.3), (1.0, 0.1),
    ]  # fmt: skip


@pytest.mark.parametrize("measures", [("AP", "RR"), LISTED[:3]])
def test_absent_without_enough_points(tmp_path: Path, measures: tuple[str, ...]) -> None:
    one = campaign(tmp_path, *measures)
    assert "curves" not in {section.name for section, _ in contents(one)}
