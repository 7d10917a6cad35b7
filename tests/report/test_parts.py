"""The report's parts: what the drill-down is given, team pages, figures, names of files."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from bs4 import BeautifulSoup

from pipeline.measures.measure import slug
from pipeline.report import board, charts, documents, figures, teams, wording
from pipeline.report.report import Definition, Provenance, definition
from pipeline.report.section import contents
from pipeline.report.sections import explore
from pipeline.report.sections import planes as drawn_planes
from pipeline.report.verdict import related
from pipeline.report.wording import slugs
from pipeline.storage import sheets
from tests.report.lists import SCALES
from tests.report.made import (
    HOSTILE,
    MEASURES,
    PLAN,
    RBP,
    TOPICS,
    URBP,
    Campaign,
    section,
    shown,
    words,
)


@pytest.fixture(scope="module")
def block(soup: BeautifulSoup) -> dict[str, Any]:
    found = soup.find("script", id="numbers")
    assert found is not None
    return json.loads(found.get_text())


def test_numbers_are_the_scores(block: dict[str, Any], campaign: Campaign) -> None:
    by_rbp = sorted(PLAN, key=lambda run: -PLAN[run][1])
    assert block["runs"] == by_rbp
    assert [topic for topic, _ in block["topics"]] == TOPICS
    assert block["measures"] == MEASURES
    rows = pq.read_table(campaign.results.scores(slug(MEASURES[1]))).to_pylist()
    assert len(rows) == 14 * 24
    for row in rows:
        at = by_rbp.index(row["run"]) * 24 + TOPICS.index(row["topic"])
        assert block["measure"][1]["scores"][at] == pytest.approx(1e4 * row["value"], abs=0.5001)


def test_tests_of_pairs_are_found_from_both_sides(
    block: dict[str, Any], campaign: Campaign
) -> None:
    import csv

    runs = block["runs"]
    with campaign.results.significance(slug(MEASURES[1])).open(newline="") as source:
        rows = list(csv.DictReader(source))
    assert len(rows) == 91
    turned = 0
    for row in rows:
        i, j = sorted((runs.index(row["run_a"]), runs.index(row["run_b"])))
        at = i * (2 * 14 - i - 1) // 2 + j - i - 1  # as the page's script counts
        pair = {name: values[at] for name, values in block["measure"][1]["pairs"].items()}
        sign = 1 if runs[i] == row["run_a"] else -1
        turned += sign < 0
        half = (float(row["upper"]) - float(row["lower"])) / 2
        expected = {
            "half": half,
            "effect": sign * float(row["effect"]),
            "t": float(row["p_t"]),
            "permutation": float(row["p_permutation_holm"]),
            "tukey": float(row["p_tukey"]),
        }
        # As printed, with two decimals: rounded once.
        assert f"{pair.pop('effect') / 100:.2f}" == f"{round(expected.pop('effect'), 2):.2f}"
        assert {n: v / 1e4 for n, v in pair.items()} == pytest.approx(expected, abs=1e-4)
    assert turned  # the second measure orders some pairs the other way


def test_that_holm_is_out_of_reach_is_said_where_it_is(
    campaign: Campaign, html: str, tmp_path: Path
) -> None:
    said = "runs the permutation test with Holm’s correction would need"  # noqa: RUF001
    assert said not in html
    other = campaign.linked(tmp_path)
    path = other.results.significance(slug(MEASURES[1]))
    head, *rows = sheets.lines(path)
    at = head.index("p_permutation_holm")
    path.unlink()
    sheets.write(path, head, ([*row[:at], "", *row[at + 1 :]] for row in rows))
    assert f"With {len(PLAN)} {said}" in words(section(other.report, "explore"))


def test_swaps_are_those_of_the_plan(campaign: Campaign) -> None:
    expected = {
        (a, b) for a in PLAN for b in PLAN if PLAN[a][1] > PLAN[b][1] and PLAN[a][2] < PLAN[b][2]
    }
    path = campaign.results.swaps
    found = board.read_swaps(path, contrast=(RBP, URBP))
    assert {(swap.run_a, swap.run_b) for swap in found} == expected
    assert [swap.share for swap in found] == sorted((swap.share for swap in found), reverse=True)
    turned = board.read_swaps(path, contrast=(URBP, RBP))
    assert {(swap.run_b, swap.run_a) for swap in turned} == expected
    for swap in turned:
        assert swap.difference_a > 0 > swap.difference_b
        assert swap.difference_a == pytest.approx(PLAN[swap.run_a][2] - PLAN[swap.run_b][2])
    content = drawn_planes.contrast(campaign.report)
    assert content
    assert len(content.values["supported"]) <= drawn_planes.MOST_SWAPS < len(found)


def test_lists_are_what_the_runs_showed_with_their_labels(block: dict[str, Any]) -> None:
    held = block["lists"]
    assert held["dimensions"] == list(SCALES)
    for r, run in enumerate(sorted(PLAN)):
        for t, topic in enumerate(held["topics"]):
            places = topic["runs"][block["runs"].index(run)]
            assert [topic["documents"][at] for at in places] == shown(r, t)
    topic = held["topics"][3]
    for at, document in enumerate(topic["documents"]):
        number = int(document.split(".")[1])
        labels = [SCALES[name][1](number) if number < 20 else None for name in list(SCALES)[:2]]
        assert [one[at] for one in topic["labels"]][:2] == labels
        assert topic["gains"][0][at] == (None if labels[0] is None else 50 * labels[0])


def test_a_label_by_topic_comes_before_one_by_document() -> None:
    known: documents.Labels = {("t", "d"): (2.0, 100), (None, "d"): (0.0, 0)}
    assert documents.label_of(known, "t", "d")[0] == 2
    assert documents.label_of(known, "u", "d")[0] == 0
    assert documents.label_of(known, "u", "e") == (None, None)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([0.12345, -0.5], [1234, -5000]), ([float("nan"), 2.0], [None, 20000])],
)
def test_fixed_point(values: list[float], expected: list[int | None]) -> None:
    assert explore.fixed(values) == expected


@pytest.mark.parametrize(
    ("letters", "expected"),
    [("abc", "abc"), ("bcde", "b–e"), ("yza2b2", "y–b2"), ("a2", "a2"), ("", "")],  # noqa: RUF001
)
def test_letters_as_a_stretch(letters: str, expected: str) -> None:
    assert wording.stretch(letters) == expected


FILES = sorted(path.name for path in Path(explore.__file__).parent.glob("*.yaml"))
VALUES: dict[str, Any] = dict.fromkeys(("height", "below", "font", "stroke", "size"), 12)
VALUES |= {name: [0, 1] for name in ("domain", "domain_x", "domain_y", "ticks", "tones")}
VALUES |= {name: ["a", "b"] for name in ("measures", "order", "dimensions", "best")}
VALUES |= {"axis": {"labels": True}, "team": charts.teams(["a", "b"])}


@pytest.mark.parametrize("file", FILES)
def test_charts_are_valid_vega_lite(file: str) -> None:
    """By the schema that Altair has; every name in a file is one that a chart fills."""
    import altair as alt

    text = (Path(explore.__file__).parent / file).read_text("utf-8")
    names = re.findall(r"\$(\w+)", text)
    data = {name: [{"x": 1}] for name in re.findall(r"data: {name: (\w+)}", text)}
    spec = charts.filled(file, data, **{name: VALUES.get(name, "text") for name in names})
    assert alt.Chart.from_dict(spec).to_dict()
    assert len(FILES) == 11


def test_layers_without_data_are_left_out() -> None:
    values = {name: VALUES.get(name, "text") for name in ("best",)}
    spec = charts.filled("curves.yaml", {"named": [{"x": 1}], "others": []}, **values)
    assert [layer["name"] for layer in spec["layer"]] == ["named"]
    assert list(spec["datasets"]) == ["named"]


def test_pareto_front_by_hand() -> None:
    points = {"a": (1, 5), "b": (2, 5), "c": (3, 3), "d": (2, 2), "e": (4, 1), "f": (4, 0)}
    runs = [{"run": run, "x": x, "y": y} for run, (x, y) in points.items()]
    assert [run["run"] for run in drawn_planes.pareto(runs)] == ["b", "c", "e"]


def test_contours_have_equal_harmonic_means() -> None:
    points = drawn_planes._contours([0.1, 0.9], [0.2, 0.8])
    assert len({point["level"] for point in points}) >= 4
    for point in points:
        x, y = point["x"], point["y"]
        assert 2 * x * y / (x + y) == pytest.approx(point["level"], abs=1e-3)


@pytest.mark.parametrize(
    ("measures", "expected"),
    [
        (["RBP(p=0.8)", "RBP(p=0.8, on=u)"], [("RBP(p=0.8)", "RBP(p=0.8, on=u)", "u")]),
        (["P@10", "P(on=u)@10"], [("P@10", "P(on=u)@10", "u")]),
        (["RBP(p=0.5)", "RBP(p=0.8, on=u)"], []),
    ],
)
def test_planes_are_measures_that_differ_in_dimension(
    measures: list[str], expected: list[tuple[str, str, str]]
) -> None:
    assert related(measures, dimensions=["t", "u"]) == expected


def test_file_names_of_teams_are_harmless_and_different() -> None:
    hostile = ["../../etc/passwd", "a/b", "A", "a", "", ".", HOSTILE, "é" * 300, "x" * 300, "ok_1"]
    names = slugs(hostile)
    assert list(names) == hostile
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,60}", name) for name in names.values())
    assert len({name.lower() for name in names.values()}) == len(hostile)
    assert names["ok_1"] == "ok_1"


def test_a_page_a_team(campaign: Campaign, soup: BeautifulSoup) -> None:
    teams.write(campaign.report)
    folder = campaign.results.team_pages
    linked = {str(a["href"]) for a in soup.select("#teams a")}
    assert linked == {f"teams/{path.name}" for path in folder.glob("*.html")}
    assert len(linked) == 4
    text = (folder / "tide.html").read_text(encoding="utf-8")
    assert text.count("<script") == text.count("</script") == 1
    page = BeautifulSoup(text, "html.parser")
    assert not page.select("img, [onerror], [src]")
    mine = [row.th.get_text() for row in page.select("#runs tbody tr")]
    assert mine == [HOSTILE, "tide_two", "tide_three", "tide_random"]
    assert "11th of 14 with 0.4000" in " ".join(page.select_one(".claims").get_text().split())
    ranks = [row.find_all("td")[2].get_text() for row in page.select("#standing tbody tr")]
    assert len(ranks) == len(MEASURES)
    assert ranks[0] == "11"
    odd = [cell.get_text() for cell in page.select("#inputs .flagged")]
    assert "3" in odd  # tide_random lacks three topics
    tables = page.select("#topics table")
    assert [len(table.select("tbody tr")) for table in tables] == [24, 24]
    leads = [float(row.find_all("td")[2]["data-v"]) for row in tables[0].select("tbody tr")]
    assert leads == sorted(leads, reverse=True)
    assert campaign.report.provenance.command in text


@pytest.mark.slow
def test_figures_for_paper(campaign: Campaign, tmp_path: Path) -> None:
    drawn = [chart for _, content in contents(campaign.report) for chart in content.charts]
    figures.write(drawn, out=tmp_path)
    names = {"scatter", "agreement", "bump", "intervals", "difficulty", "heat"}
    assert {path.name for path in tmp_path.iterdir()} == {
        f"{name}.{kind}" for name in names for kind in ("svg", "pdf")
    }
    for name in names:
        svg = (tmp_path / f"{name}.svg").read_text(encoding="utf-8")
        assert svg.startswith("<svg")
        assert "<script" not in svg
        assert "NaN" not in svg
        assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    marks = BeautifulSoup((tmp_path / "heat.svg").read_text("utf-8"), "html.parser")
    assert len(marks.select(".mark-rect.role-mark path")) == 14 * 24


def test_the_look_uses_only_colours_the_style_sheet_has() -> None:
    known = charts.colours()
    used = re.findall(r'"(--[a-z0-9-]+)"', json.dumps(charts.look()))
    assert used
    assert set(used) <= set(known)


def luminance(colour: str) -> float:
    channels = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    """WCAG 2.2: from 1 (the same) to 21 (black on white)."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def themes() -> dict[str, dict[str, str]]:
    style = (Path(charts.__file__).parent / "report.css").read_text("utf-8")
    light, dark = style.split("}", 2)[:2]
    found = [dict(re.findall(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6})", part)) for part in (light, dark)]
    return {"light": found[0], "dark": {**found[0], **found[1]}}


TEXT = [
    *((ink, ground) for ink in ("ink", "soft", "accent") for ground in ("ground", "surface")),
    *(("up", "ground"), ("down", "ground"), ("up", "surface"), ("down", "surface")),
    *(("flag-ink", "flag"), ("ink", "middle"), ("ink", "faint")),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), TEXT)
