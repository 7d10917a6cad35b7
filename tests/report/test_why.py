"""Why this score: what the page says each document adds is what the engine says."""

from pathlib import Path
from typing import Any

import pytest

from pipeline.gains.files import read as read_gains
from pipeline.gains.gains import Gains
from pipeline.measures import parse
from pipeline.measures.contributions import contributions
from tests.report.lists import SCALES
from tests.report.made import TOPICS, shown
from tests.report.test_browser import NEEDED, chromium, report, tab, where  # noqa: F401

pytestmark = [pytest.mark.browser, NEEDED]


@pytest.fixture(scope="module")
def gains(report: Path) -> Gains:  # noqa: F811
    folder = report.parent.parent
    return read_gains({name: folder / f"gains/{name}.npz" for name in SCALES})


def choose(tab: Any, **wanted: str) -> None:  # noqa: F811
    tab.locator("#why").scroll_into_view_if_needed()
    for name, value in wanted.items():
        tab.locator(f"#why-{name}").select_option(value)
    tab.wait_for_function(
        "wanted => wanted.every(one =>"
        " document.querySelector('#why').dataset.shown?.split('\\n').includes(one))",
        arg=list(wanted.values()),
    )


def listed(tab: Any) -> list[list[str]]:  # noqa: F811
    """The cells of each row, numbers as they are and not as they are shown."""
    rows: list[list[str]] = tab.locator("#why-list tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.dataset.v ?? cell.textContent))"
    )
    return rows


@pytest.mark.parametrize("measure", ["RBP(p=0.8)", "uRBPgr(p=0.8)", "AP", "RR", "nDCG@10"])
def test_each_document_adds_what_the_engine_says(
    tab: Any,  # noqa: F811
    gains: Gains,
    measure: str,
) -> None:
    run, topic = "delta_plain", TOPICS[6]
    choose(tab, run=run, topic=topic, measure=measure)
    one = parse(measure, dimensions=list(SCALES))
    row = gains.runs.index(run) * len(TOPICS) + 6
    due = contributions(one, gains, row)
    assert due is not None
    documents = shown(gains.runs.index(run), 6)
    rows = listed(tab)
    judged = [d for d in documents if int(d.split(".")[1]) < 20]
    assert [cells[1] for cells in rows] == judged
    for rank, document, *labels, gain, weight, adds in rows:
        place, number = int(rank) - 1, int(document.split(".")[1])
        assert documents[place] == document
        for (name, (_, label)), said in zip(SCALES.items(), labels, strict=True):
            unjudged = name == "effort" and number % 7 == 0
            assert said == ("" if unjudged else str(label(number)))
        assert float(gain) == due.gain[place]
        assert float(adds) == pytest.approx(due.contribution[place], abs=1e-7)
        if weight:
            assert float(weight) == pytest.approx(due.weight[place], abs=1e-6)
    assert sum(float(cells[-1]) for cells in rows) == pytest.approx(due.value, abs=1e-6)
    count = f"{len(rows)} documents add {due.value:.4f}"
    assert count in str(tab.locator("#why-verdict").text_content())


def test_two_runs_side_by_side(tab: Any, gains: Gains) -> None:  # noqa: F811
    one, other, topic = "coral_bm25", "tide_two", TOPICS[3]
    choose(tab, run=one, topic=topic, measure="uRBP(p=0.8)", against=other)
    measure = parse("uRBP(p=0.8)", dimensions=list(SCALES))
    sides = []
    for run in (one, other):
        row = gains.runs.index(run) * len(TOPICS) + 3
        due = contributions(measure, gains, row)
        assert due is not None
        documents = shown(gains.runs.index(run), 3)
        sides.append(dict(zip(documents, due.contribution.tolist(), strict=True)))
    rows = listed(tab)
    expected = {
        document: sides[0].get(document, 0.0) - sides[1].get(document, 0.0)
        for document in {**sides[0], **sides[1]}
        if sides[0].get(document) or sides[1].get(document)
    }
    assert {cells[0]: float(cells[-2]) for cells in rows} == pytest.approx(expected, abs=1e-9)
    gaps = [abs(float(cells[-2])) for cells in rows]
    assert gaps == sorted(gaps, reverse=True)  # what makes the difference comes first
    address = where(tab)
    other_tab = tab.context.new_page()
    other_tab.goto(tab.url)
    other_tab.wait_for_function("() => document.querySelector('#why').dataset.shown")
    assert listed(other_tab) == rows
    other_tab.close()
    assert f"why={one}" in address or tab.locator("#why-run option").first.text_content() == one
    assert f"why-against={other}" in address


def test_a_score_leads_to_its_reasons(tab: Any) -> None:  # noqa: F811
    tab.locator("#choose-topic").select_option("4")
    link = tab.locator("#seen tbody tr", has_text="delta_mix").locator("td.num a")
    link.press("Enter")
    tab.wait_for_function("() => document.querySelector('#why').dataset.shown")
    assert tab.locator("#why-run").input_value() == "delta_mix"
    assert tab.locator("#why-topic").input_value() == TOPICS[4]


def test_what_is_no_sum_is_said(tab: Any) -> None:  # noqa: F811
    hint = str(tab.locator("#why .hint").text_content())
    assert "not shown here: H(RBP(p=0.8), topicality=1, understandability=1)" in hint
    assert tab.locator("#why-measure option", has_text="H(").count() == 0
