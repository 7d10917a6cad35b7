"""The report in a real browser, from disk, with the network off: it works as a reader uses it."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from pipeline.measures.measure import slug
from pipeline.report import teams
from pipeline.results import REPORT_TABLES, Results
from tests.report.lists import SCALES
from tests.report.made import HOSTILE, MEASURES, PLAN, RBP, URBP, Campaign
from tests.report.taking import everything_is_taken_along

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome"))), None)
NEEDED = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed; `make browser` installs it"
)
pytestmark = [pytest.mark.browser, NEEDED]


@pytest.fixture(scope="session")
def report(campaign: Campaign, html: str) -> Path:
    """The finished page, with the teams' beside it."""
    page = campaign.results.page
    page.parent.mkdir(exist_ok=True)
    page.write_text(html, encoding="utf-8", newline="\n")
    teams.write(campaign.report)
    return page


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


@pytest.fixture(params=[1300, 420], ids=["desk", "phone"])
def tab(request: pytest.FixtureRequest, chromium: Any, report: Path) -> Iterator[Any]:
    """The report, open; whatever a browser complains of fails the test."""
    context = chromium.new_context(
        offline=True,
        viewport={"width": request.param, "height": 900},
        color_scheme="light",
        reduced_motion="reduce",  # nothing glides from under the pointer
    )
    context.set_default_timeout(30_000)  # a busy machine
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(f"{said.type}: {said.text}"))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: complaints.append(dialog.message))
    page.on("request", lambda sent: complaints.append(sent.url) if "file:" not in sent.url else 0)
    page.goto(report.as_uri())
    yield page
    context.close()
    assert complaints == []


def drawn(tab: Any, name: str) -> Any:
    """A chart, scrolled to and drawn in the page's theme."""
    chart = tab.locator(f'[data-chart="{name}"]')
    chart.scroll_into_view_if_needed()
    tab.wait_for_function(
        "name => document.querySelector(`[data-chart='${name}']`).dataset.drawn"
        " === document.documentElement.dataset.theme",
        arg=name,
    )
    return chart


def listed(tab: Any) -> list[str]:
    names = tab.locator("#board tbody tr:not([hidden]) th").all_text_contents()
    return [str(name) for name in names]


def test_sorting_and_filtering(tab: Any) -> None:
    by_urbp = sorted(PLAN, key=lambda run: -PLAN[run][2])
    assert listed(tab) == sorted(PLAN, key=lambda run: -PLAN[run][1])
    heading = tab.locator(f'#board thead th[data-name="{URBP}"]')
    heading.locator("button").click()
    assert (listed(tab), heading.get_attribute("aria-sort")) == (by_urbp, "descending")
    heading.locator("button").press("Enter")
    assert listed(tab) == by_urbp[::-1]
    tab.fill("#filter", "DELTA mi")
    assert (listed(tab), tab.text_content("#shown")) == (["delta_mix"], "1 of 14 runs")
    tab.fill("#filter", "")
    assert len(listed(tab)) == 14


def test_on_a_phone_names_are_whole(tab: Any) -> None:
    """Runs of a team differ at the end of their names, which an ellipsis would hide."""
    if tab.viewport_size["width"] > 600:
        return
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
    names = tab.locator("#board tbody th.name")
    names.first.locator("bdi").evaluate("one => { one.textContent = 'KISTI_EN_RUN.'.repeat(4); }")
    assert names.evaluate_all(cut) == 0
    names.first.evaluate("one => { one.style.whiteSpace = 'nowrap'; }")
    assert names.evaluate_all(cut) == 1


