"""Real pages: how near each cleansing method comes to the hand-marked text."""

import unicodedata
from pathlib import Path
from statistics import mean, median

import pytest

from benchmarks.pages import FOREIGN, PAGES, differences, read, truths
from pipeline.pages.cleanse import METHODS, clean
from pipeline.pages.readability.counting import count, count_in_python, counter

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(not PAGES.is_dir(), reason="needs ../shared/data"),
]

DOCS = Path(__file__).resolve().parents[2] / "docs/cleansing.md"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "least", "most"),
    [("blocks", 0.0, 0.25), ("main", 0.0, 0.9), ("article", 0.0, 0.45), ("naive", 3.0, 6.0)],
)
def test_difference_to_the_hand_marked_text(method: str, least: float, most: float) -> None:
    found = differences(method)
    assert len(found) == len(truths()) == 83
    assert least < mean(found.values()) <= most
    near = 100 * sum(value <= 0.5 for value in found.values()) / len(found)
    row = f"{mean(found.values()):.2f} | {median(found.values()):.2f} | {near:.0f} % |"
    lines = DOCS.read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith(f"| `{method}`") and row in line]


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_every_real_page_has_text(method: str) -> None:
    pages = {**read("articles"), **read("health-forum")}
    assert len(pages) == 131
    for name, page in pages.items():
        text, reason = clean(page, method=method)
        assert reason == "", name
        assert count(text).words > (2 if name.startswith(FOREIGN) else 50), name


def test_forum_posts_survive_the_block_filter() -> None:
    """On health forums the posts are what is read, but much other prose is rules and side bars."""
    kept = prose = 0
    for page in read("health-forum").values():
        every = {line for line in clean(page, method="naive")[0].split("\n") if is_prose(line)}
        kept += len(every & set(clean(page)[0].split("\n")))
        prose += len(every)
    assert prose > 1000
    assert kept > 0.5 * prose


def test_the_compiled_counter_counts_as_the_one_in_python() -> None:
    """The text of every page, its markup as it stands, and the hand-marked texts."""
    pages = [*read("articles").values(), *read("health-forum").values()]
    found = [clean(page)[0] for page in pages]
    markup = [page.decode("utf-8", "replace") for page in pages]
    assert counter() is not None
    for text in (*found, *markup, *truths().values()):
        plain = unicodedata.normalize("NFKC", text.replace("\u00ad", ""))
        assert count(text) == count_in_python(plain)


def is_prose(line: str) -> bool:
    return len(line.split()) > 20


@pytest.mark.slow
def test_the_docs_have_the_counters_as_they_are() -> None:
    """Every row of the table, the one with NLTK's trained data too (make peers brings it)."""
    pytest.importorskip(
        "readability", reason="py-readability-metrics is not installed (make peers)"
    )
    from benchmarks.counters import HEAD, PAGE, rows

    page = PAGE.read_text("utf-8")
    made = rows(truths())
    assert HEAD in page
    assert len(made) == 5
    for name, row in made.items():
        assert row in page, name
