"""The report: planned facts in, the same facts out; hostile names harmless; nothing fetched."""

import base64
import csv
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from bs4 import BeautifulSoup, Tag

from pipeline.errors import InputError
from pipeline.report import markup, wording
from pipeline.report import step as report
from pipeline.report.checks import read_checks
from pipeline.report.provenance import Definition, InputFile, Provenance
from pipeline.report.results import FIELDS, Files, Results
from pipeline.report.sections.agreement import Agreement, heat_map
from pipeline.statistics.correlation.step import correlate
from pipeline.statistics.ranks import ranks_of
from pipeline.statistics.significance import compare, summarise
from pipeline.storage.text import natural

HOSTILE = "</script><script>alert(1)</script><!--\u2028'\"&"
RBP, URBP = "RBP(p=0.8)", "uRBP(p=0.8)"
H = "H(RBP(p=0.8), topicality=1, understandability=1)"
MEASURES = [RBP, URBP, "uRBPgr(p=0.8)", H, "P@10", "AP", "RR", "nDCG@10"]

# run: (team, RBP, uRBP). coral_bm25 leads by RBP and is 5th by uRBP, where delta_plain leads.
PLAN = {
    "coral_bm25": ("coral", 0.60, 0.30),
    "coral_expand": ("coral", 0.57, 0.26),
    "coral_fuse": ("coral", 0.55, 0.28),
    "abyss_lm": ("abyss", 0.53, 0.33),
    "abyss_rm3": ("abyss", 0.52, 0.34),
    "abyss_dense": ("abyss", 0.50, 0.25),
    "abyss_rerank": ("abyss", 0.48, 0.31),
    "delta_plain": ("delta", 0.47, 0.40),
    "delta_filter": ("delta", 0.45, 0.24),
    "delta_mix": ("delta", 0.42, 0.23),
    HOSTILE: ("tide", 0.40, 0.22),
    "tide_two": ("tide", 0.35, 0.20),
    "tide_three": ("tide", 0.30, 0.15),
    "tide_random": ("tide", 0.10, 0.05),
}
TOPICS = [f"demo.{i}" for i in range(1, 25)]
CHECKS = [
    *("run", "team", "file", "lines", "topics", "missing_topics", "unknown_topics", "duplicates"),
    *("bad_scores", "tied_share", "top10_differs", "judged@10 topicality"),
    *("judged@10 understandability", "identical_to", "repairs"),
]


@dataclass(frozen=True)
class Campaign:
    """The files of a made campaign and the arguments that report it."""

    folder: Path
    arguments: dict[str, Any]

    def results(self, **changes: Any) -> Results:
        given = {**self.arguments, **changes}
        files = {name: given.pop(name) for name in FIELDS & set(given)}
        return Results(files=Files(**files), **given)

    def write(self, *, out: Path | None = None, charts: bool = True, **changes: Any) -> Path:
        out = out or self.folder / "report" / "index.html"
        drawn = self.folder / "charts.json" if charts else None
        report.write(self.results(**changes), out=out, charts=drawn)
        return out


def means_of(run: str) -> dict[str, float]:
    _, rbp, urbp = PLAN[run]
    others = (0.9 * urbp + 0.02, 2 * rbp * urbp / (rbp + urbp), rbp + 0.05, rbp**2, 0.9 - urbp)
    return dict(zip(MEASURES, (rbp, urbp, *others, 0.5 * rbp + 0.5 * urbp), strict=True))


def bounds(measure: str) -> pa.Table:
    """Open by .02 and .01 more a run for the unjudged, and by .1 more past the end."""
    runs = sorted(PLAN)
    means = [means_of(run)[measure] for run in runs]
    ends = {
        "lower": [mean - 0.01 for mean in means],
        "upper": [mean + 0.11 + r / 100 for r, mean in enumerate(means)],
        "unjudged_lower": [mean - 0.01 for mean in means],
        "unjudged_upper": [mean + 0.01 + r / 100 for r, mean in enumerate(means)],
    }
    return pa.table({"run": runs, "measure": [measure] * len(runs), **ends})