def test_the_leaderboard_of_one_measure(tab: Any) -> None:
    tab.select_option("#choose-board", label="P@10")
    assert tab.locator("#board thead th[data-m]:visible").all_text_contents() == ["P@10"]
    rows = tab.locator("#board tbody tr")
    first = rows.first
    rank, interval, best, bounds, past = first.locator(".detail").all_text_contents()
    low, high = map(float, interval.split(" to "))
    assert rank == "1"
    assert low < 0.65 < high  # coral_bm25: 0.60 + 0.05
    assert best == "the best"
    assert str(first.locator(".detail").nth(2).get_attribute("title")).startswith(
        "Significance groups a"
    )
    assert bounds.startswith("0.6400 to ")
    assert past == "0.1000"
    told = [str(row.locator(".detail").nth(2).text_content()) for row in rows.all()]
    same, different = "not significantly different", "significantly different"
    alike = told.count(same)
    assert told == ["the best", *[same] * alike, *[different] * (13 - alike)]
    assert 0 < alike < 13
    assert not rows.locator("td sup:visible").count()  # in words there
    tab.select_option("#choose-board", label="all measures")
    assert tab.locator("#board thead th[data-m]:visible").count() == len(MEASURES)
    shown = rows.locator("td[data-m] sup:visible").all_text_contents()
    assert set(shown) == {"≈", "≠"}
    assert len(shown) == len(MEASURES) * 13


def test_hover_tells_a_run_and_its_name_stays_a_name(tab: Any) -> None:
    chart = drawn(tab, "scatter")
    tips = []
    for point in chart.locator(".mark-symbol.role-mark path").all():
        box = point.bounding_box()
        tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        tip = tab.locator("#vg-tooltip-element")
        tips.append(str(tip.text_content()) if tip.count() else "")
        assert tip.locator("script, img").count() == 0
    assert any("coral_bm25" in tip and "0.6000" in tip for tip in tips)
    assert any("alert(1)" in tip for tip in tips)


@pytest.mark.parametrize(
    ("name", "marks", "count"),
    [
        ("agreement", ".mark-rect.role-mark path", 56),
        ("bump", "g.pointed_marks path", 14 * 8),
        ("intervals", ".mark-symbol.role-mark path", 14),
        ("difficulty", ".mark-symbol.role-mark path", 24),
    ],
)
def test_charts_have_their_marks(tab: Any, name: str, marks: str, count: int) -> None:
    assert drawn(tab, name).locator(marks).count() == count


def test_the_heat_map_is_painted_and_follows_the_measure(tab: Any) -> None:
    chart = drawn(tab, "heat")
    before = chart.locator("canvas").evaluate("canvas => canvas.toDataURL()")
    assert chart.locator("canvas").evaluate(
        "c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size > 50"
    )
    tab.locator("#intervals select.measure").select_option(label=URBP)
    tab.wait_for_function(
        "before => document.querySelector('[data-chart=heat] canvas').toDataURL() !== before",
        arg=before,
    )
    assert tab.locator("#explore select.measure option:checked").text_content() == URBP
    tab.wait_for_function(  # the drill-down follows, after what is in sight
        "name => document.querySelector('#seen thead').textContent.includes(name)", arg=URBP
    )


KEPT = "name => document.querySelector(`[data-chart='${name}'] ${window.part}`) === window.first"


def first(tab: Any, name: str, part: str) -> None:
    """Remember a part of a drawing: `KEPT` says whether it is still there."""
    tab.evaluate(
        "([name, part]) => { window.part = part;"
        " window.first = document.querySelector(`[data-chart='${name}'] ${part}`); }",
        [name, part],
    )


ORDER = """([name, axis]) => [...document.querySelectorAll(`[data-chart='${name}'] .role-axis-label text`)]
  .map((one) => [one.getBoundingClientRect()[axis], one.textContent])
  .filter(([, text]) => !/^[0-9]/.test(text)).sort((a, b) => a[0] - b[0]).map(([, text]) => text).join()
"""  # noqa: E501


