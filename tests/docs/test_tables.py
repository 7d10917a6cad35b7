"""The tables of the docs: each stands in one page, as the declarations have it now."""

import re
import sys
from pathlib import Path

import pytest

from pipeline.measures import COMBINATIONS, REGISTRY
from pipeline.storage.markdown import table

sys.path.insert(0, str(Path(__file__).parents[2] / "docs/hooks"))
from tables import TABLES, placed

CONFIG = Path(__file__).parents[2] / "config"
PAGES = [CONFIG / "README.md", CONFIG / "CWL.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_tables_are_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert placed(text, TABLES) == text, "run make tables"


def test_every_table_stands_in_one_page() -> None:
    whole = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for name in TABLES:
        for end in ("begin", "end"):
            assert whole.count(f"<!-- {name}:{end} -->") == 1, name


def test_the_table_holds_all_that_is_declared() -> None:
    table = TABLES["measures"]()
    for name, one in [*REGISTRY.items(), *COMBINATIONS.items()]:
        (row,) = re.findall(rf"^\| `{re.escape(name)}` \|.*$", table, flags=re.MULTILINE)
        for part in (one.title, one.formula, one.citation):
            assert part.replace("|", "\\|") in row, name
    for name, one in REGISTRY.items():
        (row,) = re.findall(rf"^\| `{re.escape(name)}` \|.*$", table, flags=re.MULTILINE)
        for key, param in one.params.items():
            assert f"`{key}`: " in row
            assert param.describe() in row
            assert param.default is None or f"default {param.default}" in row


@pytest.mark.parametrize("name", TABLES)
def test_a_changed_row_is_noticed_and_put_right(name: str) -> None:
    (text,) = (
        text
        for text in (page.read_text(encoding="utf-8") for page in PAGES)
        if f"<!-- {name}:begin -->" in text
    )
    before, mark, after = text.partition(f"<!-- {name}:begin -->\n")
    stale = f"{before}{mark}| stale |\n{after}"
    assert stale != text
    assert placed(stale, TABLES) == text


def test_other_markers_are_left_alone() -> None:
    text = "a <!-- example:begin -->\nmine\n<!-- example:end --> b"
    assert placed(text, {"keys": lambda: "theirs"}) == text


def test_a_bar_does_not_end_a_cell() -> None:
    assert table(("a", "b"), [("x|y", "z")]) == "| a | b |\n| --- | --- |\n| x\\|y | z |\n"