def make(folder: Path) -> Campaign:
    with (folder / "means.csv").open("w", newline="", encoding="utf-8") as sink:
        writer = csv.writer(sink)
        writer.writerow(["run", "team", *MEASURES])
        for run in sorted(PLAN):
            writer.writerow([run, PLAN[run][0], *means_of(run).values()])
    for number, measure in enumerate(MEASURES):
        rows = []
        for r, run in enumerate(sorted(PLAN)):
            for t, topic in enumerate(TOPICS):
                # Another wave for each run, over which the means stay as planned.
                value = means_of(run)[measure] + ((7 * r + 5 * t) % 24 - 11.5) / 400
                rows.append((run, topic, measure, value, value - 0.01, value + 0.01 + r / 100))
        columns = [list(column) for column in zip(*rows, strict=True)]
        names = ["run", "topic", "measure", "value", "lower", "upper"]
        arrays = [pa.array(column) for column in columns]
        if number % 2:  # a table may hold its names as dictionaries
            arrays[:3] = [array.dictionary_encode() for array in arrays[:3]]
        table = pa.table(arrays, names=names)
        pq.write_table(table, folder / f"{number}.parquet")
        pq.write_table(bounds(measure), folder / f"{number}.overall.parquet")
        compare(
            folder / f"{number}.parquet",
            pairs=folder / f"{number}.pairs.csv",
            runs=folder / f"{number}.runs.csv",
            summary=folder / f"{number}.json",
            alpha=0.05,
            permutations=500,
            samples=100,
            seed=1,
        )
    summaries = [folder / f"{number}.json" for number in range(len(MEASURES))]
    summarise(summaries, out=folder / "significance.csv")
    correlate(
        folder / "means.csv",
        out=folder / "correlations.csv",
        statistics=["tau_b", "tau_ap"],
        scores=[folder / f"{number}.parquet" for number in range(len(MEASURES))],
        swaps=folder / "swaps.parquet",
        samples=100,
    )
    make_lists(folder)
    from tests.report import lists  # not at the top: `made` works without the other tests

    runs = sorted(PLAN)
    lists.write(folder, runs=runs, topics=TOPICS, shown=shown, measures=MEASURES)
    with (folder / "checks.csv").open("w", newline="", encoding="utf-8") as sink:
        writer = csv.DictWriter(sink, CHECKS, restval=0)
        writer.writeheader()
        for run in sorted(PLAN):
            row = {"run": run, "team": PLAN[run][0], "file": f"runs/{run}.txt", "lines": 24000}
            row |= {"topics": 24, "tied_share": 0.0125, "identical_to": "", "repairs": ""}
            row |= {"judged@10 topicality": 0.975, "judged@10 understandability": 0.9625}
            if run == "tide_random":
                row |= {"missing_topics": 3, "tied_share": 0.4, "judged@10 topicality": 0.31}
            if run in ("tide_two", "tide_three"):
                row |= {"identical_to": "tide_two tide_three"}
            if run == "delta_mix":
                row |= {"duplicates": 12, "repairs": "12 duplicates removed"}
            writer.writerow(row)
    return made(folder)


def shown(run: int, topic: int) -> list[str]:
    """The ten documents a run shows first: each run begins one document later."""
    return [f"doc{topic}.{(run + rank) % 30}" for rank in range(10)]


def make_lists(folder: Path) -> None:
    rows = [
        (run, topic, rank + 1, document)
        for r, run in enumerate(sorted(PLAN))
        for t, topic in enumerate(TOPICS)
        for rank, document in enumerate(shown(r, t))
    ]
    columns = [list(column) for column in zip(*rows, strict=True)]
    arrays = [pa.array(columns[0]).dictionary_encode(), pa.array(columns[1]).dictionary_encode()]
    arrays += [pa.array(columns[2], pa.int32()), pa.array(columns[3]).dictionary_encode()]
    tops = pa.table(arrays, names=["run", "topic", "rank", "document"])
    pq.write_table(tops, folder / "tops.parquet")
    judged = [(topic, f"doc{t}.{d}", d % 3) for t, topic in enumerate(TOPICS) for d in range(20)]
    table = {
        "topic": [topic for topic, _, _ in judged],
        "document": [document for _, document, _ in judged],
        "label": [float(label) for _, _, label in judged],
        "binary": [float(label > 0) for _, _, label in judged],
        "gain": [label / 2 for _, _, label in judged],
    }
    pq.write_table(pa.table(table), folder / "topicality.parquet")
    everywhere = {**table, "topic": pa.nulls(len(judged), pa.string())}  # by document alone
    pq.write_table(pa.table(everywhere), folder / "understandability.parquet")
    fog = {"document": table["document"], "fog": [6.0 + 12 * (n % 7) / 7 for n in range(480)]}
    pq.write_table(pa.table(fog), folder / "readability.parquet")


