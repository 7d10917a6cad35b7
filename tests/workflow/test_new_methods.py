"""A further pooling method and a further fusion method are one new file each."""

import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from tests.workflow.snake import Project, outputs

pytestmark = pytest.mark.workflow

SHARED = '''
"""Documents that several runs agree on."""

from pipeline.pooling.declaration import PoolInputs, pooling
from pipeline.storage.arrays import Floats


@pooling(
    "shared",
    title="what several runs hold",
    citation="An Author, 2026",
    reads=("size",),
    reach=lambda plan: plan.depth,
)
def shared(offer: PoolInputs) -> Floats:
    """All of them, whatever the size."""
    return (offer.candidates.runs > 1).astype(float)
'''
INVERSE_SQUARE = '''
"""Inverse square ranks."""

from pipeline.runs.fusion.declaration import Votes, fusion
from pipeline.config.fusion import Fusion
from pipeline.storage.arrays import Floats


@fusion("isr", title="sum of 1 / rank^2", citation="Another Author, 2026")
def isr(votes: Votes, given: Fusion) -> Floats:
    """The first place is worth four second places."""
    return votes.sum(1 / (votes.rank + 1) ** 2)
'''
RUNS = {"A_1": "a b c d", "A_2": "b c a d", "B_1": "b x a y"}
CONFIG = {
    "campaigns": {
        "c": {
            "runs": {"files": "runs/*", "team": "^([^_]+)_"},
            "dimensions": {"topicality": {"labels": "t.qrels", "scale": [0, 1], "threshold": 1}},
            "measures": ["P@2"],
            "pool": {"method": "shared", "depth": 2, "size": 9},
            "fusion": {"C_f": {"method": "isr", "depth": 3}},
        }
    }
}
TARGETS = ("results/c/pool.tsv", "results/c/pool/teams.csv")
ASK = """
import yaml
from pipeline.campaign import campaigns
from pipeline.campaign.schema import schema
from pipeline.errors import InputError
each = schema()["properties"]["campaigns"]["additionalProperties"]["properties"]
pool, fusion = each["pool"]["properties"], each["fusion"]["additionalProperties"]["properties"]
print(pool["method"]["enum"][-2:], pool["by"]["enum"][-1], fusion["method"]["enum"][-1])
print(any("An Author, 2026" in text for text in pool["method"]["enumDescriptions"]))
print(any("Another Author, 2026" in text for text in fusion["method"]["enumDescriptions"]))
config = yaml.safe_load(open("c.yaml"))
config["campaigns"]["c"]["pool"] = {"method": "take", "by": "isr"}
print(campaigns(config)["c"].pool.fusion.method)
for given in ({"method": "shared", "by": "isr"}, {"size": 9}):
    config["campaigns"]["c"]["pool"] = given
    try:
        campaigns(config)
    except InputError as error:
        print(*(problem.where for problem in error.problems))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = Project.copy(tmp_path_factory.mktemp("methods"))
    library = project.folder / "pipeline"
    (library / "pooling/methods/shared.py").write_text(SHARED)
    (library / "runs/fusion/methods/inverse_square.py").write_text(INVERSE_SQUARE)
    (project.folder / "runs").mkdir()
    for name, documents in RUNS.items():
        lines = [f"1 Q0 {d} {r} {9 - r} {name}\n" for r, d in enumerate(documents.split(), 1)]
        (project.folder / "runs" / name).write_text("".join(lines))
    (project.folder / "t.qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (project.folder / "c.yaml").write_text(yaml.safe_dump(CONFIG))
    return project


def test_the_config_knows_them(project: Project) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=project.folder,
        env={**os.environ, "PYTHONPATH": str(project.folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == [
        "['bandit', 'shared'] isr isr",
        "True",
        "True",
        "isr",
        "campaigns.c.pool.by",
        "campaigns.c.pool.size",
    ], done.stderr[-2000:]


def test_the_steps_run_with_them(project: Project) -> None:
    project.run(*TARGETS, "--configfile", "c.yaml")
    results = project.folder / "results/c"
    rows = pq.read_table(results / "rankings.parquet").to_pylist()
    fused = {row["document"]: row["score"] for row in rows if row["run"] == "C_f"}
    assert list(fused) == ["b", "a", "c"]
    expected = [1 / 4 + 1 + 1, 1 + 1 / 9 + 1 / 9, 1 / 9 + 1 / 4]
    assert list(fused.values()) == pytest.approx(expected)
    # of the first two: a of A_1 and of the fusion; b of all four; c of A_2, x of B_1 alone
    assert (results / "pool.tsv").read_text().splitlines()[1:] == ["1\ta\t2\t1\t1", "1\tb\t4\t1\t1"]
    teams = [line.split(",") for line in (results / "pool/teams.csv").read_text().splitlines()]
    assert {row[0]: row[3] for row in teams[1:]} == {"A": "2", "B": "1", "C": "2"}


def test_what_depends_on_them(project: Project) -> None:
    def planned(path: Path) -> set[str]:
        before = path.read_text()
        path.write_text(before + "# changed\n")
        done = project.snakemake(*TARGETS, "--dry-run", "--configfile", "c.yaml")
        path.write_text(before)
        return {name for name in outputs(done) if name.startswith("records/")}

    library = project.folder / "pipeline"
    assert planned(library / "pooling/methods/shared.py") == {"records/pool.json"}
    fusion = library / "runs/fusion/methods/inverse_square.py"
    assert planned(fusion) == {"records/rank.json", "records/pool.json"}