@pytest.mark.parametrize(("name", "axis"), [("intervals", "y"), ("difficulty", "x")])
def test_another_measure_is_put_into_the_same_picture(tab: Any, name: str, axis: str) -> None:
    """In its own order; another theme needs another picture."""
    drawn(tab, name)
    before = tab.evaluate(ORDER, [name, axis])
    first(tab, name, "svg")
    tab.locator("#intervals select.measure").select_option(label=URBP)
    tab.wait_for_function(
        f"([before, ...where]) => ({ORDER.strip()})(where) !== before", arg=[before, name, axis]
    )
    assert tab.evaluate(KEPT, name)
    after = tab.evaluate(ORDER, [name, axis])
    assert sorted(after.split(",")) == sorted(before.split(","))
    if name == "intervals":  # long names are cut
        best = sorted(PLAN, key=lambda run: -PLAN[run][2])
        shown = [text.rstrip("…") for text in after.split(",")]
        assert shown == [run[: len(text)] for run, text in zip(best, shown, strict=True)]
    tab.locator("#theme").click()
    drawn(tab, name)
    assert not tab.evaluate(KEPT, name)
    assert tab.evaluate(ORDER, [name, axis]) == after


def test_a_topic(tab: Any) -> None:
    tab.locator("#choose-topic").select_option("4")
    seen = tab.locator("#seen")
    assert seen.locator("h3").text_content() == "demo.5: how to treat ailment demo.5"
    assert seen.locator("tbody tr").count() == 14
    first = seen.locator("tbody tr").first.locator("td.doc")
    assert first.count() == 10
    tile = first.first
    document = int(str(tile.get_attribute("title")).split("\n")[0].split(".")[-1])
    judged = (label for _, label in SCALES.values())
    labels = [str(label(document)) if document < 20 else "·" for label in judged]
    assert tile.locator("span").all_text_contents()[:2] == labels[:2]
    tile.scroll_into_view_if_needed()
    tab.wait_for_timeout(1000)  # charts that came near are drawn
    tile.hover()
    same = seen.locator("td.same")
    assert same.count() > 1
    assert {one.get_attribute("data-d") for one in same.all()} == {tile.get_attribute("data-d")}


def test_a_hostile_topic_stays_text(tab: Any) -> None:
    tab.locator("#choose-topic").select_option("2")
    assert tab.locator("#seen h3").text_content() == "demo.3: <img src=x onerror=alert(1)>"
    assert tab.locator("#seen img").count() == 0


def test_a_system_from_the_leaderboard(tab: Any) -> None:
    tab.locator("#board tbody th a", has_text="delta_plain").click()
    seen = tab.locator("#seen")
    assert seen.locator("h3").first.text_content() == "delta_plain"
    overall = seen.locator("table").first.locator("tbody tr")
    assert overall.count() == len(MEASURES)
    assert overall.nth(1).locator("td").all_text_contents()[:2] == ["1", "0.4000"]
    topics = seen.locator("table").nth(1)
    scores = [float(text) for text in topics.locator("tbody td:nth-child(3)").all_text_contents()]
    assert sum(scores) / 24 == pytest.approx(0.47, abs=1e-4)
    topics.locator("thead button", has_text="Score").click()
    after = [float(text) for text in topics.locator("tbody td:nth-child(3)").all_text_contents()]
    assert after == sorted(scores, reverse=True)
    topics.locator("tbody a").first.click()
    assert tab.locator("[data-view=topic]").get_attribute("aria-selected") == "true"


