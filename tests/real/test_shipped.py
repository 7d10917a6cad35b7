"""The shipped campaigns from a mirror in the original layout: the figures of the data in place."""

import csv
import gzip
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.sources.places import read_missing
from tests.real.conftest import CONFIGS
from tests.real.layout import diversity, mirror
from tests.workflow.snake import Project

pytestmark = [pytest.mark.real, pytest.mark.workflow, pytest.mark.slow]

LACKING = {
    "clef2013": ["runs/* (42 of 48)"],
    "clef2015": ["runs/english-runs/*.dat (68 of 110)"],
    "clef2016": [],
}


@pytest.fixture(scope="module")
def mirrored(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mirror(data, tmp_path_factory.mktemp("mirror"))


@pytest.mark.parametrize("name", LACKING)
def test_same_figures(
    data: Path, mirrored: Path, clef2015: Project, tmp_path: Path, name: str
) -> None:
    (tmp_path / "shared").symlink_to(data.parent)
    measures = ("P@10", "RBP_p=0.8" if name == "clef2013" else "uRBP_p=0.8")
    wanted = ["topics.tsv", *(f"scores/{measure}.parquet" for measure in measures)]
    wanted += ["audit.csv"] if name != "clef2016" else []
    targets = [f"results/{name}/{file}" for file in wanted]
    here, public = clef2015, Project.copy(tmp_path / "public")
    if name != "clef2015":
        here = Project.copy(tmp_path / "here")
        here.run("--configfile", str(CONFIGS / f"{name}.yaml"), "--", *targets)
    env = {
        "FATHOM_MIRROR": str(mirrored), "FATHOM_CACHE": str(tmp_path / "cache"),
        "https_proxy": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9",
    }  # fmt: skip
    config = f"config/campaigns/{name}.yaml"
    done = public.snakemake("--configfile", config, "--", *targets, env=env)
    assert done.returncode == 0, done.stderr[-4000:]
    for target in targets:
        ours, theirs = (lines(one.folder / target) for one in (here, public))
        assert ours == theirs, target
        assert len(ours) > 10
    source = public.folder / "results" / name / "sources/clef"
    assert read_missing(source) == LACKING[name]
    assert all(f"the mirror lacks files: {one}" in done.stderr for one in LACKING[name])
    # What was made from the mirror is what the net would give: nothing to do again without it.
    again = public.snakemake("--dry-run", "--configfile", config, "--", *targets)
    assert "Nothing to be done" in again.stdout + again.stderr


def lines(path: Path) -> list[str]:
    """The rows of a table as text, in order."""
    if path.suffix != ".parquet":
        return sorted(path.read_text().splitlines())
    return sorted(str(row) for row in pq.read_table(path).to_pylist())


def test_diversity_as_any_campaign(data: Path, tmp_path: Path) -> None:
    """Runs and judgements by subtopic from a mirror: the means ndeval printed, and a report."""
    env = {
        "FATHOM_MIRROR": str(diversity(data, tmp_path / "mirror")),
        "FATHOM_CACHE": str(tmp_path / "cache"),
    }
    project = Project.copy(tmp_path / "project")
    config = "config/campaigns/trec2009-diversity.yaml"
    done = project.snakemake("--configfile", config, env=env)
    assert done.returncode == 0, done.stderr[-4000:]
    results = project.folder / "results/trec2009-diversity"
    with (results / "means.csv").open(newline="") as file:
        means = {row["run"]: row for row in csv.DictReader(file)}
    names = {
        "alpha-nDCG@10": "alpha_nDCG(alpha=0.5)@10", "ERR-IA@20": "ERR_IA(alpha=0.5)@20",
        "nNRBP": "nNRBP(alpha=0.5, beta=0.5)", "MAP-IA": "IA(AP)", "strec@10": "StRecall@10",
    }  # fmt: skip
    compared = 0
    for run, ours in means.items():
        stem = "lemur" if run == "wt2009.txt" else run.removesuffix(".run")
        (path,) = (data / "trec2009-diversity/ndeval").glob(f"{stem}-*")
        with gzip.open(path, "rt") as file:
            printed = next(row for row in csv.DictReader(file) if row["topic"] == "amean")
        for theirs, name in names.items():
            # A run that misses a topic of 50 has nothing there; ndeval leaves the topic out.
            share = 49 / 50 if run.startswith("ppg") else 1.0
            assert float(ours[name]) == pytest.approx(float(printed[theirs]) * share, abs=1e-6)
            compared += 1
    assert compared == 8 * len(names)
    report = (results / "report/index.html").read_text()
    assert "Dsharp(nDCG@10, gamma=0.5)" in report
    with (results / "judging/sweep.csv").open(newline="") as file:
        assert any(row["measure"] == "IA(AP)" for row in csv.DictReader(file))
