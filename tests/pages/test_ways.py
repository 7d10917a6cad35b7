"""Every way to cleanse and to count, in one pass: as each way alone, and with reasons."""

from math import isnan
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.pages.cleanse import clean
from pipeline.pages.readability.engine import ENGINES
from pipeline.pages.readability.indices.fog import fog
from pipeline.pages.readability.trying import try_all
from pipeline.pages.readability.ways import Way, ways
from tests.pages.test_language import ENGLISH, GERMAN

CHOSEN = Way(method="blocks", engine="fathom", sentence_ends=True)
GERMAN_PAGE = (  # long enough to be asked for its language, also without what is said twice
    f"{GERMAN}<p>Wer raucht, sollte damit aufhören, denn der Rauch reizt die Schleimhaut und macht "
    "die Beschwerden schlimmer. Auch kalte Luft und Staub können einen Anfall auslösen.</p>"
).encode()
PAGE = f"<h1>A heading</h1><ul><li>Home<li>Health<li>About</ul><p>{ENGLISH * 3}</p>".encode()


def test_the_same_as_each_way_alone(tmp_path: Path) -> None:
    pages = [("page", PAGE), ("german", GERMAN_PAGE), ("empty", b" ")]
    try_all(iter(pages), chosen=CHOSEN, language="en", out=tmp_path / "out.parquet")
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert len(rows) == 3 * len(ways(CHOSEN))
    for row in rows:
        if row["document"] != "page":
            assert isnan(row["fog"])
            assert row["reason"] == {"german": "language", "empty": "empty"}[row["document"]]
            continue
        text, reason = clean(PAGE, method=row["method"], sentence_ends=row["sentence_ends"])
        assert row["reason"] == reason == ""
        assert row["fog"] == ENGINES[row["engine"]](text)[1]["fog"]
    assert len({row["fog"] for row in rows if row["document"] == "page"}) > 4


def test_a_page_that_is_given_up_has_a_row_for_each_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = [("slow", b"", "timeout")]
    monkeypatch.setattr("pipeline.pages.readability.trying.answer_all", lambda *_, **__: iter(lost))
    try_all(iter([]), chosen=CHOSEN, language=None, out=tmp_path / "out.parquet")
    rows = pq.read_table(tmp_path / "out.parquet").to_pylist()
    assert [row["reason"] for row in rows] == ["timeout"] * len(ways(CHOSEN))
    assert all(isnan(row["fog"]) for row in rows)


def test_textstat_in_equation_5() -> None:
    """Its counts, but no word is exempt and the formula is ours."""
    counts, found = ENGINES["textstat_counts"](ENGLISH * 3)
    assert counts == ENGINES["textstat"](ENGLISH * 3)[0]
    assert found["fog"] == fog(counts)
    assert ENGINES["textstat_counts"]("")[0].words == 0
