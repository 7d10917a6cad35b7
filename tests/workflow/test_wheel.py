"""The wheel by itself: installed outside the project, it makes the same bytes as the checkout."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

from pipeline.sources.generators.demo import demo as generate
from tests.test_house import tracked
from tests.workflow.snake import ROOT, Project, results

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

# Which kernels of linear algebra are used decides the last digits of sums, here and there alike.
KERNELS = {name: value for name, value in os.environ.items() if name.startswith("OPENBLAS")}


@pytest.fixture(scope="module")
def fathom(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command of a new environment with the wheel in it, and nothing of the checkout.

    Its dependencies are those of this environment, by a path: nothing is fetched.
    """
    place = tmp_path_factory.mktemp("wheel")
    source = place / "source"
    for path in tracked():
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, source / path)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", place, source], check=True
    )
    shutil.rmtree(source)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / "env"], check=True)
    python = place / "env" / "bin" / "python"
    (wheel,) = place.glob("*.whl")
    subprocess.run([*pip, "--python", python, "install", "--no-deps", wheel], check=True)
    (site,) = (place / "env" / "lib").glob("python*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return place / "env" / "bin" / "fathom"


def run(fathom: Path, *arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        [fathom, *arguments], cwd=cwd, capture_output=True, text=True, check=False,
        env={**KERNELS, "PATH": "/usr/bin:/bin", "HOME": str(cwd)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_the_demo_has_the_bytes_of_the_checkout(
    fathom: Path, demo: Project, tmp_path: Path
) -> None:
    folder = tmp_path / "another folder"
    folder.mkdir()
    told = run(fathom, "run", "demo", "--cores", "2", cwd=folder)
    assert told.splitlines()[-1] == "The report is at results/demo/report/index.html"
    ours, theirs = results(demo.folder), results(folder)
    assert len(ours) > 100
    assert "demo/report/index.html" in ours
    assert set(theirs) == set(ours)
    assert [name for name in ours if theirs[name] != ours[name]] == []
    again = run(fathom, "run", "demo", "--dry-run", cwd=folder)
    assert "output:" not in again  # nothing is left to make


def test_a_folder_of_files_to_its_report(fathom: Path, tmp_path: Path) -> None:
    """init, run, an edit of the installed code, run: only what depends on it is made again."""
    generate(tmp_path / "data", seed=5)
    shutil.rmtree(tmp_path / "data" / "pages")
    run(fathom, "init", "data", "--name", "mine", cwd=tmp_path)
    config = yaml.safe_load((tmp_path / "fathom.yaml").read_text())
    config["campaigns"]["mine"] |= {
        "measures": ["AP", "nDCG@10"],
        "sweep": False,
        "reusability": [],
    }
    (tmp_path / "fathom.yaml").write_text(yaml.safe_dump(config))  # less of it is enough
    run(fathom, "run", "fathom.yaml", "--cores", "2", "--quiet", cwd=tmp_path)
    assert (tmp_path / "results/mine/report/index.html").stat().st_size > 100_000
    checkout = Project.copy(tmp_path / "checkout")
    shutil.copytree(tmp_path / "data", checkout.folder / "data")
    shutil.copy2(tmp_path / "fathom.yaml", checkout.folder)
    checkout.run("--configfile", "fathom.yaml")
    assert results(tmp_path) == results(checkout.folder)

    (site,) = (fathom.parents[1] / "lib").glob("python*/site-packages")
    module = site / "pipeline/measures/standard/average_precision.py"
    text = module.read_text()
    try:
        module.write_text(text + "\n# another line\n")
        told = run(fathom, "run", "fathom.yaml", "--dry-run", cwd=tmp_path)
    finally:
        module.write_text(text)
    made = " ".join(re.findall(r"^    output: (.+)$", told, flags=re.MULTILINE))
    assert "results/mine/scores/AP.parquet" in made
    assert "results/mine/scores/nDCG@10.parquet" not in made
