"""Charts in a browser: names that cover no point, zooming, short names of measures."""

from typing import Any

import pytest

from tests.report.made import MEASURES, RBP, URBP, H
from tests.report.test_browser import NEEDED, chromium, drawn, report, tab  # noqa: F401

pytestmark = [pytest.mark.browser, NEEDED]


def boxes(marks: Any) -> list[dict[str, float]]:
    found: list[dict[str, float]] = marks.evaluate_all(
        "all => all.filter(one => getComputedStyle(one).opacity !== '0')"
        ".map(one => one.getBoundingClientRect().toJSON())"
    )
    return found


def test_names_cover_no_point(tab: Any) -> None:  # noqa: F811
    uncovered(drawn(tab, "scatter"), runs=14)


def uncovered(chart: Any, *, runs: int) -> None:
    """No name that is shown lies on a point."""
    points = boxes(chart.locator("g.runs_marks path"))
    names = boxes(chart.locator('g[class*="named_"] text'))
    assert len(points) == runs
    assert names
    for text in names:
        for point in points:
            apart = (
                text["right"] <= point["left"] + 1
                or point["right"] <= text["left"] + 1
                or text["bottom"] <= point["top"] + 1
                or point["bottom"] <= text["top"] + 1
            )
            assert apart, (text, point)


def ticks(chart: Any) -> list[str]:
    """What its axes say, in no order: what is drawn anew may come last."""
    return sorted(str(one) for one in chart.locator(".role-axis-label text").all_text_contents())


def test_a_scatter_is_enlarged_and_made_whole_again(tab: Any) -> None:  # noqa: F811
    chart = drawn(tab, "scatter")
    before = ticks(chart)
    buttons = tab.locator("#contrast .zoom button")
    buttons.nth(0).press("Enter")
    tab.wait_for_function(
        "() => document.querySelector('[data-chart=scatter]').dataset.domain !== undefined"
    )
    assert ticks(chart) != before
    buttons.nth(2).press("Enter")
    tab.wait_for_function(
        "before => [...document.querySelectorAll('[data-chart=scatter] .role-axis-label text')]"
        ".map(text => text.textContent).sort().join() === before",
        arg=",".join(before),
    )


def test_the_wheel_alone_scrolls_the_page(tab: Any) -> None:  # noqa: F811
    chart = drawn(tab, "scatter")
    before = ticks(chart)
    box = chart.bounding_box()
    tab.mouse.move(box["x"] + 200, box["y"] + 150)
    tab.mouse.wheel(0, 60)
    tab.wait_for_timeout(200)
    assert ticks(chart) == before


def test_measures_have_short_names_and_the_full_one_on_hover(tab: Any) -> None:  # noqa: F811
    heads = tab.locator("#board thead th[data-m] button")
    assert heads.all_text_contents() == [
        "RBP",
        "uRBP",
        "uRBPgr",
        "H",
        "P@10",
        "AP",
        "RR",
        "nDCG@10",
    ]
    assert [head.get_attribute("title") for head in heads.all()] == MEASURES
    chart = drawn(tab, "agreement")
    assert {"RBP", "uRBP", "H"} <= set(ticks(chart))
    assert not {RBP, URBP, H} & set(ticks(chart))
    chart.locator(".mark-rect.role-mark path").nth(2).hover(force=True)
    tab.wait_for_function(
        "wanted => document.querySelector('#vg-tooltip-element')?.textContent.includes(wanted)",
        arg=H,
    )