def test_two_systems_with_the_test(tab: Any, report: Path) -> None:
    import csv

    with Results(report.parents[1]).significance(slug(RBP)).open(newline="") as source:
        row = next(
            row
            for row in csv.DictReader(source)
            if (row["run_a"], row["run_b"]) == ("coral_bm25", "delta_plain")
        )
    tab.locator("[data-view=compare]").press("Enter")  # a chart drawn late may move it
    tab.select_option("#choose-a", label="delta_plain")
    tab.select_option("#choose-b", label="coral_bm25")
    seen = tab.locator("#seen")
    terms = seen.locator(".tests dt").all_text_contents()
    facts = dict(zip(terms, seen.locator(".tests dd").all_text_contents(), strict=True))
    assert facts["Difference of means"] == "−0.1300"  # noqa: RUF001
    shown = facts["p, randomised Tukey HSD"].removeprefix("< ")
    assert float(shown) == pytest.approx(float(row["p_tukey"]), abs=1e-4)
    assert facts["Topics better, tied, worse"] == "0, 0, 24"
    assert "ignificantly different" in str(seen.locator(".verdict").text_content())
    gaps = seen.locator("tbody td:last-child").all_text_contents()
    assert len(gaps) == 24
    assert all(gap.startswith("−") for gap in gaps)  # noqa: RUF001


def test_themes_and_width(tab: Any) -> None:
    drawn(tab, "scatter")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert tab.evaluate(ground) == "rgb(255, 255, 255)"
    tab.locator("#theme").click()
    assert tab.evaluate(ground) == "rgb(16, 23, 28)"
    drawn(tab, "scatter")
    for name in ("scatter", "bump", "agreement", "intervals", "heat", "difficulty"):
        drawn(tab, name)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert tab.evaluate(wide) <= 0  # the page itself never scrolls sideways


def test_everything_is_reached_by_keyboard(tab: Any) -> None:
    reached = set()
    for _ in range(160):
        tab.keyboard.press("Tab")
        reached.add(
            tab.evaluate(
                "(({ id, dataset, className, textContent: t }) =>"
                " id || dataset.view || className || t)(document.activeElement)"
            )
        )
        if {"theme", "filter", "choose-board", "topic", "choose-topic", "measure"} <= reached:
            break
    wanted = {"skip", "theme", "filter", "choose-board", "topic", "choose-topic"}  # tabs: by arrows
    assert wanted <= reached
    tab.locator("[data-view=compare]").focus()
    tab.keyboard.press("Enter")
    assert tab.locator("#choose-a").is_visible()
    outline = "getComputedStyle(document.activeElement).outlineStyle"
    assert tab.evaluate(outline) == "solid"


def follow(tab: Any, link: Any) -> None:
    """Go where a link leads; a click could miss it while a late chart moves it."""
    tab.goto(urljoin(tab.url, link.get_attribute("href")))


def test_a_team_page(tab: Any) -> None:
    follow(tab, tab.locator("#teams a", has_text="tide"))
    assert tab.locator("h1").text_content() == "tide"
    assert tab.locator("#runs tbody th").first.text_content() == HOSTILE
    tab.locator(f'#runs thead th[data-name="{RBP}"] button').click()
    assert tab.locator("#runs tbody tr").count() == 4
    assert tab.locator("#against details[open] tbody tr").count() == 4
    tab.locator("#against summary", has_text="nDCG@10").click()
    assert tab.locator("#against details[open]").count() == 2
    with tab.expect_download() as told:
        tab.locator(".lead a").click()
    assert told.value.suggested_filename == "tide.csv"
    assert Path(told.value.path()).read_text(encoding="utf-8").count("\n") == 1 + 4 * 24
    tab.locator("#theme").click()
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert tab.evaluate(wide) <= 0
    follow(tab, tab.locator("header .brand"))
    assert tab.locator("#board").count() == 1


def where(tab: Any) -> str:
    from urllib.parse import unquote_plus, urlsplit

    return unquote_plus(urlsplit(tab.url).fragment)


