"""Keys of steps: a change of one input or setting changes the keys of what reads it, no others."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pipeline.campaign import from_config, resolve
from pipeline.workflow.code import Graph
from pipeline.workflow.runtime import failures
from pipeline.workflow.steps import Steps
from tests.workflow.snake import ROOT

GRAPH = Graph()
EASY = "RBP(p=0.8, on=understandability)"
CONFIG = {
    "runs": {"files": "runs/*", "team": "^(.)"},
    "dimensions": {
        name: {"labels": f"{name}.qrels", "scale": [0, 2], "threshold": 1}
        for name in ("topicality", "understandability")
    },
    "costs": {"file": "costs.tsv"},
    "measures": ["AP", EASY],
}
AP, OTHER = "evaluate/AP", "evaluate/RBP_p=0.8_on=understandability"
END = {"correlate", "report"}
LABELLED = {"labels", "gains", "judging", *END}


@pytest.fixture(autouse=True)
def _inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("runs/a").write_text("1 Q0 d 1 1 t\n")
    Path("costs.tsv").write_text("d\t2\n")
    for name in ("topicality", "understandability"):
        Path(f"{name}.qrels").write_text("1 0 d 1\n")


def keys(**other: Any) -> dict[str, str]:
    config = {"campaigns": {"mine": {**CONFIG, **other}}}
    (campaign,) = from_config(config).checked().campaigns.values()
    steps = Steps(campaign, resolve(campaign), GRAPH, ROOT / "scripts", config)
    return {name: steps[name].key for name in steps.names}


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> set[str]:
    return {name for name in after if before.get(name) != after[name]}


def test_keys_are_the_same_twice_and_nothing_is_written() -> None:
    files = sorted(Path().rglob("*"))
    first = keys()
    assert keys() == first
    assert {AP, OTHER, *LABELLED, "rank", "pool"} == set(first)
    assert sorted(Path().rglob("*")) == files


@pytest.mark.parametrize(
    ("file", "text", "steps"),
    [
        ("understandability.qrels", "1 0 d 2\n", LABELLED | {OTHER}),
        ("runs/a", "1 Q0 e 1 1 t\n", {"rank", "gains", "pool", "judging", AP, OTHER, *END}),
        ("costs.tsv", "d\t3\n", {"gains"}),
    ],
)
def test_an_edited_file(file: str, text: str, steps: set[str]) -> None:
    before = keys()
    Path(file).write_text(text)
    assert changed(before, keys()) == steps


def test_the_first_dimension_decides_which_topics_count() -> None:
    before = keys()
    Path("topicality.qrels").write_text("1 0 d 1\n2 0 d 1\n")
    assert changed(before, keys()) == LABELLED | {AP, OTHER, "pool"}


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ({"title": "Another"}, {"report"}),
        ({"measures": ["AP", EASY, "RR"]}, {"evaluate/RR", "judging", *END}),
        ({"correlations": {"samples": 500}}, END),
        ({"significance": {"alpha": 0.01}}, {AP, OTHER, *END}),
        ({"pool": {"method": "take", "size": 5}}, {"pool", "judging", "report"}),
    ],
)
def test_a_changed_setting(settings: dict[str, Any], steps: set[str]) -> None:
    assert changed(keys(), keys(**settings)) == steps


def test_a_step_comes_after_all_that_it_depends_on() -> None:
    config = {"campaigns": {"mine": CONFIG}}
    (campaign,) = from_config(config).checked().campaigns.values()
    steps = Steps(campaign, resolve(campaign), GRAPH, ROOT / "scripts", config)
    folder = Path("results/mine/records")
    before = {
        name: {str(path.relative_to(folder).with_suffix("")) for path in steps[name].after}
        for name in steps.names
    }
    assert before["rank"] == before["labels"] == set()
    assert before[AP] == {"rank", "labels", "gains"}
    assert before["report"] == set(steps.names) - {"report"}
    assert all(before[earlier] <= before[name] for name in before for earlier in before[name])


def test_the_summary_of_failures() -> None:
    """Problems line by line, of a traceback its end, and Slurm's status of a job that it ended."""
    logs = {
        "rank": "runs/a, line 1: bad\nrun/b, line 2: bad\n",
        "pool": "",
        "labels": "Traceback (most recent call last):\n  ...\nKeyError: 1\n",
    }
    for name, text in logs.items():
        log = Path(f"results/mine/logs/{name}.log")
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(text)
    Path("7.log").write_text("begun\nslurmstepd: error: *** JOB 7 ON n CANCELLED ***\n")
    Path("snakemake.log").write_text(
        "Error in rule pool:\n    jobid: 4\nError in rule gains:\n    message: SLURM-job '7'\n"
        "    log: results/mine/logs/gains.log, 7.log (check log file(s) for error details)\n"
    )
    *own, ended = failures(["mine"], snakemake_logs=["snakemake.log"])
    assert own == ["KeyError: 1", "runs/a, line 1: bad", "run/b, line 2: bad"]
    assert ended.startswith("7.log: *** JOB 7 ON n CANCELLED ***; ")
    assert "gains:mem_mb" in ended
