"""What is not at hand is said where nobody can miss it: on the report's first screen."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from pipeline.sources.missing import keep, told
from tests.report.test_browser import NEEDED, chromium  # noqa: F401
from tests.report.test_report import PROVENANCE, Campaign, make

SAID = (
    "Only a part of clef is here: 68 of 110 files runs/english-runs/*.dat are at hand; "
    "qrels/<b>.txt is not at hand."
)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return make(tmp_path_factory.mktemp("partial"))


def written(campaign: Campaign, folder: Path, lacking: list[str]) -> Path:
    """The report of a campaign whose source lacks files, from what the source keeps."""
    (folder / "clef").mkdir()
    if lacking:
        keep(lacking, folder / "clef")
    described = {"clef": {"git": "https://example.org/x", "commit": "0" * 40, "missing": "warn"}}
    sources = told(described, sources=folder)
    given = replace(PROVENANCE, sources=sources)
    return campaign.write(out=folder / "index.html", provenance=given)


LACKING = ["runs/english-runs/*.dat (68 of 110)", "qrels/<b>.txt"]


def lead(page: Path) -> str:
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    found = soup.select_one("#summary .claims")
    assert found is not None
    return " ".join(found.get_text().split())


def test_the_page_says_it(campaign: Campaign, tmp_path: Path) -> None:
    said = lead(written(campaign, tmp_path, LACKING))
    assert SAID in said
    assert said.index(SAID) < said.index("leads under")  # before anything is said of the results


def test_it_is_silent_where_all_is_at_hand(campaign: Campaign, tmp_path: Path) -> None:
    assert "at hand" not in lead(written(campaign, tmp_path, []))


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        (42, "42 of the 50 runs with published results are not at hand."),
        (1, "1 of the 9 runs with published results is not at hand."),
        (0, ""),
    ],
)
def test_so_are_runs_that_only_the_audit_knows_of(
    campaign: Campaign, tmp_path: Path, missing: int, said: str
) -> None:
    summary = {
        "policies": [{"name": "score", "meaning": "ours"}],
        "sources": [], "boards": [], "reasons": {}, "values": 0, "runs": 8,
        "missing_runs": [f"r{number}" for number in range(missing)],
    }  # fmt: skip
    (tmp_path / "audit.json").write_text(json.dumps(summary))
    audit = tmp_path / "audit.json"
    found = lead(campaign.write(out=tmp_path / "index.html", audit=audit))
    assert found.startswith(said)
    assert ("at hand" in found) == bool(said)
    # A source that lacks them says so itself, with its files.
    sources = {"clef": {"missing": ["runs/* (8 of 50)"]}}
    given = replace(PROVENANCE, sources=sources)
    both = lead(campaign.write(out=tmp_path / "index.html", audit=audit, provenance=given))
    assert "published results" not in both
    assert "8 of 50 files" in both


@NEEDED
@pytest.mark.browser
@pytest.mark.parametrize("width", [1300, 420], ids=["desk", "phone"])
def test_it_is_on_the_first_screen(
    campaign: Campaign,
    tmp_path: Path,
    chromium: Any,  # noqa: F811
    width: int,
) -> None:
    page = written(campaign, tmp_path, LACKING)
    context = chromium.new_context(offline=True, viewport={"width": width, "height": 900})
    tab = context.new_page()
    tab.goto(page.as_uri())
    sentence = tab.locator("#summary .claims strong", has_text="Only a part of clef is here")
    assert sentence.is_visible()
    box = sentence.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] < 900  # without a scroll
    assert "68 of 110 files runs/english-runs/*.dat are at hand" in " ".join(
        tab.inner_text("#summary .claims").split()
    )
    context.close()