def test_the_address_says_what_is_shown_and_leads_back_to_it(tab: Any, report: Path) -> None:
    tab.locator("[data-view=compare]").press("Enter")
    tab.select_option("#choose-a", label="delta_plain")
    tab.select_option("#choose-b", label="tide_two")
    tab.locator("#explore select.measure").select_option(label=URBP)
    assert where(tab) == f"?view=compare&a=delta_plain&b=tide_two&measure={URBP}"
    heading = "delta_plain against tide_two"
    assert tab.locator("#seen h3").first.text_content() == heading

    other = tab.context.new_page()  # as somebody who was sent the link
    other.goto(tab.url)
    assert other.locator("#seen h3").first.text_content() == heading
    assert other.locator("#explore select.measure option:checked").text_content() == URBP
    other.close()

    tab.go_back()
    assert tab.locator("#explore select.measure option:checked").text_content() == RBP
    tab.go_back()
    assert tab.locator("#choose-b option:checked").text_content() != "tide_two"
    tab.go_forward()
    assert tab.locator("#seen h3").first.text_content() == heading


def test_filter_sort_and_the_measure_of_the_board_are_in_the_address(tab: Any) -> None:
    tab.locator("#filter").fill("tide")
    tab.locator("#board thead button", has_text="AP").first.press("Enter")
    tab.locator("#choose-board").select_option(label="AP")
    assert "filter=tide" in where(tab)
    assert "sort=-AP" in where(tab)
    assert "board=AP" in where(tab)
    shown = listed(tab)
    other = tab.context.new_page()
    other.goto(tab.url)
    assert listed(other) == shown
    assert other.locator("#shown").text_content() == tab.locator("#shown").text_content()
    assert other.locator("#choose-board option:checked").text_content() == "AP"
    other.close()
    tab.locator("nav a", has_text="Ranks").click()  # a section keeps what was chosen
    assert where(tab).startswith("ranks?")
    assert "filter=tide" in where(tab)


def test_a_link_to_what_is_not_there_says_so(tab: Any, report: Path) -> None:
    tab.goto("about:blank")
    tab.goto(f"{report.as_uri()}#explore?view=run&run=gone")
    assert tab.locator("#lost").text_content() == "There is no run gone in this report."
    tab.locator("#choose-run").select_option("1")
    assert tab.locator("#lost").text_content() == ""


def test_arrow_keys_move_between_the_tabs(tab: Any) -> None:
    tab.locator("[data-view=topic]").focus()
    tab.keyboard.press("ArrowRight")
    assert tab.locator("[data-view=run]").get_attribute("aria-selected") == "true"
    tab.keyboard.press("End")
    assert tab.locator("[data-view=compare]").get_attribute("aria-selected") == "true"
    tab.keyboard.press("ArrowRight")
    assert tab.locator("[data-view=topic]").get_attribute("aria-selected") == "true"


def test_the_focus_of_the_bump_chart(tab: Any) -> None:
    chart = drawn(tab, "bump")
    names = chart.locator("g.ends_marks text")
    assert len(names.all_text_contents()) == 12
    first(tab, "bump", "g.pointed_marks path")
    tab.locator("#focus").select_option(label="delta")
    tab.wait_for_function(
        "() => document.querySelectorAll('[data-chart=bump] g.ends_marks text').length < 12"
    )
    assert sorted(names.all_text_contents()) == ["delta_filter", "delta_mix", "delta_plain"]
    assert "focus=team delta" in where(tab)
    tab.locator("#focus-find").fill("tide_t")
    tab.wait_for_function(
        "() => document.querySelectorAll('[data-chart=bump] g.ends_marks text').length === 2"
    )
    assert tab.locator("#focused").text_content() == "2 runs in focus"
    assert chart.locator("g.dots_marks path").count() == 2 * len(MEASURES)
    assert tab.evaluate(KEPT, "bump")  # what the focus does not touch is not drawn anew


