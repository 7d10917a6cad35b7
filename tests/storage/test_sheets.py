"""Tables: any text comes back as it was, and no text is a formula to a spreadsheet."""

import csv
import math
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipeline.storage import sheets

ROOT = Path(__file__).parents[2]
STARTS = st.sampled_from(["=", "+", "-", "@", "\t", "\r", "'"])
TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1) | st.builds(
    str.__add__, STARTS, st.text("=1a'- \t", max_size=4)
)


@given(texts=st.lists(TEXT, min_size=2, max_size=2))
def test_text_comes_back(tmp_path_factory: object, texts: list[str]) -> None:
    path = Path(str(tmp_path_factory.getbasetemp())) / "table.csv"  # type: ignore[attr-defined]
    sheets.write(path, ["a", "b"], [texts, {"b": texts[0]}])
    assert sheets.read(path) == [dict(zip("ab", texts, strict=True)), {"a": "", "b": texts[0]}]


@given(text=TEXT)
def test_no_text_is_a_formula(text: str) -> None:
    cell = sheets.marked(text)
    if cell[:1] in tuple("=+-@\t\r"):
        float(cell)
    assert sheets.unmarked(cell) == text


def test_numbers_stay_numbers(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    sheets.write(path, ["=head", "n"], [["+1", -0.12], ["-1e-5", None], ["-5 apples", "-inf"]])
    with path.open(newline="") as file:
        assert list(csv.reader(file)) == [
            ["'=head", "n"], ["+1", "-0.12"], ["-1e-5", ""], ["'-5 apples", "-inf"],
        ]  # fmt: skip


def test_all_tables_are_written_and_read_here() -> None:
    # But for tables of a user's and of Snakemake's, and for what goes to the standard output.
    others = {"storage/sheets.py", "runs/teams.py", "command/output.py"}
    for path in (ROOT / "pipeline").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT / "pipeline").as_posix()
        assert name in others or "import csv\n" not in text, path


def test_a_long_table_is_written_as_a_short_one(tmp_path: Path) -> None:
    names = ["a", "=b", "c,d", 'e"f', "-1", "nan", "", "-x"]
    numbers = [0.0, -0.0, 1 / 3, -1e-9, 123456789.0, math.inf, -math.inf, math.nan]
    rows = [
        (one, other, x, y) for one in names for other in names for x in numbers for y in numbers
    ]
    assert len(rows) == sheets.AT_ONCE
    columns = [list(column) for column in zip(*rows + [("last", "one", 1.0, 2.0)] * 3, strict=True)]
    texts, figures = columns[:2], [np.array(column) for column in columns[2:]]
    sheets.write_long(tmp_path / "long.csv", ["=h", "i", "j", "k"], texts=texts, numbers=figures)
    plain = (
        (*row[:2], *("" if math.isnan(x) else f"{x + 0.0:.6g}" for x in row[2:]))
        for row in zip(*columns, strict=True)
    )
    sheets.write(tmp_path / "short.csv", ["=h", "i", "j", "k"], plain)
    assert (tmp_path / "long.csv").read_bytes() == (tmp_path / "short.csv").read_bytes()


def test_a_name_with_a_line_end_is_read_back_from_a_long_table(tmp_path: Path) -> None:
    names = ["a\rb", "c\nd", "e\r\n"]
    sheets.write_long(tmp_path / "x.csv", ["name", "n"], texts=[names], numbers=[np.arange(3.0)])
    assert [row["name"] for row in sheets.read(tmp_path / "x.csv")] == names
