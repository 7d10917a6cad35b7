"""The papers on real runs, from a mirror, without a network: every cell that agrees today."""

import csv
from pathlib import Path

import pytest

from tests.real.layout import mirror
from tests.workflow.snake import Project

pytestmark = [pytest.mark.real, pytest.mark.workflow, pytest.mark.slow]
PAPERS = ("h-framework", "ubire")


@pytest.fixture(scope="module")
def made(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    project = Project.copy(folder / "project")
    env = {
        "FATHOM_MIRROR": str(mirror(data, folder / "mirror")),
        "FATHOM_CACHE": str(folder / "cache"),
        "https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9",
    }  # fmt: skip
    configs = [f"config/papers/{name}.yaml" for name in PAPERS]
    done = project.snakemake("--configfile", *configs, env=env)
    assert done.returncode == 0, done.stderr[-4000:]
    # Used campaigns are made as far as a paper needs them, and nothing is to do again.
    assert not (project.folder / "results/ubire-clef2015/report").exists()
    again = project.snakemake("--dry-run", "--configfile", *configs)
    assert "Nothing to be done" in again.stdout + again.stderr
    return project.folder / "results"


def cells(made: Path, paper: str, table: str) -> dict[tuple[str, str], dict[str, str]]:
    with (made / paper / "published.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == table]
    return {(row["row"], row["column"]): row for row in rows}


def test_every_paper_leaves_its_files(made: Path) -> None:
    for name in PAPERS:
        for file in ("index.html", "published.csv"):
            assert (made / name / file).stat().st_size > 100, (name, file)
        assert len(list((made / name / "figures").glob("*.svg"))) >= 2
        assert len(list((made / name / "tables").glob("*.tex"))) >= 5
        page = (made / name / "index.html").read_text()
        assert "is not available.</strong>" not in page


def test_table_2_of_the_h_framework(made: Path) -> None:
    deviations = {}
    for year, within in (("2015", 0.0255), ("2016", 0.0805)):
        found = cells(made, "h-framework", f"2 ({year})")
        assert len(found) == 12
        nearer: dict[frozenset[str], float] = {}
        for (row, column), one in found.items():
            pair = frozenset((row, column))
            nearer[pair] = min(nearer.get(pair, 9.0), abs(float(one["difference"])))
        deviations[year] = max(nearer.values())
        assert deviations[year] <= within
        assert {one["verdict"] for one in found.values()} <= {"near", "agrees", "rounds", "differs"}
    assert deviations["2015"] == pytest.approx(0.025, abs=0.0005)
    assert deviations["2016"] == pytest.approx(0.080, abs=0.0005)
    twice = [cells(made, "h-framework", "2 (2016)")[pair]
             for pair in (("uRBP", "RBP_u"), ("RBP_u", "uRBP"))]  # fmt: skip
    assert [one["published"] for one in twice] == ["0.456", "0.524"]
    assert all("Kendall's tau is symmetric" in one["why"] for one in twice)


def test_section_6_of_ubire(made: Path) -> None:
    found = cells(made, "ubire", "section 6")
    for other, tau, overlap in (("uRBP", 0.8666, 0.817), ("uRBPgr", 0.9077, 0.887)):
        one = found[f"RBP, {other}", "tau"]
        assert one["verdict"] == "agrees"
        assert round(float(one["ours"]), 4) == tau
        printed_as_ap = found[f"RBP, {other}", "tau_AP"]
        assert float(printed_as_ap["ours"]) == pytest.approx(overlap, abs=0.001)
        assert "it is the overlap that ubire computes" in printed_as_ap["why"]
    page = (made / "ubire/index.html").read_text()
    assert "8 of the 68 runs have other means in Fathom" in page
    assert page.count("KISTI_EN_RUN.") >= 8
    runs = (made / "ubire/tables/section-6-runs.csv").read_text().splitlines()
    assert [line.split(",")[-4] for line in runs[1:]] == ["110", "110", "68", "68", "68", "68"]


def test_section_5_of_ubire_claims_no_figure_and_shows_what_it_must(made: Path) -> None:
    for table, year, variants in (("1", "2013", 2), ("2", "2015", 1)):
        found = cells(made, "ubire", table)
        assert {one["verdict"] for one in found.values()} == {"absent"}
        with (made / f"ubire/tables/section-5-{year}.csv").open(newline="") as file:
            rows = list(csv.reader(file))[1:]
        assert len(rows) == variants
        taus = [[float(value) for value in row[1:4]] for row in rows]
        assert all(some == sorted(some) for some in taus)
        if variants == 2:
            assert sum(taus[1]) > sum(taus[0])
    page = (made / "ubire/index.html").read_text()
    assert "Generated pages: the pages of the runs are not public" in page
    assert "Not as printed" not in page
    implied = (made / "ubire/tables/section-5-implied.csv").read_text()
    assert "Table 1 (2013),48,42" in implied
    assert "Table 2 (2015),121,68" in implied


def test_equation_7_divided_by_its_integral_ranks_the_same(made: Path) -> None:
    with (made / "ubire/tables/equation-7.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Threshold"] for row in rows] == ["10", "15", "20"]
    for row in rows:
        assert float(row["tau-b of both"]) == 1
        assert row["Ratio of the scores"] == row["Integral"]
        assert float(row["Integral"]) > 1


def test_a_heavier_understandability_agrees_less_with_rbp(made: Path) -> None:
    with (made / "ubire/tables/weights.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    taus = [float(row["tau-b with RBP"]) for row in rows]
    assert [row["Weight"] for row in rows] == ["0.25", "0.5", "1", "2", "4"]
    assert taus == sorted(taus, reverse=True)