def test_pointing_at_a_run_tells_its_rank_and_thickens_its_line(tab: Any) -> None:
    chart = drawn(tab, "bump")
    chart.locator("g.pointed_marks path").nth(8).hover(force=True)
    tip = tab.locator("#vg-tooltip-element")
    tab.wait_for_function("() => document.querySelector('#vg-tooltip-element')?.textContent")
    said = dict(
        zip(
            tip.locator(".key").all_text_contents(),
            tip.locator(".value").all_text_contents(),
            strict=True,
        )
    )
    assert "undefined" not in str(said)
    assert {"Run", "Team", "Measure", "Rank", "Mean"} == set(said)
    widths = chart.locator("g.ranks_marks path, g.ranks_pathgroup path")
    thick = [
        w
        for w in widths.evaluate_all("all => all.map(p => p.getAttribute('stroke-width'))")
        if w == "5"
    ]
    assert len(thick) == 1


def test_a_team_page_on_paper(chromium: Any, report: Path, tmp_path: Path) -> None:
    """From the dark theme, too: light, whole, with its bars, and headings on every page."""
    context = chromium.new_context(offline=True, color_scheme="dark", reduced_motion="reduce")
    tab = context.new_page()
    tab.goto((report.parent / "teams" / "tide.html").as_uri())
    tab.emulate_media(media="print", color_scheme="dark")
    tab.set_viewport_size({"width": 1032, "height": 700})  # A4 across, within its margins
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert tab.evaluate(wide) <= 0
    bar = "getComputedStyle(document.querySelector('td i.among')).printColorAdjust"
    assert tab.evaluate(bar) == "exact"
    tab.pdf(path=str(tmp_path / "team.pdf"), prefer_css_page_size=True)
    context.close()
    reader = shutil.which("pdftotext")
    if reader is None:
        pytest.skip("pdftotext is not installed; `make browser` installs it")
    read = [reader, str(tmp_path / "team.pdf"), "-"]
    said = subprocess.run(read, capture_output=True, text=True, check=True).stdout
    topics = [page for page in said.split("\f") if "how to treat ailment" in page]
    assert len(topics) > 1
    assert all("Best minus median" in " ".join(page.split()) for page in topics)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_keeps_anybody_out(chromium: Any, report: Path, theme: str) -> None:
    """axe-core finds no violation on the report, with every chart drawn, nor on a team's page."""
    from axe_playwright_python.sync_playwright import Axe

    team = report.parent / "teams" / "tide.html"
    for page, width in ((report, 1280), (team, 1280), (team, 420)):
        context = chromium.new_context(  # axe is put into the page, which its policy forbids
            bypass_csp=True, offline=True, color_scheme=theme, reduced_motion="reduce",
            viewport={"width": width, "height": 900},
        )  # fmt: skip
        tab = context.new_page()
        tab.goto(page.as_uri())
        for chart in tab.locator("[data-chart]:visible").all():
            drawn(tab, str(chart.get_attribute("data-chart")))
        found = Axe().run(tab).response["violations"]
        context.close()
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []


def test_tables_and_charts_can_be_taken_along(tab: Any, tmp_path: Path) -> None:
    import csv

    drawn(tab, "scatter")
    menu = tab.locator("#contrast .take").first
    menu.locator("summary").press("Enter")
    for kind, begins in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        with tab.expect_download() as told:
            menu.locator("button", has_text=kind).press("Enter")
        assert told.value.suggested_filename == f"scatter.{kind.lower()}"
        assert Path(told.value.path()).read_bytes().startswith(begins)
    with tab.expect_download() as told:
        menu.locator("button", has_text="CSV").press("Enter")
    with Path(told.value.path()).open(newline="", encoding="utf-8") as source:
        rows = list(csv.DictReader(source))
    assert {row["run"]: float(row["x"]) for row in rows if row.get("run")} == {
        run: pytest.approx(plan[1]) for run, plan in PLAN.items()
    }
    board = tab.locator("#leaderboard .take")
    board.locator("summary").press("Enter")
    tab.locator("#filter").fill("coral")
    with tab.expect_download() as told:
        board.locator("button", has_text="CSV").press("Enter")
    with Path(told.value.path()).open(newline="", encoding="utf-8") as source:
        rows = list(csv.DictReader(source))
    assert [row["Run"] for row in rows] == ["coral_bm25", "coral_expand", "coral_fuse"]
    assert [float(row[RBP]) for row in rows] == pytest.approx([0.60, 0.57, 0.55])


