"""A report walked through as a reader does: any theme, any width, and on paper."""

from pathlib import Path
from typing import Any

CUT = "all => all.filter(t => t.scrollWidth > t.clientWidth + 1).map(t => t.ariaLabel)"
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def walked(chromium: Any, page: Path, *, width: int, scheme: str) -> Any:
    """The page with every chart drawn, offline; nothing is complained of, nothing sticks out."""
    context = chromium.new_context(
        offline=True, viewport={"width": width, "height": 900}, color_scheme=scheme,
        reduced_motion="reduce",
    )  # fmt: skip
    tab = context.new_page()
    wrong: list[str] = []
    tab.on("console", lambda said: wrong.append(said.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))
    tab.goto(page.as_uri())
    for chart in tab.locator("[data-chart]:visible").all():
        chart.scroll_into_view_if_needed()
        name = chart.get_attribute("data-chart")
        tab.wait_for_selector(f'[data-chart="{name}"][data-drawn="{scheme}"]')
    assert tab.evaluate(WIDE) <= 0  # the page itself never scrolls sideways
    assert wrong == []
    return tab


def on_paper(tab: Any, out: Path) -> None:
    """Print to PDF, from whichever theme: light, whole, every chart there."""
    tab.emulate_media(media="print", color_scheme="dark")
    tab.set_viewport_size({"width": 1032, "height": 700})  # A4 across, within its margins
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.evaluate(WIDE) <= 0
    assert tab.locator(".table").evaluate_all(CUT) == []
    tab.pdf(path=str(out), prefer_css_page_size=True)
    assert out.stat().st_size > 50_000
