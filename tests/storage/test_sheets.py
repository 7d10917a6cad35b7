"""Tables: any text comes back as it was, and no text is a formula to a spreadsheet."""

import csv
from pathlib import Path

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
    # But for a table of a user's, and for what goes to the standard output.
    others = {"storage/sheets.py", "runs/teams.py", "command/output.py"}
    for path in (ROOT / "pipeline").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT / "pipeline").as_posix()
        assert name in others or "import csv\n" not in text, path