def test_every_table_and_chart_offers_itself(tab: Any, report: Path) -> None:
    """Also those that a script made: two of each room where something is chosen."""
    tab.locator("#why-list").scroll_into_view_if_needed()
    tab.wait_for_selector("#why-list table")
    follow(tab, tab.locator("#board tbody th a", has_text="delta_plain"))
    assert tab.locator("#seen table").count() == 2
    charts, tables = everything_is_taken_along(tab)
    assert charts == 6
    assert tables == 11
    tab.locator("#seen details.take summary").first.press("Enter")
    with tab.expect_download() as told:
        tab.locator("#seen details.take button", has_text="CSV").first.press("Enter")
    text = Path(told.value.path()).read_text(encoding="utf-8")
    assert text.startswith("Measure,Rank,Mean,")
    assert len(text.splitlines()) == 1 + len(MEASURES)
    context = tab.context
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu = tab.locator("#contrast details.take").first
    menu.locator("summary").press("Enter")
    menu.locator("button", has_text="Copy").press("Enter")
    tab.wait_for_function(
        "() => document.querySelector('#contrast .status').textContent === 'copied'"
    )
    copied = str(tab.evaluate("navigator.clipboard.readText()")).splitlines()
    assert "run" in copied[0].split("\t")
    assert len(copied) == 1 + len(PLAN)


def test_every_link_leads_to_a_file_that_the_workflow_makes(tab: Any, report: Path) -> None:
    """Figures and tables beside the page, pages of teams, and places on the page."""
    made = tab.evaluate("() => JSON.parse(document.querySelector('#figure-files').textContent)")
    files = {f"figures/{name}.{end}" for name in made for end in ("pdf", "svg")}
    files |= {f"tables/{name}.{end}" for name in REPORT_TABLES for end in ("tex", "csv")}
    files |= {f"teams/{path.name}" for path in (report.parent / "teams").iterdir()}
    links = tab.locator("a[href]").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    leading = {str(link) for link in links if not str(link).startswith("#")}
    assert leading <= files
    assert {link for link in files if link.startswith(("figures/", "tables/"))} <= leading
    for link in {str(link) for link in links} - leading:
        place = link.removeprefix("#").partition("?")[0]
        assert not place or tab.locator(f"[id='{place}']").count() == 1, link


def test_paper_is_light_and_nothing_is_cut(chromium: Any, report: Path, tmp_path: Path) -> None:
    context = chromium.new_context(offline=True, color_scheme="dark", reduced_motion="reduce")
    tab = context.new_page()
    tab.goto(report.as_uri())
    drawn(tab, "scatter")
    tab.emulate_media(media="print", color_scheme="dark")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(23, 33, 42)"
    tab.set_viewport_size({"width": 1032, "height": 700})  # A4 across, within its margins
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert tab.evaluate(wide) <= 0
    cut = "all => all.filter(t => t.scrollWidth > t.clientWidth + 1).map(t => t.ariaLabel)"
    assert tab.locator(".table").evaluate_all(cut) == []
    tab.pdf(path=str(tmp_path / "report.pdf"), prefer_css_page_size=True)
    assert (tmp_path / "report.pdf").stat().st_size > 10_000
    context.close()


def test_the_navigation_is_whole_and_names_the_headings(tab: Any) -> None:
    clipped = "nav => nav.scrollWidth > nav.clientWidth + 1"
    if tab.viewport_size["width"] > 1000:
        assert not tab.locator("header nav").evaluate(clipped)
    for link in tab.locator("header nav a:not(.brand)").all():
        target = str(link.get_attribute("href"))
        heading = str(tab.locator(f"{target} h2").first.text_content())
        assert heading.startswith(str(link.text_content()))
