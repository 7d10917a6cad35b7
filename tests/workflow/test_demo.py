"""The demo campaign from its seed to its report tells the story that was planned."""

import csv
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pipeline.gains.files import read as read_gains
from pipeline.sources.demo import systems as plan
from pipeline.sources.demo.plan import planned_pages
from tests.language import dialect, page
from tests.report.taking import everything_is_taken_along
from tests.report.test_browser import NEEDED, chromium  # noqa: F401
from tests.report.test_what_if import agrees
from tests.report.walk import on_paper, walked
from tests.sources.test_demo import TOPICAL_WINNER, UNDERSTANDABILITY_WINNER
from tests.workflow.snake import Project, outputs

pytestmark = pytest.mark.workflow

RBP, URBP, SIMULATED = "RBP(p=0.8)", "uRBP(p=0.8)", "uRBP(p=0.8, by=simulated)"
BASELINE = "baseline:bm25"
H = "H(RBP(p=0.8), topicality=1, understandability=1)"
PRODUCT = (
    "rankings.parquet", "readability.parquet", "pool.tsv", "means.csv", "correlations.csv",
    "checks.csv", "swaps.parquet", "significance.csv", "significance/RBP_p=0.8.csv",
    "significance/runs/RBP_p=0.8.csv",
    "report/tables/means.tex", "report/tables/contrast.tex", "report/tables/agreement.tex",
    "report/tables/discrimination.tex", "labels/topicality.parquet", "pool/teams.csv",
    "pool/judge.qrels", "people/measures.csv", "people/comparisons.csv", "judging/sweep.csv",
    "judging/reusability/summary.csv",
    "scores/RBP_p=0.8.parquet", "report/index.html", "report/teams/harbour.html",
    *(
        f"report/figures/{name}.{kind}"
        for name in (
            "scatter", "agreement", "bump", "tradeoff", "intervals", "difficulty", "heat",
            "reading-fog", "reading-scatter",
            "people_preferences", "people_satisfaction",
        )
        for kind in ("svg", "pdf")
    ),
)  # fmt: skip


def means(demo: Project) -> dict[str, dict[str, float]]:
    with (demo.folder / "results/demo/means.csv").open(newline="") as file:
        return {
            row["run"]: {k: float(v) for k, v in row.items() if k not in ("run", "team")}
            for row in csv.DictReader(file)
        }


def test_every_promised_file_is_there(demo: Project) -> None:
    missing = [f for f in PRODUCT if not (demo.folder / "results/demo" / f).stat().st_size]
    assert not missing


def test_every_page_is_in_the_words_of_the_field(demo: Project) -> None:
    pages = sorted((demo.folder / "results/demo/report").rglob("*.html"))
    assert len(pages) > 4
    spoken = {path.name: dialect(page(path.read_text(encoding="utf-8"))) for path in pages}
    assert {name: passages for name, passages in spoken.items() if passages} == {}


def test_the_topical_winner_loses_under_understandability(demo: Project) -> None:
    score = means(demo)
    assert set(score) == {*(system.name for system in plan.SYSTEMS), BASELINE}

    def order(measure: str) -> list[str]:
        return sorted(score, key=lambda run: -score[run][measure])

    assert order(RBP)[0] == TOPICAL_WINNER
    for measure in (URBP, H, SIMULATED):  # the estimate from the pages alone agrees with the labels
        assert order(measure)[0] == UNDERSTANDABILITY_WINNER
        assert order(measure).index(TOPICAL_WINNER) >= 3


def test_the_measure_that_models_the_users_agrees_with_them_best(demo: Project) -> None:
    with (demo.folder / "results/demo/people/measures.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    for people in ("preferences", "satisfaction"):
        mine = [row for row in rows if row["people"] == people]
        assert len(mine) == 11
        assert max(mine, key=lambda row: float(row["agreement"]))["measure"] == "uRBPgr(p=0.8)"


def test_a_plain_search_of_the_pages_is_a_baseline_and_no_team(demo: Project) -> None:
    score = means(demo)
    topical = sorted(score, key=lambda run: -score[run][RBP])
    # It knows the words alone: better than nothing, and than none of the planned leaders.
    assert 0.3 < score[BASELINE][RBP] < score[TOPICAL_WINNER][RBP]
    assert topical.index(BASELINE) >= 3
    results = demo.folder / "results/demo"
    with (results / "teams.csv").open(newline="") as file:
        teams = {row["run"]: row["team"] for row in csv.DictReader(file)}
    assert teams[BASELINE] == ""
    assert len(teams) == 15
    assert len(set(teams.values()) - {""}) == 4
    page = (results / "report/index.html").read_text(encoding="utf-8")
    assert "14 runs of 4 teams and 1 baseline on 24 topics" in page
    assert {path.stem for path in (results / "report/teams").glob("*.html")} == {
        "delta", "harbour", "lagoon", "reef",
    }  # fmt: skip


def test_planned_reading_levels_come_back_in_order(demo: Project) -> None:
    table = pq.read_table(demo.folder / "results/demo/readability.parquet").to_pydict()
    fog = dict(zip(table["document"], table["fog"], strict=True))
    levels: dict[int, list[float]] = {}
    for planned in planned_pages(seed=2016):
        levels.setdefault(planned.level, []).append(fog[planned.document])
    middle = [sum(levels[level]) / len(levels[level]) for level in sorted(levels)]
    assert middle == sorted(middle)
    assert middle[-1] > 2 * middle[0]


def test_the_figures_flow_into_the_report_of_snakemake(demo: Project) -> None:
    demo.run("--report", "workflow.html")
    page = (demo.folder / "workflow.html").read_text(encoding="utf-8")
    for name in ("scatter", "bump", "tradeoff", "heat"):
        assert f"results/demo/report/figures/{name}.svg" in page


@NEEDED
@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (420, "dark")])
def test_the_report_in_a_browser(
    demo: Project,
    chromium: Any,  # noqa: F811
    tmp_path: Path,
    width: int,
    scheme: str,
) -> None:
    report = demo.folder / "results/demo/report"
    tab = walked(chromium, report / "index.html", width=width, scheme=scheme)
    names = {chart.get_attribute("data-chart") for chart in tab.locator("[data-chart]").all()}
    assert {"scatter", "bump", "tradeoff", "agreement", "intervals", "difficulty", "heat"} < names
    charts, tables = everything_is_taken_along(tab)
    assert charts == len(names)
    assert tables > 20
    if scheme == "dark":
        on_paper(tab, tmp_path / "report.pdf")
    else:  # what if: the page computes as the engine
        known = ("topicality", "understandability", "trustworthiness", "simulated")
        folder = demo.folder / "results/demo/gains"
        gains = read_gains({name: folder / f"{name}.npz" for name in known})
        tab.locator("#what-if").scroll_into_view_if_needed()
        like = "H(RBP(p=0.8), topicality=1, understandability=1)"
        for asked in (
            {},
            {"p": "0.6", "weight trustworthiness": "2", "from understandability": "1"},
            {"what": "CAM", "from topicality": "2"},
            {"what": "product", "from understandability": "graded"},
        ):
            agrees(tab, report / "index.html", gains, asked, like)
    tab.context.close()


def test_a_second_run_does_nothing(demo: Project) -> None:
    assert outputs(demo.snakemake("--dry-run")) == []


def test_the_report_names_what_it_was_made_with(demo: Project) -> None:
    page = (demo.folder / "results/demo/report/index.html").read_text(encoding="utf-8")
    for fact in (
        TOPICAL_WINNER,
        UNDERSTANDABILITY_WINNER,
        "fathom run results/demo/config.yaml",
    ):
        assert fact in page
