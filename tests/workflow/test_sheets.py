"""Names a spreadsheet would compute, through a whole campaign: no cell is a formula."""

import csv
from pathlib import Path

import pytest
import yaml

from pipeline.storage import sheets
from tests.workflow.snake import Project

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

RUNS = ("=A_1+1", "=A_two", "+B_cmd", "-C_0.1x", "@D_sum", "'E_quoted")
TOPICS = ("=1a", "=1b", "-2x", "-2y", "@4z")
CONFIG = {
    "runs": {"files": "runs/*", "team": "^([^_]+)_"},
    "topics": {"file": "topics.tsv"},
    "dimensions": {
        "topicality": {
            "labels": "labels.qrels", "scale": [0, 2], "threshold": 1,
            "sets": {"crowd": "labels.qrels"},
        },
    },
    "variations": "^(..)",
    "measures": ["AP", "nDCG@10"],
    "audit": {"published": "published.tsv"},
}  # fmt: skip


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = Project.copy(tmp_path_factory.mktemp("sheets"))
    inputs = {
        "topics.tsv": "".join(f"{topic}\t=cmd()\n" for topic in TOPICS),
        "labels.qrels": "".join(f"{topic} 0 =d{d} {d % 3}\n" for topic in TOPICS for d in range(9)),
        "published.tsv": "run\tmeasure\ttopic\tvalue\n"
        + "".join(f"{run}\tmap\t{topic}\t-0.5\n" for run in RUNS for topic in TOPICS),
        "mine.yaml": yaml.safe_dump({"campaigns": {"mine": CONFIG}}),
    }
    for place, run in enumerate(RUNS):
        inputs[f"runs/{run}"] = "".join(
            f"{topic} Q0 =d{(d + place) % 9} {d} {9 - d} =tag\n"
            for topic in TOPICS
            for d in range(9)
        )
    (project.folder / "runs").mkdir()
    for name, text in inputs.items():
        (project.folder / name).write_text(text)
    project.run("--configfile", "mine.yaml", "--", "all", "check")
    return project.folder / "results/mine"


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_no_cell_of_any_table_is_computed(results: Path) -> None:
    tables = sorted(results.rglob("*.csv"))
    names = {str(path.relative_to(results)) for path in tables}
    assert {"means.csv", "checks.csv", "audit.csv", "pool/teams.csv", "check/problems.csv"} < names
    assert {"significance/AP.csv", "judging/agreement/topicality.csv"} < names
    assert "judging/variations/needs.csv" in names
    marked = set()
    for path in tables:
        with path.open(newline="", encoding="utf-8") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert cells, path
        computed = [cell for cell in cells if cell[:1] in tuple("=+-@\t\r") and not is_number(cell)]
        assert not computed, path
        if any(cell.startswith("'") for cell in cells):
            marked.add(str(path.relative_to(results)))
    assert {"means.csv", "checks.csv", "audit.csv", "significance/AP.csv"} < marked
    assert {"pool/topics.csv", "judging/reusability/runs.csv", "report/tables/means.csv"} < marked


def test_names_come_back_as_they_were(results: Path) -> None:
    means = sheets.read(results / "means.csv")
    assert sorted(row["run"] for row in means) == sorted(RUNS)
    assert {row["team"] for row in means} == {"=A", "+B", "-C", "@D", "'E"}
    assert {row["run"] for row in sheets.read(results / "significance/runs/AP.csv")} == set(RUNS)
    audit = sheets.read(results / "audit.csv")
    assert {row["topic"] for row in audit} == set(TOPICS)
    assert {row["published"] for row in audit} == {"-0.5"}
    page = (results / "report/index.html").read_text(encoding="utf-8")
    assert "&#39;=A_two" not in page
    assert "''E_quoted" not in page
