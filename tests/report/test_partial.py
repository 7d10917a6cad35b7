"""What is not at hand is said where nobody can miss it: on the report's first screen."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.report.report import Report
from pipeline.report.section import contents
from pipeline.report.step import render
from pipeline.sources.places import with_missing, write_missing
from tests.report.made import PROVENANCE, Campaign, section, words
from tests.report.test_browser import NEEDED, chromium  # noqa: F401

LACKING = ["runs/english-runs/*.dat (68 of 110)", "qrels/<b>.txt"]


def lacking_files(campaign: Campaign, folder: Path, lacking: list[str]) -> Report:
    """The report of a campaign whose source lacks files, from what the source keeps."""
    (folder / "clef").mkdir()
    if lacking:
        write_missing(lacking, folder / "clef")
    described = {"clef": {"git": "https://example.org/x", "commit": "0" * 40, "missing": "warn"}}
    sources = with_missing(described, sources=folder)
    given = replace(PROVENANCE, sources=sources)
    return replace(campaign.report, provenance=given)


def test_the_page_says_it(campaign: Campaign, tmp_path: Path) -> None:
    said = words(section(lacking_files(campaign, tmp_path, LACKING), "summary"))
    for name in ("Only a part of clef", *LACKING):
        assert name in said
        assert said.index(name) < said.index("leads under")  # before any result


def test_it_is_silent_where_all_is_at_hand(campaign: Campaign, tmp_path: Path) -> None:
    assert "Only a part" not in words(section(lacking_files(campaign, tmp_path, []), "summary"))


@pytest.mark.parametrize(("missing", "said"), [(42, "42 of the 50"), (1, "1 of the 9"), (0, "")])
def test_so_are_runs_that_only_the_audit_knows_of(
    campaign: Campaign, tmp_path: Path, missing: int, said: str
) -> None:
    summary = {
        "policies": [{"name": "score", "meaning": "ours"}],
        "sources": [], "boards": [], "reasons": {}, "values": 0, "runs": 8,
        "missing_runs": [f"r{number}" for number in range(missing)],
    }  # fmt: skip
    other = campaign.linked(tmp_path)
    other.results.audit_summary.write_text(json.dumps(summary))
    given = replace(PROVENANCE, sources={"clef": {"missing": ["runs/* (8 of 50)"]}})
    for provenance, expected in ((PROVENANCE, said), (given, "")):
        found = words(section(replace(other.report, provenance=provenance), "summary"))
        assert ("runs with published results" in found) == bool(expected)
        assert expected in found


@NEEDED
@pytest.mark.browser
@pytest.mark.parametrize("width", [1300, 420], ids=["desk", "phone"])
def test_it_is_on_the_first_screen(
    campaign: Campaign,
    tmp_path: Path,
    chromium: Any,  # noqa: F811
    width: int,
) -> None:
    page = tmp_path / "index.html"
    report = lacking_files(campaign, tmp_path, LACKING)
    page.write_text(render(report, contents(report)), encoding="utf-8")
    context = chromium.new_context(offline=True, viewport={"width": width, "height": 900})
    tab = context.new_page()
    tab.goto(page.as_uri())
    sentence = tab.locator("#summary .claims strong", has_text="Only a part of clef")
    assert sentence.is_visible()
    box = sentence.bounding_box()
    assert box["y"] >= 0
    assert box["y"] + box["height"] < 900  # without a scroll
    assert LACKING[0] in tab.inner_text("#summary .claims")
    context.close()
