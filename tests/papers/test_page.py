"""A paper's page and files, from an outcome: nothing fetched, everything escaped, nothing lost."""

import csv
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.papers import step
from pipeline.papers.outcome import PageSection, PageTable, RerunResult, side_by_side
from pipeline.papers.paper import PAPERS, Paper, PaperInputs
from pipeline.papers.published import PrintedFigure, compared
from pipeline.report.charts import Chart
from tests.report.test_browser import NEEDED, chromium  # noqa: F401

HOSTILE = '<script>alert("x")</script> & "so"'
SPEC = {"height": 100, "width": "container", "mark": "point", "data": {"values": [{"x": 1}]}}


def outcome(given: PaperInputs) -> RerunResult:
    one = PrintedFigure(table="1", row="r", column="c", text=".26", where="Table 1, p. 4")
    cells = [
        compared(one, 0.261),
        compared(replace(one, row=HOSTILE), 0.3, why=HOSTILE),
        compared(replace(one, column="d"), None, why="gone"),
    ]
    mixed = PageTable(
        name="mixed", title="Mixed", columns=("Name", "Text", "Whole", "Number", "None"),
        rows=[(HOSTILE, "words", 12345, 0.12345, None)], places=2, note="A note.",
    )  # fmt: skip
    chart = Chart(name="drawn", title="Drawn", spec=SPEC)
    return RerunResult(
        cells=cells,
        findings=[HOSTILE],
        sections=[
            PageSection(
                name="one", title="One", text=[HOSTILE], charts=[chart],
                tables=[side_by_side(cells, name="side", title="Side"), mixed],
            )
        ],
    )  # fmt: skip


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    declared = Paper(name="p", title="P", citation="C", function=outcome)
    monkeypatch.setattr(step, "PAPERS", {**PAPERS, "p": declared})
    given = PaperInputs(settings={}, absent={"clef": HOSTILE})
    step.rerun("mine", paper="p", inputs=given, out=tmp_path)
    return tmp_path


def test_the_page(made: Path) -> None:
    page = (made / "index.html").read_text()
    assert "Content-Security-Policy" in page
    assert "default-src &#39;none&#39;" in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(" in page
    assert page.count("<script>") == 2  # its own and Vega's; text from outside opens none
    markup = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r'(src|href)="(?!#)', markup)
    for text in (
        "1 agrees",
        "1 differs",
        "1 absent",
        "campaign clef is not available.",
        "12,345",
        "A note.",
    ):
        assert text in page, text
    assert 'data-chart="drawn"' in page
    assert 'title="agrees"' in page


def test_the_table_of_printed_figures(made: Path) -> None:
    with (made / "published.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["verdict"] for row in rows] == ["agrees", "differs", "absent"]
    assert rows[0] == {
        "table": "1", "row": "r", "column": "c", "published": ".26", "ours": "0.261",
        "difference": "0.001", "verdict": "agrees", "why": "", "where": "Table 1, p. 4",
    }  # fmt: skip
    assert (rows[2]["ours"], rows[2]["difference"], rows[2]["why"]) == ("", "", "gone")
    assert rows[1]["row"] == HOSTILE


def test_tables_and_charts(made: Path) -> None:
    assert (made / "figures/drawn.svg").read_text().startswith("<svg")
    assert (made / "figures/drawn.pdf").read_bytes().startswith(b"%PDF")
    with (made / "tables/mixed.csv").open(newline="") as file:
        assert list(csv.reader(file))[1] == [HOSTILE, "words", "12345", "0.12", ""]
    assert r"\begin{longtable}" in (made / "tables/mixed.tex").read_text()
    assert "0.261 (.26)" in (made / "tables/side.csv").read_text()


def test_the_same_bytes_again(made: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in made.rglob("*") if path.is_file()}
    given = PaperInputs(settings={}, absent={"clef": HOSTILE})
    step.rerun("mine", paper="p", inputs=given, out=made)
    assert {path.name: path.read_bytes() for path in made.rglob("*") if path.is_file()} == before


@NEEDED
@pytest.mark.browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_opens_draws_and_can_be_taken_along(
    made: Path,
    chromium: Any,  # noqa: F811
    theme: str,
) -> None:
    context = chromium.new_context(offline=True, color_scheme=theme)
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("console", lambda said: wrong.append(said.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto((made / "index.html").as_uri())
    tab.wait_for_selector('[data-chart="drawn"][data-drawn]')
    assert tab.locator("main .take").count() == tab.locator("main .table, [data-chart]").count()
    context.close()
    assert wrong == []
