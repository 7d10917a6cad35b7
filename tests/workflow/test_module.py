"""Fathom as a part of other workflows: a `module`, from another folder, with its own config."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.sources.generators.demo import demo as generate
from tests.sources.site import serving
from tests.workflow.snake import ROOT, Project

pytestmark = pytest.mark.workflow

DEMO = f"""
module fathom:
    snakefile: "{ROOT}/Snakefile"

use rule * from fathom as fathom_*

rule mine:
    default_target: True
    input: rules.fathom_all.input
"""
OWN = f"""
configfile: "mine.yaml"

module fathom:
    snakefile: "{ROOT}/Snakefile"
    config: config["evaluation"]

use rule * from fathom

rule best:
    input: "results/mine/means.csv"
    output: "best.txt"
    default_target: True
    shell: "tail -n +2 {{input}} | sort -t, -k3,3gr | head -n 1 | cut -d, -f1 > {{output}}"
"""
CONFIG = """
evaluation:
  campaigns:
    mine:
      runs: {files: "inputs/runs/*", team: '^([^_]+)_'}
      dimensions:
        topicality: {labels: inputs/labels/topicality.qrels, scale: [0, 2], threshold: 1}
      measures: [AP, "RBP(p=0.8)"]
"""


def snakemake(folder: Path, *arguments: str) -> str:
    """Run the importing workflow; nothing tells Python where Fathom is but the module itself."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
        cwd=folder, env=clean, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout + done.stderr


def test_the_demo_as_a_module(tmp_path: Path, demo: Project) -> None:
    """The same files with the same bytes as in its own folder; and again there is nothing to do."""
    (tmp_path / "Snakefile").write_text(DEMO)
    snakemake(tmp_path)
    kept = ("means.csv", "correlations.csv", "report/index.html", "report/tables/means.tex")
    for name in kept:
        path = Path("results", "demo", name)
        assert (tmp_path / path).read_bytes() == (demo.folder / path).read_bytes()
    assert "Nothing to be done" in snakemake(tmp_path)


def test_a_campaign_as_a_module(tmp_path: Path) -> None:
    generate(tmp_path / "inputs", seed=5)
    (tmp_path / "Snakefile").write_text(OWN)
    (tmp_path / "mine.yaml").write_text(CONFIG)
    snakemake(tmp_path)
    rows = (tmp_path / "results/mine/means.csv").read_text().splitlines()[1:]
    best = max(rows, key=lambda row: float(row.split(",")[2])).split(",")[0]
    assert (tmp_path / "best.txt").read_text() == f"{best}\n"
    assert "Nothing to be done" in snakemake(tmp_path)


FETCHING = """
evaluation:
  campaigns:
    mine:
      fetch: {{cache: own-cache, mirror: own-mirror}}
      sources:
        labels: {{url: "{address}/labels.qrels", sha256: {digest}}}
        runs: {{git: "https://host/owner/name", commit: {commit}, paths: [runs/*]}}
      runs: {{files: "@runs/runs/*"}}
      dimensions:
        topicality: {{labels: "@labels/labels.qrels", scale: [0, 2], threshold: 1}}
      measures: [AP]
"""


def test_a_module_fetches_as_its_own_config_says(tmp_path: Path) -> None:
    """The importing workflow's config has no `campaigns`; ours is inside it."""
    held = tmp_path / "own-mirror/host/owner/name/runs/a"
    held.parent.mkdir(parents=True)
    held.write_text("1 Q0 d 1 1 t\n1 Q0 e 2 0 t\n")
    (tmp_path / "Snakefile").write_text(OWN)
    with serving() as site:
        site.body = b"1 0 d 1\n1 0 e 0\n"
        digest = hashlib.sha256(site.body).hexdigest()
        config = FETCHING.format(address=site.address, digest=digest, commit="a" * 40)
        (tmp_path / "mine.yaml").write_text(config)
        snakemake(tmp_path, "results/mine/means.csv")
    assert (tmp_path / "own-cache/files" / digest / "content").is_file()
    assert (tmp_path / "results/mine/means.csv").read_text() == "run,team,AP\na,,1.0\n"
    assert "Nothing to be done" in snakemake(tmp_path, "results/mine/means.csv")
