"""clef2015's report in chromium: opened, and each thing a reader does, until the page is painted.

The base is what a reader should wait at most: 150 ms for anything done on the page, a second until
it is first painted. Charts that an action redraws are in its time. The machine's other work is
in all of these, and in no base: read them on a quiet one.
"""

import shutil
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.campaign import beside_data, campaign
from benchmarks.timing import DATA, rounds_of, show

ROOT = Path(__file__).resolve().parents[1]
PAGE = "results/clef2015/report/index.html"
WAIT, PAINT = "what a reader waits at most", "a second"
# What is done, as the page's own controls do it, {} being the number of the turn; where another
# place of the page comes first, it stands before the |, and is not timed.
ACTIONS = {
    "sort the leaderboard": "go('#leaderboard') | click('#board thead [data-m] button')",
    "filter the leaderboard": "type('filter', ['ecnu', 'run', ''][{} % 3])",
    "the leaderboard of one measure": "choose('choose-board', {} % 5)",
    "another measure, and its charts": "go('#intervals') | pick(one('#intervals select'), 1 + {})",
    "another topic": "click('[data-view=topic]') | choose('choose-topic', 3 + {})",
    "a system": "click('[data-view=run]') | choose('choose-run', 3 + {})",
    "two systems": "click('[data-view=compare]') | choose('choose-a', 3 + {})",
    "focus of the bump chart": "go('#ranks') | choose('focus', 1 + {})",
    "what if: persistence": "go('#what-if') | slide('#what-p', 0.5 + 0.05 * {})",
    "what if: weight": "slide('[data-weight]', 0.5 + 0.25 * {})",
    "what if: another threshold": "slide('[data-from]', 1 + {} % 2)",
    "why this score: another run": "go('#why') | choose('why-run', 5 + {})",
    "why this score: beside another": "choose('why-against', 9 + {})",
    "enlarge the scatter plot": "go('#contrast') | click('[data-zoom=scatter] button')",
}
HELP = """
  const set = (to, value, kind) => {
    to.value = value;
    to.dispatchEvent(new Event(kind, { bubbles: true }));
  };
  const one = (where) => document.querySelector(where);
  const click = (where) => one(where).click();
  const go = (where) => one(where).scrollIntoView();
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const pick = (from, at) => set(from, from.options[at % from.options.length].value, "change");
  const choose = (id, at) => pick(document.getElementById(id), at);
  const type = (id, text) => set(document.getElementById(id), text, "input");
  const slide = (where, value) => set(document.querySelector(where), value, "input");
"""
PAINTED = """
  BEFORE;
  await new Promise((done) => setTimeout(done, 400));
  const began = performance.now();
  ACTION;
  await painted();
  return (performance.now() - began) / 1000;
"""


def opened(browser: Any, page: Path) -> tuple[Any, float]:
    """The page in a tab of its own, and the seconds to its first paint."""
    tab = browser.new_context(offline=True, viewport={"width": 1300, "height": 900}).new_page()
    tab.goto(page.as_uri())
    tab.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    paint = tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    return tab, float(paint) / 1000


def drawn(tab: Any) -> None:
    """Every chart and section, as after a walk through the page."""
    for name in ("scatter", "bump", "intervals", "difficulty", "heat"):
        tab.locator(f'[data-chart="{name}"]').scroll_into_view_if_needed()
        tab.wait_for_selector(f'[data-chart="{name}"][data-drawn]')
    for section, sign in (("#what-if", "#what-verdict"), ("#why", "#why-verdict")):
        tab.locator(section).scroll_into_view_if_needed()
        tab.wait_for_function(f"() => document.querySelector('{sign}').textContent")


def acted(tab: Any, *, rounds: int) -> Iterator[tuple[str, list[float]]]:
    """Each action in turns, with its seconds."""
    for name, action in ACTIONS.items():
        before, _, timed = action.rpartition("|")
        script = "async () => {" + HELP + PAINTED.replace("BEFORE", before) + "}"
        turns = (script.replace("ACTION", timed.format(turn)) for turn in range(rounds))
        yield name, [float(tab.evaluate(turn)) for turn in turns]


def main(*, quick: bool = False) -> None:
    """Print how long a reader waits."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
    if not DATA.is_dir() or chromium is None:
        print("clef2015's page: needs the real data in ../shared/data, and chromium; skipped")
        return
    from playwright.sync_api import sync_playwright

    with beside_data() as work:
        campaign(work, PAGE)
        page = work / PAGE
        print(f"\nclef2015: the page has {page.stat().st_size / 1e6:.2f} MB (at most 5)")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
            )
            rounds = 2 * rounds_of(quick) - 1
            paints = [opened(browser, page)[1] for _ in range(rounds)]
            show(
                "clef2015's report, opened",
                {PAINT: [1.0] * rounds, "first paint": paints},
                base=PAINT,
            )
            tab, _ = opened(browser, page)
            drawn(tab)
            seconds = {WAIT: [0.15] * rounds, **dict(acted(tab, rounds=rounds))}
            show("clef2015's report, until an action is painted", seconds, base=WAIT)
            slowest = max(ACTIONS, key=lambda one: statistics.median(seconds[one]))
            print(f"  the slowest is: {slowest}")
            browser.close()
