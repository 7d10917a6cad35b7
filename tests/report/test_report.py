"""The report: planned facts in, the same facts out; hostile names harmless; nothing fetched."""

import base64
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from bs4 import BeautifulSoup, Tag

from pipeline.measures.measure import slug
from pipeline.report import markup, wording
from pipeline.report.checks import read_checks
from pipeline.report.report import Provenance, Report
from pipeline.report.section import contents
from pipeline.report.sections.measures import Agreement, heat_map
from pipeline.report.step import render
from pipeline.results import Results
from pipeline.statistics.correlation.step import correlate
from pipeline.statistics.ranks import ranks_of
from pipeline.storage.text import natural
from tests.report.made import (
    HOSTILE,
    MEASURES,
    PLAN,
    PROVENANCE,
    RBP,
    TOPICS,
    URBP,
    Campaign,
    means_of,
    section,
    words,
)


def spec(soup: BeautifulSoup, name: str) -> dict[str, Any]:
    block = soup.find("script", id="charts")
    assert block is not None
    return json.loads(block.get_text())[name]


def values(spec: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The data of the layer with this name."""
    layer = next(layer for layer in spec["layer"] if layer.get("name") == name)
    return spec["datasets"][layer.get("data", spec.get("data"))["name"]]


def test_summary_tells_the_planned_story(soup: BeautifulSoup) -> None:
    text = words(soup.select_one("#summary .lead"))
    assert (
        "14 runs of 4 teams on 24 topics, scored by 8 measures in "
        "3 dimensions of relevance (topicality, understandability and effort)." in text
    )
    said = [words(line) for line in soup.select(".claims li")]
    assert said[0].startswith("coral_bm25 leads under RBP(p=0.8) (topicality), 0.6000; ")
    assert said[1].startswith("delta_plain leads under uRBP(p=0.8), 0.4000; ")
    order = words(soup.select_one("#contrast"))
    assert (
        "The largest climb is delta_plain, from 8th to 1st. "
        "The largest fall is coral_expand, from 2nd to 7th." in order
    )
    rbp, urbp = ([row[i] for row in PLAN.values()] for i in (1, 2))
    swapped = sum((rbp[i] - rbp[j]) * (urbp[i] - urbp[j]) < 0 for i in range(14) for j in range(i))
    assert f"order {swapped} of 91 pairs of runs differently" in order
    assert words(soup.title) == words(soup.h1) == "The demo campaign"


def test_leaderboard_order_ranks_arrows_and_best(soup: BeautifulSoup) -> None:
    rows = soup.select("#board tbody tr")
    by_rbp = sorted(PLAN, key=lambda run: -PLAN[run][1])
    by_urbp = sorted(PLAN, key=lambda run: -PLAN[run][2])
    assert [row.th.get_text() for row in rows] == by_rbp
    for row, run in zip(rows, by_rbp, strict=True):
        old, new = by_rbp.index(run) + 1, by_urbp.index(run) + 1
        arrow = f"▲ {old - new} " if new < old else f"▼ {new - old} " if new > old else ""
        cells = row.find_all("td")
        assert [words(cell) for cell in cells[:3]] == [str(old), PLAN[run][0], f"{arrow}{new}"]
        scored = row.select("[data-m]")
        assert [c.contents[0] for c in scored] == [f"{v:.4f}" for v in means_of(run).values()]
    columns = [[row.select("[data-m]")[i] for row in rows] for i in range(len(MEASURES))]
    for column in columns:
        numbers = [float(cell["data-v"]) for cell in column]
        bold = [n for n, cell in zip(numbers, column, strict=True) if "best" in cell["class"]]
        assert bold == [max(numbers)]


def test_which_means_are_told_apart_from_the_best(campaign: Campaign, soup: BeautifulSoup) -> None:
    """As the tests of pairs say, under every measure."""
    signs = set()
    for at, measure in enumerate(MEASURES):
        best = max(PLAN, key=lambda run: means_of(run)[measure])
        with campaign.results.significance(slug(measure)).open(newline="") as source:
            tested = [row for row in csv.DictReader(source) if row["run_a"] == best]
        told = {row["run_b"]: "≈≠"[float(row["p_tukey"]) <= 0.05] for row in tested}
        assert len(told) == len(PLAN) - 1
        for row in soup.select("#board tbody tr"):
            (cell,) = row.select(f'td[data-m="{at}"]')
            sign = "".join(raised.get_text() for raised in cell.select("sup"))
            assert sign == told.get(row.th.get_text(), "")
            said = [part for part in str(cell["title"]).split("; ") if "from the best" in part]
            different = "significantly different from the best"
            expected = {"≈": f"not {different}", "≠": different}
            assert said == [text for shown, text in expected.items() if shown == sign]
            signs.add(sign)
    assert signs == {"", "≈", "≠"}


def test_discriminative_power_is_the_share_of_pairs_told_apart(
    campaign: Campaign, soup: BeautifulSoup
) -> None:
    rows = {
        str(row.select("th")[0]["data-name"]): [words(cell) for cell in row.select("td")]
        for row in soup.select("#discrimination tbody tr")
    }
    assert set(rows) == set(MEASURES)
    for measure in MEASURES:
        with campaign.results.significance(slug(measure)).open(newline="") as source:
            pairs = list(csv.DictReader(source))
        shares = [
            sum(float(row[f"p_{test}"]) <= 0.05 for row in pairs) / len(pairs)
            for test in ("tukey", "t_holm", "permutation_bh")
        ]
        assert rows[measure][:3] == [f"{share:.3f}" for share in shares]
        told = [float(row["difference"]) for row in pairs if float(row["p_tukey"]) <= 0.05]
        assert float(rows[measure][3]) <= min(told) + 1e-4
    powers = [float(cells[0]) for cells in rows.values()]
    assert powers == sorted(powers, reverse=True)
    assert len(set(powers)) > 1
    assert "the 91 pairs of runs" in words(soup.select_one("#discrimination .hint"))


def test_intervals_are_the_mean_bounds(soup: BeautifulSoup) -> None:
    last = sorted(PLAN).index("tide_two")
    row = next(r for r in soup.select("#board tbody tr") if r.th.get_text() == "tide_two")
    said = row.find_all("td")[3]["title"].split("; ")
    assert said[-2].startswith(f"between 0.3400 and {0.36 + last / 100:.4f} ")
    assert said[-1].endswith(" 0.1000 more")


def test_heat_map_has_the_numbers_of_the_file(campaign: Campaign, soup: BeautifulSoup) -> None:
    with campaign.results.correlations.open(newline="") as source:
        expected = {
            (r["measure_a"], r["measure_b"]): float(r["tau_b"]) for r in csv.DictReader(source)
        }
    drawn = values(spec(soup, "agreement"), "cells")
    assert len(expected) == 8 * 7
    assert {(cell["a"], cell["b"]): cell["value"] for cell in drawn} == expected


@pytest.mark.parametrize(("count", "layers"), [(25, ["cells", "numbers"]), (26, ["cells"])])
def test_a_heat_map_of_many_measures_has_no_numbers_in_its_cells(
    count: int, layers: list[str]
) -> None:
    measures = tuple(f"P@{cut}" for cut in range(1, count + 1))
    pairs = {(a, b): 0.5 for a in measures for b in measures if a != b}
    drawn = heat_map(Agreement("tau_b", measures, pairs))
    assert [layer["name"] for layer in drawn["layer"]] == layers
    assert len(values(drawn, "cells")) == count * (count - 1)
    assert drawn["height"] == count * (36 if count == 25 else 14)


def test_scatter_has_every_run_and_the_least_squares_line(soup: BeautifulSoup) -> None:
    import numpy as np

    drawing = spec(soup, "scatter")
    points = {p["run"]: (p["team"], p["x"], p["y"]) for p in values(drawing, "runs")}
    assert points == PLAN
    slope, intercept = np.polyfit([p[1] for p in PLAN.values()], [p[2] for p in PLAN.values()], 1)
    for end in values(drawing, "fit"):
        assert end["y"] == pytest.approx(intercept + slope * end["x"], abs=2e-6)
    assert f"{URBP} = {intercept:.3f} + {slope:.3f} × {RBP}" in words(  # noqa: RUF001
        soup.figcaption
    )


def test_odd_runs_come_first_and_are_marked(soup: BeautifulSoup) -> None:
    section = soup.select_one("#inputs")
    assert section is not None
    odd, plain = section.find_all("table")[:2]
    assert [row.th.get_text() for row in odd.select("tbody tr")] == [
        "tide_random",
        "delta_mix",
        "tide_three",
        "tide_two",
    ]
    assert len(plain.select("tbody tr")) == 10
    marked = [words(cell) for cell in odd.select("tbody tr")[0].select(".flagged")]
    assert marked == ["3", "40.0 %", "31.0 %"]
    assert [words(item) for item in section.select(".findings li")] == [
        "2 runs are identical to another run",
        "1 run lacks topics",
        "1 run repeats documents",
        "1 run ties more than a tenth of its scores",
        "1 run has less than half of its top 10 judged in some dimension",
        "1 run was repaired",
    ]
    assert not plain.select(".flagged")


def test_what_ties_change_is_shown_where_it_is_known_and_seen(
    campaign: Campaign, tmp_path: Path
) -> None:
    assert not section(campaign.report, "inputs").select("[aria-label*='tied documents']")
    other = campaign.linked(tmp_path)
    path = other.results.overall(slug(RBP))
    table = pq.read_table(path)
    runs = table["run"].to_pylist()
    # By run: worst, expected, best; unknown, not seen in four decimals, and seen.
    ends = {runs[0]: (None,) * 3, runs[1]: (0.30001, 0.30002, 0.30003), runs[2]: (0.1, 0.2, 0.4)}
    ends[runs[3]] = (0.5, 0.55, 0.6)
    for at, end in enumerate(("worst", "expected", "best")):
        column = [ends.get(run, (0.3, 0.3, 0.3))[at] for run in runs]
        table = table.append_column(end, pa.array(column, pa.float64()))
    path.unlink()
    pq.write_table(table.append_column("value", pa.array([0.25] * len(runs))), path)
    rows = section(other.report, "inputs").select("[aria-label*='tied documents'] tbody tr")
    assert [[words(cell) for cell in row.select("td")] for row in rows] == [
        [runs[2], "RBP", "0.2500", "0.1000", "0.2000", "0.4000"],
        [runs[3], "RBP", "0.2500", "0.5000", "0.5500", "0.6000"],
    ]


def test_every_given_fact_is_on_the_page(soup: BeautifulSoup) -> None:
    inputs, methods = words(soup.select_one("#inputs")), words(soup.select_one("#methods"))
    for file in PROVENANCE.inputs:
        assert file["path"] in inputs
        assert file["sha256"] in inputs
    assert "1.2 MB" in inputs
    pairs = {
        (words(pair.dt), words(pair.dd)) for pair in soup.select("#methods .pairs div") if pair.dt
    }
    assert pairs >= {
        ("bad scores", "error"),
        ("depth", "1000"),
        ("scale", "0, 2"),
        ("gains", "0: 0, 1: 0.4, 2: 0.8, 3: 1"),
        ("numpy", "2.4.6"),
    }
    assert "Moffat & Zobel, TOIS 27(1), 2008" in methods
    assert PROVENANCE.command in methods
    assert all(measure in methods for measure in MEASURES)
    topics = soup.select("#topics tbody tr")
    assert [row.th.get_text() for row in topics] == TOPICS
    assert words(topics[0]).startswith("demo.1 how to treat ailment demo.1 0.")


def test_missing_facts_leave_their_sections_out(campaign: Campaign) -> None:
    bare = ("significance", "swaps.parquet", "rankings.parquet", "labels", "topics.tsv", "scores")
    files = campaign.without(*bare)
    page = campaign.page(files=files, provenance=Provenance())
    soup = BeautifulSoup(page, "html.parser")
    headings = [words(tag) for tag in soup.select("#inputs h3, #methods h3")]
    assert headings == ["Measures", "Statistics"]
    assert words(soup.select_one(".lead")).endswith("scored by 8 measures.")
    shown = {str(tag["id"]) for tag in soup.select("main > section")}
    assert not shown & {"topics", "explore", "why", "what-if"}


def test_hostile_names_stay_text(html: str, soup: BeautifulSoup) -> None:
    assert html.count("<script") == 9  # page, charts, look, numbers, judged (2), paper (2), Vega
    assert html.lower().count("</script") == 9
    assert not soup.select("img, iframe, object, embed, [onerror], [onclick]")
    assert "<!--" not in html
    assert HOSTILE in [tag.get_text() for tag in soup.select("#board tbody th")]
    for name in ("charts", "numbers", "judged"):
        block = soup.find("script", id=name)
        assert block is not None
        assert HOSTILE in json.dumps(json.loads(block.get_text()), ensure_ascii=False).replace(
            '\\"', '"'
        )
        assert not set("<>&\u2028\u2029") & set(block.get_text())
    assert HOSTILE in [point["run"] for point in values(spec(soup, "scatter"), "runs")]


def test_nothing_is_fetched_and_only_our_scripts_may_run(soup: BeautifulSoup) -> None:
    for tag in soup.find_all(True):
        for attribute in ("src", "href", "srcset", "data", "action", "poster"):
            given = str(tag.get(attribute, "#"))
            assert given.startswith("#") or re.fullmatch(r"teams/[A-Za-z0-9_-]+\.html", given)
    style = soup.style.get_text() if soup.style else ""
    assert style
    assert "url(" not in style
    assert "@import" not in style
    meta = soup.find("meta", attrs={"http-equiv": "Content-Security-Policy"})
    assert isinstance(meta, Tag)
    policy = dict(part.strip().split(" ", 1) for part in str(meta["content"]).split(";"))
    assert policy["default-src"] == "'none'"
    running = [tag.get_text() for tag in soup.find_all("script") if not tag.get("type")]
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in running]
    assert policy["script-src"].split() == [f"'sha256-{text}'" for text in hashes]


@pytest.mark.slow
def test_same_inputs_same_bytes_in_another_process(campaign: Campaign, html: str) -> None:
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[1]); "
        "from tests.report.made import made; from pipeline.report.section import contents; "
        "from pipeline.report.step import write_page; one = made(Path(sys.argv[2])).report; "
        "write_page(one, contents(one)); print('pandas' in sys.modules, 'scipy' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code, str(root), str(campaign.folder)],
        capture_output=True,
        text=True,
        cwd=root,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", "False"]  # heavy imports the report can do without
    assert campaign.results.page.read_text(encoding="utf-8") == html
    assert len(html.encode()) < 5_000_000


def write_csv(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_one_run_and_one_measure_still_report(tmp_path: Path) -> None:
    results = Results(tmp_path)
    write_csv(results.means, "run,team,AP\nonly,,0.5\n")
    write_csv(results.checks, "run,lines\nonly,10\n")
    correlate(results.means, out=results.correlations, statistics=["tau_b"])
    one = Report(results=results, title="One", contrast=("AP", "AP"))
    soup = BeautifulSoup(render(one, contents(one)), "html.parser")
    assert words(soup.select_one(".lead")) == "1 run, scored by 1 measure."
    assert words(soup.select_one("#agreement")).endswith("with different scores.")
    assert "No warnings: no run lacks topics" in words(soup.select_one("#inputs"))
    assert soup.select_one("#topics") is None


def test_results_that_no_longer_belong_to_the_campaign_are_not_shown(campaign: Campaign) -> None:
    """A folder may hold what an earlier config asked for; a folder given stands for its files."""
    everything = replace(campaign.report, files=frozenset({campaign.folder}))
    assert section(everything, "discrimination").select("tbody tr")
    less = replace(campaign.report, files=campaign.without("significance.csv"))
    assert not section(less, "discrimination").select("tbody tr")


def test_small_helpers() -> None:
    ordinals = " ".join(wording.ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 111, 122))
    assert ordinals == "1st 2nd 3rd 4th 11th 12th 13th 21st 111th 122nd"
    assert sorted(["q10", "q2", "a"], key=natural) == ["a", "q2", "q10"]
    assert sorted(["10", "x", "9"], key=natural) == ["9", "10", "x"]
    import numpy as np

    assert ranks_of(np.array([0.2, 0.5, 0.5, 0.1])) == [3, 1, 1, 4]
    assert wording.percent(0.525) == "52.5 %"
    assert wording.plain({"a": [1, None], "b": True}) == "a: 1, –, b: yes"  # noqa: RUF001
    assert markup.json_block("</script>\u2028") == '"\\u003c/script\\u003e\\u2028"'
    assert markup.script("x='</script><script>'") == "x='<\\/script><\\x73cript>'"


def test_what_most_runs_share_is_said_once_and_marks_nobody(tmp_path: Path) -> None:
    text = "run,tied_share,top10_differs,missing_topics\n"
    text += "a,0.5,1,0\nb,0.5,2,0\nc,0.5,3,2\nd,0.5,0,0\n"
    checks = read_checks(write_csv(tmp_path / "checks.csv", text))
    assert [(one["column"], one["count"], one["common"]) for one in checks.warnings] == [
        ("missing_topics", 1, False),
        ("tied_share", 4, True),
        ("top10_differs", 3, True),
    ]  # tests/report/test_sentences.py has the words
    assert [row.run for row in checks.flagged] == ["c"]
    assert [cell.flagged for cell in checks.flagged[0].cells] == [False, False, True]
    assert [row.run for row in checks.others] == ["a", "b", "d"]