def made(folder: Path) -> Campaign:
    """The campaign whose files `make` has left in this folder."""
    arguments = {
        "campaign": "demo",
        "title": "The demo campaign",
        "means": folder / "means.csv",
        "scores": [folder / f"{number}.parquet" for number in range(len(MEASURES))],
        "overall": [folder / f"{number}.overall.parquet" for number in range(len(MEASURES))],
        "correlations": folder / "correlations.csv",
        "checks": folder / "checks.csv",
        "provenance": PROVENANCE,
        "contrast": (RBP, URBP),
        "topics": {topic: f"how to treat ailment {topic}" for topic in TOPICS}
        | {"demo.3": "<img src=x onerror=alert(1)>"},
        "standings": {m: folder / f"{n}.runs.csv" for n, m in enumerate(MEASURES)},
        "pairs": {m: folder / f"{n}.pairs.csv" for n, m in enumerate(MEASURES)},
        "tables": {"significance.csv": folder / "significance.csv"},
        "swaps": folder / "swaps.parquet",
        "top_documents": folder / "tops.parquet",
        "judged_lists": folder / "judged.json",
        "labels": {
            name: folder / f"{name}.parquet" for name in ("topicality", "understandability")
        },
        "readability": folder / "readability.parquet",
        "team_pages": True,
    }
    return Campaign(folder, arguments)


# What the report can do without.
BARE: dict[str, Any] = {
    **{"standings": {}, "pairs": {}, "swaps": None, "top_documents": None, "labels": {}},
    **{"judged_lists": None},
    **{"readability": None, "team_pages": False, "provenance": Provenance(), "charts": False},
}

PROVENANCE = Provenance(
    judged=3512,
    policies={"order": "score", "unjudged": "zero", "depth": 1000, "bad_scores": "error"},
    dimensions={
        "topicality": {"scale": [0, 2], "better": "high", "threshold": 1},
        "understandability": {"scale": [0, 3], "gains": {0: 0, 1: 0.4, 2: 0.8, 3: 1}},
        "simulated": {"estimate": {"index": "fog", "model": "step", "threshold": 15}},
    },
    inputs=[
        InputFile(f"data/runs/{name}.gz", hashlib.sha256(name.encode()).hexdigest(), 1_234_567)
        for name in ("a", "b")
    ],
    versions={"fathom": "0.1.0", "numpy": "2.4.6"},
    command="snakemake --cores all --configfile config/demo.yaml",
    measures={
        RBP: Definition(
            formula="(1 − p) Σ p^(k−1) g_k",  # noqa: RUF001
            citation="Moffat & Zobel, TOIS 27(1), 2008",
        ),
        URBP: Definition(
            formula="(1 − p) Σ p^(k−1) g_k u_k",  # noqa: RUF001
            citation="Zuccon, ECIR 2016",
        ),
    },
    remarks=["Made from seed 2016."],
)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    return make(tmp_path_factory.mktemp("campaign"))


