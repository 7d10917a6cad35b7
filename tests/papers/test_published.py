"""Printed figures and verdicts: each verdict made true by numbers, not by words."""

import csv
from pathlib import Path

import pytest

from pipeline.papers.outcome import side_by_side
from pipeline.papers.paper import PAPERS
from pipeline.papers.published import COLUMNS, VERDICTS, PrintedFigure, absent, compared, read

RERUNS = Path(__file__).parents[2] / "pipeline/papers/reruns"


def printed(text: str, row: str = "r", column: str = "c") -> PrintedFigure:
    return PrintedFigure(table="1", row=row, column=column, text=text, where="Table 1, p. 2")


@pytest.mark.parametrize(
    ("text", "ours", "how", "verdict"),
    [
        (".26", 0.2649, {}, "agrees"),
        (".26", 0.2551, {}, "agrees"),
        (".26", 0.2651, {}, "rounds"),
        (".26", 0.2699, {}, "rounds"),
        (".26", 0.2701, {}, "differs"),
        (".26", 0.2701, {"chance": 0.006}, "agrees"),
        (".26", 0.2801, {"within": 0.03}, "near"),
        (".26", 0.2901, {"within": 0.03}, "differs"),
        (".26", 0.26, {"impossible": True}, "impossible"),
        (".26", None, {}, "absent"),
        (".26", float("nan"), {}, "absent"),
        ("13,500", 13500, {}, "agrees"),
        ("13,500", 13502, {}, "differs"),
        ("-18", -17.6, {}, "agrees"),
        ("0.8666", 0.86664, {}, "agrees"),
        ("0.8666", 0.86666, {}, "rounds"),
    ],
)
def test_verdicts(text: str, ours: float | None, how: dict[str, float], verdict: str) -> None:
    cell = compared(printed(text), ours, why="because", **how)  # type: ignore[arg-type]
    assert cell.verdict == verdict
    assert cell.verdict in VERDICTS
    if ours is not None and verdict != "absent":
        assert cell.difference == pytest.approx(ours - float(text.replace(",", "")))
    assert cell.why if verdict != "agrees" else "because" not in cell.why


def test_shown_one_digit_more_exact_than_print() -> None:
    assert compared(printed(".26"), 0.26789).shown == "0.268"
    assert compared(printed("-18"), -16.96).shown == "-17.0"
    assert compared(printed("13,500"), 6480).shown == "6,480"
    assert compared(printed(".26"), None).shown == ""


def test_the_shape_of_the_papers_table() -> None:
    places = [("a", "x"), ("a", "y"), ("b", "x")]
    cells = [compared(printed(".5", row, column), 0.5) for row, column in places]
    table = side_by_side(cells, name="t", title="T")
    assert list(table.columns) == ["", "x", "y"]
    assert [row[0] for row in table.rows] == ["a", "b"]
    assert table.rows[0][1:] == (cells[0], cells[1])
    assert table.rows[1][1:] == (cells[2], None)


def test_pairs_come_in_one_order_both_ways() -> None:
    places = [("a", "b"), ("a", "c"), ("b", "a"), ("c", "a")]
    cells = [compared(printed(".5", row, column), 0.5) for row, column in places]
    assert list(side_by_side(cells, name="t", title="T").columns) == ["", "a", "b", "c"]


def test_absent_cells_say_why() -> None:
    (cell,) = absent([printed(".5")], why="no such file")
    assert (cell.verdict, cell.why, cell.difference) == ("absent", "no such file", None)


def test_a_figure_stands_once_and_every_figure_cites_its_place(tmp_path: Path) -> None:
    tables = sorted(RERUNS.glob("*.csv"))
    assert tables
    for path in tables:
        found = read(str(path.with_suffix(".py")), path.name)
        assert all(one.where for one in found.values()), path
        assert all(one.value == one.value for one in found.values())
    twice = tmp_path / "x.csv"
    with twice.open("w", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *[("1", "a", "b", ".5", "p. 1")] * 2])
    with pytest.raises(ValueError, match="duplicate figure"):
        read(str(tmp_path / "x.py"), "x.csv")


def test_papers_share_keys_only_if_they_mean_the_same() -> None:
    """All keys of all papers are in one schema."""
    for one in PAPERS.values():
        for other in PAPERS.values():
            mine, theirs = one.keys.model_fields, other.keys.model_fields
            for key in set(mine) & set(theirs):
                assert repr(mine[key]) == repr(theirs[key]), (one.name, other.name, key)
        for key, field in one.keys.model_fields.items():
            assert key == "rerun" or not field.is_required(), (one.name, key)
        assert one.citation
        assert (RERUNS.parents[2] / f"config/papers/{one.name}.yaml").is_file()