def test_text_is_legible(theme: str, ink: str, ground: str) -> None:
    colours = themes()[theme]
    assert contrast(colours[ink], colours[ground]) >= 4.5  # WCAG AA


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_marks_are_visible(theme: str) -> None:
    colours = themes()[theme]
    for name in ("mark", "focus", *(f"team-{number}" for number in range(1, 13))):
        assert contrast(colours[name], colours["ground"]) >= 3, name  # WCAG 1.4.11


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_labels_in_tiles_are_legible_at_every_gain(theme: str) -> None:
    colours = themes()[theme]
    low, high = (
        np.array([int(colours[name][at : at + 2], 16) for at in (1, 3, 5)])
        for name in ("middle", "high")
    )
    for gain in range(101):
        mixed = np.round(low + (high - low) * gain / 100).astype(int)
        ground = "#" + "".join(f"{channel:02x}" for channel in mixed)
        ink = "#ffffff" if gain > 75 else colours["tile"]  # as explore.js chooses
        assert contrast(ink, ground) >= 4.5, gain
    assert contrast("#ffffff", colours["low"]) >= 4.5  # a strong negative correlation


def test_an_effect_is_rounded_once() -> None:
    """0.12496 is 0.12; by way of 0.1250 it would be 0.13."""
    assert explore.fixed([0.12496, -0.12496, math.nan], explore.UNITS["effect"]) == [12, -12, None]


@pytest.mark.parametrize(
    ("measure", "scale", "highest"),
    [
        ("ERR@10", [0, 2], 2.0),
        ("H(ERR, topicality=1, trust=1)", [1, 4], 3.0),
        ("ERR@10", [0, 4], None),  # as gdeval
        ("ERR(gain=binary)", [0, 2], None),  # no grades in it
        ("AP", [0, 2], None),
    ],
)
def test_err_is_marked_where_gdeval_has_another(
    measure: str, scale: list[int], highest: float | None
) -> None:
    described = {name: {"scale": scale} for name in ("topicality", "trust")}
    assert definition(measure, described).highest == highest


def test_the_page_says_what_gdeval_takes(campaign: Campaign) -> None:
    marked = Provenance(measures={RBP: Definition("f", "c", 2.0), URBP: Definition("f", "c")})
    said = section(replace(campaign.report, provenance=marked), "methods").select("dl.measures dd")
    told = [
        "The highest grade is 2 here. gdeval.pl always assumes 4" in one.get_text() for one in said
    ]
    assert told[:2] == [True, False]
    assert sum(told) == 1
