"""The report on counters: each sentence true of its table, and absent where it would not be."""

import csv
from collections.abc import Sequence
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from pipeline.judging.counters import COLUMNS
from pipeline.report.page import render
from pipeline.report.section import contents
from pipeline.report.sections.counters import chart
from tests.report.test_sections import small

ROW = dict.fromkeys(COLUMNS, "0") | {
    "dimension": "simulated", "index": "fog", "sentence_ends": "1", "measure": "uRBP",
    "leader": "x", "tau_b": "1.000000", "difference": "0.0000",
}  # fmt: skip
Row = dict[str, str]


def row(method: str, engine: str, tau: str = "0.9", difference: str = "1.0", **more: str) -> Row:
    own = {"method": method, "engine": engine, "tau_b": tau, "difference": difference}
    return {**ROW, **own, **more}


OWN = row("blocks", "fathom", "1.0", "0.0", chosen="1")
ENDS = row("blocks", "fathom", "0.1", "1.4", sentence_ends="0", largest_move="9")
TEXTSTAT = row("blocks", "textstat", "0.85", "1.116", largest_move="2")
MAIN = row("main", "fathom", "0.7", "0.68", largest_move="1")
NAIVE = row("naive", "fathom", "-0.5", "4.0", largest_move="12")
CROSSED = row("naive", "textstat", "-0.9", "9.0", largest_move="14")
ALL = [OWN, ENDS, TEXTSTAT, MAIN, NAIVE, CROSSED]


def sentences(folder: Path, rows: Sequence[Row]) -> list[str]:
    """What the page says of them."""
    results = small(folder, tables={"counters.csv": write(folder / "counters.csv", rows)})
    soup = BeautifulSoup(render(results, contents(results)), "html.parser")
    lines = soup.select("#counters .findings li")
    return [
        " ".join(line.get_text().split()).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        for line in lines
    ]


def test_what_each_part_alone_changes(tmp_path: Path) -> None:
    differences, counter, cleansing, leader = sentences(tmp_path, ALL)
    assert differences == (
        "The FOG of a page differs on average from the one by blocks and fathom: with the counter "
        "textstat by 1.12; with the cleansing main by 0.68 and naive by 4.00."
    )
    assert counter == (
        "Of the ways that differ in the counter alone, textstat moves the runs most: tau-b 0.850 "
        "with the ranking by the campaign's own way under uRBP, the furthest by 2 ranks."
    )
    assert cleansing == (
        "Of the ways that differ in the cleansing alone, naive moves the runs most: tau-b "
        "−0.500 with the ranking by the campaign's own way under uRBP, the furthest by 12 ranks."  # noqa: RUF001
    )
    assert leader == "The same run leads in every other ranking (5)."


def test_another_leader_is_named_and_only_then(tmp_path: Path) -> None:
    moved = [*ALL[:-1], {**CROSSED, "leader": "y"}]
    assert sentences(tmp_path, moved)[-1] == (
        "Another run leads in 1 of 5 other rankings than in the campaign's own: y."
    )
    assert not any("Another run" in told for told in sentences(tmp_path, ALL))


def test_what_is_not_there_is_not_told(tmp_path: Path) -> None:
    assert sentences(tmp_path, [OWN]) == []
    told = sentences(tmp_path, [OWN, MAIN])
    assert len(told) == 3
    assert not any("counter" in sentence for sentence in told)
    unknown = {**MAIN, "tau_b": "", "difference": ""}  # no page has an index, so all runs tie
    assert sentences(tmp_path, [{**OWN, "difference": "", "tau_b": ""}, unknown]) == [
        "The same run leads in every other ranking (1)."
    ]


def write(path: Path, rows: Sequence[Row]) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_the_section_and_its_tables(tmp_path: Path) -> None:
    further = [{**one, "dimension": "other", "index": "smog"} for one in ALL]
    tables = {"counters.csv": write(tmp_path / "counters.csv", [*ALL, *further])}
    shown = {one.name: content for one, content in contents(small(tmp_path, tables=tables))}
    values = shown["counters"].values
    assert (values["measure"], values["way"]) == ("uRBP", "blocks and fathom")
    rankings, others, fog, smog = values["findings"].tables
    assert (rankings.caption, rankings.open, others.open) == ("Rankings by simulated", True, False)
    assert rankings.rows[0][:3] == ("blocks *", "fathom", "1")
    assert len(rankings.rows) == len(fog.rows) == len(smog.rows) == len(ALL)
    assert (fog.caption, smog.caption) == ("FOG of the pages", "SMOG of the pages")
    (drawn,) = shown["counters"].charts
    (points,) = drawn.spec["datasets"].values()
    assert [point["tau"] for point in points] == [1.0, 0.1, 0.85, 0.7, -0.5, -0.9]  # of one measure


def test_the_section_is_absent_without_rows_or_file(tmp_path: Path) -> None:
    tables = {"counters.csv": write(tmp_path / "counters.csv", [])}
    assert "counters" not in {one.name for one, _ in contents(small(tmp_path, tables=tables))}
    assert "counters" not in {one.name for one, _ in contents(small(tmp_path, tables={}))}


@pytest.mark.parametrize("end", ["svg", "png"])
def test_the_chart_can_be_drawn(end: str) -> None:
    import vl_convert

    from pipeline.report.drawing import printed

    drawn = getattr(vl_convert, f"vegalite_to_{end}")(printed(chart(ALL), width=600))
    assert len(drawn) > 1000
