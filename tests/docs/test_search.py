"""The search of the site, in a browser without a network, on pages opened from files."""

import shutil
from pathlib import Path

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (make browser)"),
]


@pytest.mark.parametrize("page", ["index.html", "how-to/audit.html"])
def test_search_works_without_a_server(site: Path, page: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        tab = browser.new_context(offline=True).new_page()
        tab.goto((site / page).as_uri())
        tab.locator("[data-md-component=search-query]").click()
        tab.get_by_text("Type to start searching").wait_for()  # the index is loaded by now
        tab.locator("[data-md-component=search-query]").press_sequentially("duplicates")
        result = tab.locator("a.md-search-result__link").first
        result.wait_for(timeout=30_000)
        address = result.get_attribute("href")
        browser.close()
    assert address is not None
    assert address.startswith(site.as_uri())
