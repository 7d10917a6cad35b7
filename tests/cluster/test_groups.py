"""Groups of the cluster profiles: every rule has its place, and none leads back into itself.

Snakemake refuses a group that depends on itself when it plans; nothing here needs Slurm.
"""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.workflow.everything import CHANGED, CONFIG, EARLIER, SEARCHED, prepare
from tests.workflow.snake import ROOT, Project

ALONE = {"source", "reusability", "audit", "correlations", "desk"}
PAPERS = {"at_hand", "paper", "paper_figures"}
ARRAYS = {"ingest", "cleanse", "readability", "count_every_way", "evaluate"}
GROUPED = {"runs", "pages", "compared", "prepare", "score", "tests", "report"}


def rules() -> dict[str, str]:
    """Name and text of every rule."""
    found = {}
    for path in sorted((ROOT / "rules").glob("*.smk")):
        parts = re.split(r"^(?:rule|checkpoint) (\w+):\n", path.read_text(), flags=re.MULTILINE)
        found.update(zip(parts[1::2], parts[2::2], strict=True))
    return found


def groups(profile: str) -> dict[str, str]:
    """The group of each rule, without the campaign's name."""
    given = yaml.safe_load((ROOT / "profiles" / profile / "config.yaml").read_text())
    assert set(given["group-components"]) == set(given["groups"].values())
    assert all(group.endswith("-{campaign}") for group in given["groups"].values())
    return {rule: group.split("-")[0] for rule, group in given["groups"].items()}


def test_every_rule_says_what_it_needs() -> None:
    assert len(rules()) > 40
    for name, text in rules().items():
        for part in (
            r"^    threads: \d+$",
            r"^        mem_mb=memory\(",
            r"^        runtime=runtime",
        ):
            assert re.search(part, text, re.MULTILINE), f"{name} does not declare {part}"


def test_every_rule_has_its_place() -> None:
    found = groups("slurm")
    assert set(found.values()) == GROUPED
    assert set(found) == set(rules()) - ALONE - PAPERS
    docs = (ROOT / "docs/how-to/slurm.md").read_text()
    told = re.findall(r"^Groups of `slurm`: (.+?)\. ", docs, re.MULTILINE | re.DOTALL)[0]
    assert set(re.findall(r"\*(\w+)\*", told)) == GROUPED
    found = groups("slurm-executor")
    assert set(found) == set(rules()) - ALONE - PAPERS - ARRAYS
    text = (ROOT / "profiles/slurm-executor/config.yaml").read_text()
    arrays = re.findall(r"^slurm-array-jobs: (\S+)$", text, re.MULTILINE)[0]
    assert set(arrays.split(",")) == ARRAYS


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.copy(tmp_path_factory.mktemp("groups"))
    prepare(project.folder)
    for name in ("means.csv", "labels/x.parquet", "scores/x.parquet"):  # enough for a plan
        path = project.folder / EARLIER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return project


def planned(project: Project, profile: str, *configs: str) -> str:
    """What Snakemake says to the groups of a profile, by an executor that is always there."""
    folder = project.folder / "groups" / profile
    folder.mkdir(parents=True, exist_ok=True)
    given = yaml.safe_load((ROOT / "profiles" / profile / "config.yaml").read_text())
    kept = {key: given[key] for key in ("groups", "group-components", "scheduler")}
    (folder / "config.yaml").write_text(yaml.safe_dump(kept))
    done = project.snakemake(
        "--dry-run", "--workflow-profile", str(folder), "--configfile", *configs
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


@pytest.mark.workflow
@pytest.mark.parametrize("profile", ["slurm", "slurm-executor"])
def test_no_group_leads_back_into_itself(project: Project, profile: str) -> None:
    """Pooled pages, fusion, judgement sets, costs, variations; baselines; all campaigns at once."""
    shipped = [f"config/campaigns/{name}.yaml" for name in ("simulated", "clef2015", "chs2021")]
    said = planned(project, profile, CHANGED, SEARCHED, "config/config.yaml", *shipped)
    made = set(re.findall(r"^ *(?:rule|checkpoint) (\w+):", said, re.MULTILINE))
    assert made >= set(rules()) - PAPERS - {"desk"}, set(rules()) - made


@pytest.mark.workflow
def test_a_group_that_leads_back_is_refused(project: Project) -> None:
    """The check above can fail: means are made of scores, which tests are made of too."""
    folder = project.folder / "groups" / "bad"
    folder.mkdir(parents=True)
    (folder / "config.yaml").write_text("groups: [rankings=x, means=x]\ngroup-components: [x=9]\n")
    done = project.snakemake("--dry-run", "--workflow-profile", str(folder), "--configfile", CONFIG)
    assert done.returncode != 0
    assert "Group x depends on itself" in done.stdout + done.stderr


def test_a_profile_says_which_plugin_is_missing(project: Project) -> None:
    done = subprocess.run(
        project.command("--dry-run", "--workflow-profile", "profiles/slurm-executor"),
        cwd=project.folder, env=project.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == (
        "fathom: this profile needs snakemake-executor-plugin-slurm; install it with "
        "pip install snakemake-executor-plugin-slurm"
    )
    assert "Traceback" not in done.stderr


def test_profiles_are_all_tried() -> None:
    assert {path.name for path in Path(ROOT / "profiles").iterdir()} == {
        "default", "slurm", "slurm-executor", "allocation",
    }  # fmt: skip
