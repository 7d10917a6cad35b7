"""What if: what the page computes is what the engine computes; the address holds the setting."""

from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

from pipeline.gains.dimension import Mix, weighted_product
from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.combinations.means import arithmetic, harmonic
from pipeline.measures.standard.rbp import rbp
from pipeline.report.judged import setting
from pipeline.statistics.ranks import ranks_of
from pipeline.statistics.significance.pairwise import differences, ranges, tukey
from tests.report.lists import SCALES
from tests.report.test_browser import NEEDED, chromium, report, tab, where  # noqa: F401

pytestmark = [pytest.mark.browser, NEEDED]
Setting = dict[str, str]


def engine(gains: Gains, asked: Setting, start: dict[str, Any]) -> np.ndarray:
    """[run, topic]: the engine's own scores under a setting of the address."""
    p = float(asked.get("p", start["p"]))
    names = list(gains.dimensions)
    weights = [float(asked.get(f"weight {name}", start["weights"][name])) for name in names]
    wanted = {}
    for name in names:
        given = asked.get(f"from {name}", "binary")
        wanted[name] = (
            given if given == "binary" else "gain" if given == "graded" else f"rel={given}"
        )
    parts = np.array([rbp(gains.view({name: how}), p=p) for name, how in wanted.items()])
    measure = asked.get("what", start["measure"])
    if measure == "H":
        values = harmonic(parts, np.array(weights))
    elif measure == "CAM":
        values = arithmetic(parts, np.array(weights))
    elif measure == "product":
        mix = Mix(weighted_product, tuple(weights))
        values = rbp(gains.view(wanted, mix=mix), p=p)
    else:
        values = parts[names.index(measure)]
    return np.asarray(values).reshape(len(gains.runs), -1)


def shown(tab: Any, page: Path, asked: Setting) -> dict[str, Any]:  # noqa: F811
    """What the page computed of a setting."""
    tab.evaluate("() => { window.fathom.whatIf = null; }")
    tab.goto(f"{page.as_uri()}#what-if?{urlencode(asked)}")
    tab.wait_for_function("() => window.fathom.whatIf?.p")
    found: dict[str, Any] = tab.evaluate(
        "() => ({ values: [...fathom.whatIf.results.values], means: fathom.whatIf.results.means,"
        " p: fathom.whatIf.p })"
    )
    return found


def start_of(gains: Gains, measures: list[str]) -> dict[str, Any]:
    names = list(gains.dimensions)
    return setting([parse(one, dimensions=names) for one in measures], dimensions=names)


@pytest.fixture(scope="module")
def gains(report: Path) -> Gains:  # noqa: F811
    folder = report.parent.parent
    return read_gains({name: folder / f"gains/{name}.npz" for name in SCALES})


SETTINGS: list[Setting] = [
    {},
    {"p": "0.5", "weight understandability": "2.5"},
    {"what": "CAM", "p": "0.95", "weight effort": "1", "from understandability": "3"},
    {"what": "H", "weight effort": "0.5", "from effort": "25", "from topicality": "2"},
    {"what": "H", "weight topicality": "0", "from understandability": "graded"},
    {"what": "product", "weight effort": "2", "from effort": "graded"},
    {"what": "effort", "p": "0.3", "from effort": "0"},
]


def agrees(tab: Any, page: Path, gains: Gains, asked: Setting, like: str) -> None:  # noqa: F811
    """What the page says of a setting is what the engine says of it."""
    found = shown(tab, page, asked)
    values = engine(gains, asked, start_of(gains, [like]))
    np.testing.assert_allclose(np.array(found["values"]), values.ravel(), rtol=0, atol=1e-9)
    means = values.mean(axis=1)
    np.testing.assert_allclose(found["means"], means, rtol=0, atol=1e-9)
    rows = tab.locator("#what-board tbody tr")
    names = rows.locator("th").all_text_contents()
    listed = dict(zip(names, rows.locator("td.rank").all_text_contents(), strict=True))
    ranks = ranks_of(means)
    assert listed == {run: str(rank) for run, rank in zip(gains.runs, ranks, strict=True)}
    # The same test with as many permutations, drawn from another generator.
    pairs = differences(values)
    p = tukey(ranges(values, permutations=2000, seed=1), pairs)
    leader = ranks.index(1)
    for first, second, one in zip(pairs.first, pairs.second, p, strict=True):
        if leader in (first, second):
            other = int(second if first == leader else first)
            assert found["p"][other] == pytest.approx(one, abs=5 * (0.5 / 2000) ** 0.5)


H = "H(RBP(p=0.8), topicality=1, understandability=1)"


def test_the_page_computes_as_the_engine(tab: Any, report: Path, gains: Gains) -> None:  # noqa: F811
    tab.locator("#what-if").scroll_into_view_if_needed()
    for asked in SETTINGS:
        agrees(tab, report, gains, asked, H)


def slide(tab: Any, where: str, value: str) -> None:  # noqa: F811
    """Move a slider as a reader does, and let go."""
    tab.locator(where).evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input'));"
        " slider.dispatchEvent(new Event('change')); }",
        value,
    )


def test_sliders_move_the_ranking_the_verdict_and_the_address(tab: Any) -> None:  # noqa: F811
    tab.locator("#what-if").scroll_into_view_if_needed()
    tab.wait_for_function("() => document.querySelector('#what-if').dataset.tested")
    said = tab.locator("#what-verdict")
    before = str(said.text_content())
    assert f"under {H}," in before
    assert "initial ranking" not in before
    slide(tab, "[data-weight=understandability]", "3")
    slide(tab, "[data-from=topicality]", "2")
    slide(tab, "#what-p", "0.55")
    now = "H(RBP(p=0.55), topicality=1, understandability=3)"
    tab.wait_for_function(
        "now => document.querySelector('#what-if').dataset.tested === now", arg=now
    )
    told = str(said.text_content())
    assert f"leads under {now}," in told
    assert "significantly from the best run" in told
    assert "initial ranking is" in told
    address = where(tab)
    for part in ("p=0.55", "weight understandability=3", "from topicality=2"):
        assert part in address
    assert tab.locator("[data-from=topicality] + output").text_content() == "2 or better"

    other = tab.context.new_page()  # as somebody who was sent the link
    other.goto(tab.url)
    other.wait_for_function(
        "now => document.querySelector('#what-if').dataset.tested === now", arg=now
    )
    assert other.locator("#what-verdict").text_content() == told
    other.close()

    tab.go_back()
    assert "p=0.55" not in where(tab)
    tab.locator("#what-again").press("Enter")
    tab.wait_for_function(
        "before => document.querySelector('#what-verdict').textContent === before", arg=before
    )
    assert "weight" not in where(tab)


def test_no_weight_at_all_is_said(tab: Any) -> None:  # noqa: F811
    tab.locator("#what-if").scroll_into_view_if_needed()
    for name in SCALES:
        slide(tab, f"[data-weight={name}]", "0")
    tab.wait_for_function("() => !document.querySelector('#what-if').dataset.shown")
    assert "weight above 0" in tab.locator("#what-verdict").text_content()
