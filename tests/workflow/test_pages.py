"""A campaign without labels of understandability, end to end on the demo's pages."""

import csv
import re
from itertools import pairwise
from statistics import mean

import pyarrow.parquet as pq
import pytest
import yaml

from pipeline.sources.demo.plan import planned_pages
from tests.workflow.snake import Project, outputs

pytestmark = pytest.mark.workflow

CONFIG = "config/campaigns/simulated.yaml"
RESULTS = "results/simulated"


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.copy(tmp_path_factory.mktemp("simulated"))
    project.run("--configfile", CONFIG)
    return project


def fog(project: Project) -> dict[str, float]:
    table = pq.read_table(project.folder / RESULTS / "readability.parquet").to_pydict()
    return dict(zip(table["document"], table["fog"], strict=True))


def test_planned_reading_levels_come_back_in_order(simulated: Project) -> None:
    found = fog(simulated)
    levels: dict[int, list[float]] = {}
    for page in planned_pages(seed=2016):
        if page.document in found:
            levels.setdefault(page.level, []).append(found[page.document])
    means = [mean(levels[level]) for level in range(1, 6)]
    assert all(harder > easier + 1.5 for easier, harder in pairwise(means))


def test_the_higher_the_threshold_the_less_it_changes(simulated: Project) -> None:
    """As in the paper's table: the more documents a user accepts, the nearer uRBP is to RBP."""
    with (simulated.folder / RESULTS / "correlations.csv").open(newline="") as file:
        tau = {(r["measure_a"], r["measure_b"]): float(r["tau_b"]) for r in csv.DictReader(file)}
    for model in ("step", "arctan"):
        found = [
            tau["RBP(p=0.8)", f"uRBP(p=0.8, by={model}_{threshold})"] for threshold in (10, 15, 20)
        ]
        assert found == sorted(found)
        assert found[0] < found[-1] < 1


def test_the_report_has_the_table_and_the_plots(simulated: Project) -> None:
    page = (simulated.folder / RESULTS / "report/index.html").read_text(encoding="utf-8")
    section = re.search(r'<section id="reading">.*?</section>', page, re.DOTALL)
    assert section
    values = fog(simulated)
    assert f"{len(values):,} pages of {len(values):,}" in section[0]
    for threshold in (10, 15, 20):
        accepted = sum(value <= threshold for value in values.values())
        assert re.search(
            rf"FOG ≤ {threshold}</th>.*?<td>RBP\(p=0.8\)</td>\s*"
            rf'<td class="num" data-v="{accepted}">{accepted:,}</td>',
            section[0],
            re.DOTALL,
        )
    for chart in ("reading-fog", "reading-scatter"):
        assert f'data-chart="{chart}"' in section[0]
        assert f'"{chart}":' in page


def test_a_crash_redoes_only_unfinished_shards(simulated: Project) -> None:
    """What a crash leaves: one shard done, the other and all that follows not yet there."""
    results = simulated.folder / RESULTS
    names = ("pages/1.parquet", "readability.parquet")
    for name in names:
        (results / name).rename(results / f"{name}.lost")
    asked = f"{RESULTS}/readability.parquet"
    planned = set(outputs(simulated.snakemake("--dry-run", "--configfile", CONFIG, "--", asked)))
    for name in names:
        (results / f"{name}.lost").rename(results / name)
    assert set(names) <= planned
    assert not {name for name in planned if name.startswith("pages/") and "/0." in name}


def test_documents_asked_for_and_not_found_are_listed(simulated: Project) -> None:
    """A campaign with half of the pages: the others are counted and listed, and it goes on."""
    config = yaml.safe_load((simulated.folder / CONFIG).read_text())
    campaign = config["campaigns"].pop("simulated")
    campaign["pages"].update(files="@demo/pages/[0-7]*/*.html", documents="pooled", shards=3)
    few = {"measures": campaign["report"]["scatter"], "sweep": False, "reusability": []}
    config["campaigns"]["half"] = {**campaign, **few}
    (simulated.folder / "half.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    simulated.run("--configfile", "half.yaml", "--", "results/half/report/index.html")
    results = simulated.folder / "results/half"
    with (results / "pool.tsv").open(newline="") as file:
        pooled = {row["document"] for row in csv.DictReader(file, delimiter="\t")}
    there = set(pq.read_table(results / "readability.parquet").to_pydict()["document"])
    with (results / "pages/problems.csv").open(newline="") as file:
        missing = [row["where"] for row in csv.DictReader(file) if row["kind"] == "missing"]
    assert there < pooled
    assert missing == sorted(pooled - there)
    assert len(missing) > 100
    page = (results / "report/index.html").read_text(encoding="utf-8")
    assert f"{len(missing)} required documents have no page" in page