@pytest.fixture(scope="module")
def html(campaign: Campaign) -> str:
    return campaign.write().read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def soup(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser")


def words(tag: Tag | None) -> str:
    assert tag is not None
    return " ".join(tag.get_text().split())


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
        "14 runs of 4 teams on 24 topics, scored by 8 measures against 3,512 judged documents in "
        "3 dimensions of relevance (topicality, understandability and simulated)." in text
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
    assert text.endswith("Made from seed 2016.")
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
        with (campaign.folder / f"{at}.pairs.csv").open(newline="", encoding="utf-8") as source:
            tested = [row for row in csv.DictReader(source) if row["run_a"] == best]
        told = {row["run_b"]: "≈≠"[float(row["p_tukey"]) <= 0.05] for row in tested}
        assert len(told) == len(PLAN) - 1
        for row in soup.select("#board tbody tr"):
            (cell,) = row.select(f'td[data-m="{at}"]')
            sign = "".join(raised.get_text() for raised in cell.select("sup"))
            assert sign == told.get(row.th.get_text(), "")
            said = [part for part in str(cell["title"]).split("; ") if "from the best" in part]
            expected = {"≈": "not told apart from the best", "≠": "told apart from the best"}
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
    for at, measure in enumerate(MEASURES):
        with (campaign.folder / f"{at}.pairs.csv").open(newline="", encoding="utf-8") as source:
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
    assert said[-2] == f"between 0.3400 and {0.36 + last / 100:.4f} by unjudged documents"
    assert said[-1] == "ranks past the end leave 0.1000 more open"


def test_heat_map_has_the_numbers_of_the_file(campaign: Campaign, soup: BeautifulSoup) -> None:
    with (campaign.folder / "correlations.csv").open(newline="", encoding="utf-8") as source:
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
    marked = [words(cell) for cell in odd.select("tbody tr")[0].select(".odd")]
    assert marked == ["3", "40.0 %", "31.0 %"]
    assert [words(item) for item in section.select(".findings li")] == [
        "2 runs equal another run",
        "1 run lacks topics",
        "1 run repeats documents",
        "1 run ties more than a tenth of its scores",
        "1 run has less than half of its top 10 judged in some dimension",
        "1 run was repaired",
    ]
    assert not plain.select(".odd")


def test_every_given_fact_is_on_the_page(soup: BeautifulSoup) -> None:
    inputs, methods = words(soup.select_one("#inputs")), words(soup.select_one("#methods"))
    for file in PROVENANCE.inputs:
        assert file.path in inputs
        assert file.sha256 in inputs
    assert "1.2 MB" in inputs
    pairs = {
        (words(pair.dt), words(pair.dd)) for pair in soup.select("#methods .pairs div") if pair.dt
    }
    assert pairs >= {
        ("bad scores", "error"),
        ("depth", "1000"),
        ("scale", "0, 2"),
        ("gains", "0: 0, 1: 0.4, 2: 0.8, 3: 1"),
        ("estimate", "index: fog, model: step, threshold: 15"),
        ("numpy", "2.4.6"),
    }
    assert "Moffat & Zobel, TOIS 27(1), 2008" in methods
    assert PROVENANCE.command in methods
    assert all(measure in methods for measure in MEASURES)
    topics = soup.select("#topics tbody tr")
    assert [row.th.get_text() for row in topics] == TOPICS
    assert words(topics[0]).startswith("demo.1 how to treat ailment demo.1 0.")


def test_missing_facts_leave_their_sections_out(campaign: Campaign) -> None:
    out = campaign.write(topics={}, out=campaign.folder / "bare.html", **BARE)
    soup = BeautifulSoup(out.read_text(encoding="utf-8"), "html.parser")
    headings = [words(tag) for tag in soup.select("#inputs h3, #methods h3")]
    assert headings == ["Measures", "Statistics"]
    assert words(soup.select_one(".lead")).endswith("scored by 8 measures.")


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
        "import test_report as t; t.made(Path(sys.argv[2])).write(out=Path(sys.argv[3])); "
        "print('pandas' in sys.modules, 'scipy' in sys.modules)"
    )
    again = campaign.folder / "again.html"
    tests = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", code, str(tests), str(campaign.folder), str(again)],
        capture_output=True,
        text=True,
        cwd=tests.parent,
        env={**os.environ, "PYTHONHASHSEED": "7"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", "False"]  # heavy imports the report can do without
    assert again.read_text(encoding="utf-8") == html
    assert len(html.encode()) < 5_000_000


def write_csv(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_one_run_and_one_measure_still_report(campaign: Campaign, tmp_path: Path) -> None:
    means = write_csv(tmp_path / "means.csv", "run,team,AP\nonly,,0.5\n")
    correlate(means, out=tmp_path / "correlations.csv", statistics=["tau_b"])
    out = campaign.write(
        out=tmp_path / "index.html",
        means=means,
        scores=[],
        correlations=tmp_path / "correlations.csv",
        checks=write_csv(tmp_path / "checks.csv", "run,lines\nonly,10\n"),
        contrast=("AP", "AP"),
        **BARE,
    )
    soup = BeautifulSoup(out.read_text(encoding="utf-8"), "html.parser")
    assert words(soup.select_one(".lead")) == "1 run, scored by 1 measure."
    assert words(soup.select_one("#agreement")).endswith("and two measures.")
    assert "Nothing: no run lacks topics" in words(soup.select_one("#inputs"))
    assert soup.select_one("#topics") is None


def test_unknown_scatter_measure_is_refused(campaign: Campaign) -> None:
    with pytest.raises(InputError) as error:
        campaign.write(contrast=(RBP, "uRBP(p=0.9)"))
    means = campaign.folder / "means.csv"
    assert str(error.value) == (
        f"report.scatter: 'uRBP(p=0.9)' is not a measure of {means}; "
        "add it to measures or use another, such as 'uRBP(p=0.8)'."
    )


def test_small_helpers() -> None:
    ordinals = " ".join(wording.ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 111, 122))
    assert ordinals == "1st 2nd 3rd 4th 11th 12th 13th 21st 111th 122nd"
    assert sorted(["q10", "q2", "a"], key=natural) == ["a", "q2", "q10"]
    assert sorted(["10", "x", "9"], key=natural) == ["9", "10", "x"]
    import numpy as np

    assert ranks_of(np.array([0.2, 0.5, 0.5, 0.1])) == [3, 1, 1, 4]
    assert [wording.size(n) for n in (912, 14_200, 3_100_000, 2.5e9)] == (
        ["912 B", "14.2 kB", "3.1 MB", "2.5 GB"]
    )
    assert wording.percent(0.525) == "52.5 %"
    assert wording.plain({"a": [1, None], "b": True}) == "a: 1, –, b: yes"  # noqa: RUF001
    assert markup.json_block("</script>\u2028") == '"\\u003c/script\\u003e\\u2028"'
    assert markup.script("x='</script><script>'") == "x='<\\/script><\\x73cript>'"


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"run": ["r"]}, "not a scores table, which has run, topic, measure, value."),
        (None, "this is not a Parquet file."),
        (
            {"run": ["r"], "topic": ["t"], "measure": ["m"]} | {"value": [None]},
            "column 'value' has a blank; every score is needed.",
        ),
    ],
)
def test_bad_scores_are_refused(
    campaign: Campaign, tmp_path: Path, columns: dict[str, Any] | None, message: str
) -> None:
    path = tmp_path / "bad.parquet"
    if columns is None:
        path.write_bytes(b"run,topic\n")
    else:
        pq.write_table(pa.table(columns), path)
    with pytest.raises(InputError) as error:
        campaign.write(scores=[path], out=tmp_path / "index.html")
    assert str(error.value) == f"{path}: {message}"


def test_what_most_runs_share_is_said_once_and_marks_nobody(tmp_path: Path) -> None:
    text = "run,tied_share,top10_differs,missing_topics\n"
    text += "a,0.5,1,0\nb,0.5,2,0\nc,0.5,3,2\nd,0.5,0,0\n"
    checks = read_checks(write_csv(tmp_path / "checks.csv", text))
    assert [(one.column, one.count, one.common) for one in checks.shared] == [
        ("missing_topics", 1, False),
        ("tied_share", 4, True),
        ("top10_differs", 3, True),
    ]  # tests/report/test_sentences.py has the words
    assert [row.run for row in checks.odd] == ["c"]
    assert [finding.odd for finding in checks.odd[0].findings] == [False, False, True]
    assert [row.run for row in checks.plain] == ["a", "b", "d"]


def test_checks_without_a_run_column_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no column 'run'"):
        read_checks(write_csv(tmp_path / "checks.csv", "name\nx\n"))
