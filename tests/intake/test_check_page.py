"""The desk's page in a real browser: what a submission site would show of twelve broken runs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.intake.check import inspect
from pipeline.intake.findings import Finding
from tests.intake.test_check import BROKEN, FINE, handed_in, write
from tests.report.test_browser import CHROMIUM, NEEDED

pytestmark = [pytest.mark.browser, NEEDED]
CONFIG = Finding("c.yaml", "campaigns.c.polices is not a known key", "rename it", line=3)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Finding]]:
    folder = tmp_path_factory.mktemp("desk")
    inputs = handed_in(folder, {**BROKEN, **FINE})
    write(inputs, folder / "check", title="Twelve broken runs", more=[CONFIG])
    return folder / "check/index.html", [CONFIG, *inspect(inputs)]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1300, 400], ids=["desk", "phone"])
def test_every_finding_is_to_be_seen(
    chromium: Any, desk: tuple[Path, list[Finding]], width: int, theme: str
) -> None:
    page, problems = desk
    context = chromium.new_context(
        offline=True, viewport={"width": width, "height": 900}, color_scheme=theme
    )
    tab = context.new_page()
    complaints: list[str] = []
    tab.on("console", lambda said: complaints.append(said.text))
    tab.goto(page.as_uri())
    assert {one.name for one in problems} == {*BROKEN, ""}
    for name in BROKEN:
        mine = [one for one in problems if one.name == name]
        article = tab.locator("article", has=tab.locator("h3 bdi", has_text=name)).filter(
            has=tab.locator(f"code:text-is('{mine[0].file}')")
        )
        rows = article.locator("tbody tr")
        assert rows.count() == len(mine), name
        for at, one in enumerate(mine):
            row = rows.nth(at)
            assert row.is_visible()
            shown = row.inner_text()
            lines = row.locator(".line").all_inner_texts()
            assert lines == ([f"line {one.line}"] if one.line else [])
            for text in (one.severity, one.file, one.what, one.fix):
                assert text in shown, (name, text, shown)
            box = row.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width  # nothing sticks out
    assert "campaigns.c.polices is not a known key" in tab.inner_text("article >> nth=0")
    for name in FINE:
        assert tab.locator(".fine code", has_text=name).is_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    # ink on ground, measured: text must be readable in both themes (WCAG AA asks for 4.5)
    assert tab.evaluate(CONTRAST) >= 4.5
    tab.locator("nav a", has_text="A_utf16").click()
    place = tab.locator("article:target")
    assert place.locator("h3 bdi").first.inner_text() == "A_utf16"
    assert place.bounding_box()["y"] < 900
    assert complaints == []
    context.close()


# The least contrast of any text on the page with what it stands on.
CONTRAST = """() => {
  const rgb = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const part = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    return .2126 * part(r) + .7152 * part(g) + .0722 * part(b);
  };
  const ground = node => {
    for (let at = node; at; at = at.parentElement) {
      const found = rgb(getComputedStyle(at).backgroundColor);
      if (found.length === 3 || found[3] > 0) return found;
    }
    return [255, 255, 255];
  };
  let least = 21;
  for (const node of document.querySelectorAll("h1, h2, h3, p, td, th, a, .badge, code, small")) {
    if (!node.offsetParent || !node.innerText.trim()) continue;
    const ink = light(rgb(getComputedStyle(node).color)), under = light(ground(node));
    const [a, b] = [Math.max(ink, under), Math.min(ink, under)];
    least = Math.min(least, (a + .05) / (b + .05));
  }
  return least;
}"""
