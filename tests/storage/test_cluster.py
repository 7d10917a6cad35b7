"""What is said to Slurm and what it says, without one: its commands are small scripts here."""

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.errors import InputError
from pipeline.storage.cluster import allocation, knobs, profile, slurm, status, submit
from pipeline.storage.lock import PLACE, told


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    os.environ.pop(PLACE, None)
    os.environ["PATH"] = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    (tmp_path / "bin").mkdir()


def command(name: str, script: str) -> None:
    path = Path("bin", name)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


# ---- knobs ------------------------------------------------------------------------------------


def test_knobs_of_a_file_and_of_none() -> None:
    assert knobs.read() == knobs.Knobs()
    Path("cluster.yaml").write_text("partition: long\nmemory: 1.5\ncores: 8\nshards: 40\n")
    found = knobs.read()
    assert (found.partition, found.memory, found.cores, found.shards) == ("long", 1.5, 8, 40)
    assert found.account is None


def test_all_that_is_wrong_with_knobs_at_once() -> None:
    Path("cluster.yaml").write_text(
        "partitoin: long\ncores: 0\nmemory: lots\naccount: 17\njobs: true\nx: 1\n"
    )
    with pytest.raises(InputError) as wrong:
        knobs.read()
    assert str(wrong.value).splitlines()[:5] == [
        "cluster.yaml: unknown key 'partitoin'; did you mean 'partition'?",
        "cluster.yaml: cores is 0; give a whole number from 1 on",
        "cluster.yaml: memory is 'lots'; give a number above 0, as 1.5",
        "cluster.yaml: account is 17; give a text, in quotes if it is a number",
        "cluster.yaml: jobs is True; give a whole number from 1 on",
    ]
    assert str(wrong.value).splitlines()[5].startswith("cluster.yaml: unknown key 'x'; known are ")


# ---- submitting -------------------------------------------------------------------------------

GROUP: dict[str, Any] = {
    "type": "group", "groupid": "score-my-demo", "threads": 2,
    "resources": {"mem_mb": 900, "runtime": 45},
}  # fmt: skip
SINGLE = {
    "type": "single", "rule": "ingest", "wildcards": {"campaign": "demo", "batch": "1"},
    "threads": 1, "resources": {"mem_mb": 300, "runtime": 10},
}  # fmt: skip


def test_a_job_is_submitted_under_a_name_of_its_campaign() -> None:
    given = submit.sbatch(Path("x.sh"), GROUP, set_to=knobs.Knobs(partition="long", options="-q a"))
    assert given[:4] == ["sbatch", "--parsable", "--no-requeue", "--ntasks=1"]
    assert f"--job-name={slurm.prefix('my-demo')}-my-demo-score" in given
    assert "--mem=1300M" in given  # 400 of them for Snakemake itself
    assert {"--time=45", "--cpus-per-task=2", "--partition=long"} < set(given)
    assert not any(option.startswith("--account") for option in given)
    assert given[-3:] == ["-q", "a", "x.sh"]
    assert Path("results/my-demo/logs/slurm").is_dir()
    assert Path(".snakemake/fathom/my-demo/submitted").exists()
    assert submit.names(SINGLE) == ("demo", "ingest-1")
    paper = {**SINGLE, "rule": "paper", "wildcards": {"paper": "ubire"}}
    assert submit.names(paper) == ("ubire", "paper")


def test_names_are_of_one_campaign_in_one_folder() -> None:
    names = {slurm.prefix(c, Path(f)) for c in ("a", "b") for f in ("/x", "/y")}
    assert len(names) == 4


def test_submitting_answers_with_the_number_alone(capsys: pytest.CaptureFixture[str]) -> None:
    Path("job.sh").write_text(f"#!/bin/sh\n# properties = {json.dumps(SINGLE)}\ntrue\n")
    command("sbatch", 'echo "1234;far"')
    assert submit.main(["job.sh"]) == 0
    assert capsys.readouterr().out == "1234\n"
    command("sbatch", 'echo "sbatch: error: invalid partition specified: x" >&2; exit 1')
    assert submit.main(["job.sh"]) == 1
    assert capsys.readouterr().err == (
        "fathom: Slurm refuses a job: invalid partition specified: x\n"
    )


# ---- asking -----------------------------------------------------------------------------------

SILENT = "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2"


def test_silence_is_asked_again_and_a_refusal_is_not() -> None:
    command(
        "squeue", f"echo x >> asked; [ $(wc -l < asked) -lt 3 ] && {{ {SILENT}; exit 1; }}; echo ok"
    )
    slept: list[float] = []
    assert slurm.ask(["squeue"], pauses=(1, 2, 4), sleep=slept.append).stdout == "ok\n"
    assert slept == [1, 2]
    command("squeue", f"{SILENT}; exit 1")
    with pytest.raises(slurm.SilentError, match="Slurm's controller does not answer"):
        slurm.ask(["squeue"], pauses=(1,), sleep=slept.append)
    command("squeue", "echo 'Invalid user' >&2; exit 1")
    assert slurm.ask(["squeue"], pauses=(9,), sleep=slept.append).returncode == 1
    assert slept == [1, 2, 1]
    with pytest.raises(InputError, match="there is no command 'no-slurm' here"):
        slurm.ask(["no-slurm"])


def test_a_silent_controller_fails_no_job(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(status, "_PAUSES", ())
    command("scontrol", f"{SILENT}; exit 1")
    assert status.main(["7"]) == 0
    said = capsys.readouterr()
    assert said.out == "running\n"
    assert said.err.endswith("Slurm's controller does not answer; it counts as running\n")


@pytest.mark.parametrize(
    ("facts", "word", "sentence"),
    [
        ({"JobState": "COMPLETED"}, "success", ""),
        ({"JobState": "PENDING"}, "running", ""),
        ({"JobState": "COMPLETING"}, "running", ""),
        ({"JobState": "FAILED"}, "failed", ""),
        ({"JobState": "CANCELLED"}, "failed", "ended as cancelled; see sacct"),
        ({"JobState": "NODE_FAIL"}, "failed", "ended as node fail; see sacct"),
        ({}, "failed", "Slurm has forgotten it; run the same command again"),
        (
            {"JobState": "OUT_OF_MEMORY", "MinMemoryNode": "1300M"}, "failed",
            "was killed for memory: it took more than the 1300 MB it had asked for; a second try "
            "asks for twice as much, and `memory: 2` in cluster.yaml does so from the start",
        ),
        (
            {"JobState": "TIMEOUT", "TimeLimit": "00:45:00"}, "failed",
            "was killed for time: it took longer than the 00:45:00 it had asked for; a second try "
            "asks for twice as long, and `time: 2` in cluster.yaml does so from the start",
        ),
    ],
)  # fmt: skip
def test_what_became_of_a_job(facts: dict[str, str], word: str, sentence: str) -> None:
    found = status.verdict("7", {"JobName": "fathom-0123-demo-score", **facts})
    assert found[0] == word
    assert found[1].startswith("demo-score (job 7)") if sentence else found[1] == ""
    assert sentence in found[1]


@pytest.mark.parametrize(
    "line",
    [
        "slurmstepd: error: StepId=41.batch exceeded memory limit (327 > 315), being killed",
        "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=9.batch. Some of your processes",
        "slurmstepd: error: Detected 1 oom_kill event in StepId=9.batch",
    ],
)
def test_the_output_of_a_job_tells_that_memory_killed_it(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where Slurm itself says no more than FAILED; it is kept for the summary, too."""
    output = Path("results/demo/logs/slurm/score.7.out").resolve()
    output.parent.mkdir(parents=True)
    output.write_text(f"Building DAG of jobs...\n{line}\n")
    facts = f"JobId=7 JobName=fathom-01-demo-score JobState=FAILED MinMemoryNode=2G StdOut={output}"
    command("scontrol", f"echo '{facts}'")
    assert status.main(["7"]) == 0
    said = capsys.readouterr()
    assert said.out == "failed\n"
    assert "demo-score (job 7) was killed for memory: it took more than the 2 GB" in said.err
    assert told("demo") == [said.err.strip().removeprefix("fathom: ")]


@pytest.mark.parametrize(
    ("state", "answer", "python"),
    [("RUNNING", "running", False), ("PENDING", "running", False), ("COMPLETED", "success", True),
     ("FAILED", "failed", True), ("COMPLETING", "running", True)],
)  # fmt: skip
def test_python_starts_for_a_job_that_has_ended_only(state: str, answer: str, python: bool) -> None:
    command("scontrol", f'echo "$*" >> asked; echo "JobId=7 JobName=x JobState={state} Reason=x"')
    asked = f"{profile.Profile(knobs.Knobs()).status} '7'"
    done = subprocess.run(
        asked, shell=True, env=os.environ, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{answer}\n"
    assert Path("asked").read_text() == "--oneliner show job 7\n" * (1 + python)


def test_a_forgotten_job_is_looked_up_in_the_accounts() -> None:
    command("scontrol", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1")
    command("sacct", "echo COMPLETED")
    assert status.facts_of("7") == {"JobState": "COMPLETED"}
    command("sacct", "echo 'Slurm accounting storage is disabled' >&2; exit 1")
    assert status.facts_of("7") == {}


# ---- orphans ----------------------------------------------------------------------------------


def test_orphans_are_cancelled_by_their_names_and_others_are_not() -> None:
    mine = f"{slurm.prefix('demo')}-demo-score"
    command("squeue", f"[ -e gone ] || echo '11|{mine}'; echo '12|{slurm.prefix('other')}-other-x'")
    command("scancel", 'echo "$@" > gone')
    mark = Path("submitted")
    assert slurm.cancel_orphans("demo", mark=mark) == []  # nothing was submitted from here
    assert not Path("gone").exists()
    mark.touch()
    assert slurm.cancel_orphans("demo", mark=mark) == ["11"]
    assert Path("gone").read_text() == "11\n"
    assert not mark.exists()


def test_without_slurm_it_cannot_be_said_whether_orphans_live(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", str(Path("bin").resolve()))
    Path("submitted").touch()
    with pytest.raises(InputError) as told_so:
        slurm.cancel_orphans("demo", mark=Path("submitted"))
    assert str(told_so.value) == (
        "campaign 'demo' had jobs on Slurm, and whether they still run cannot be said (there is no "
        "command 'squeue' here; run this where Slurm's commands are); run this where Slurm "
        "answers, or remove submitted if none is left"
    )


# ---- one allocation ---------------------------------------------------------------------------


def test_the_command_goes_into_one_job() -> None:
    set_to = knobs.Knobs(allocation_cores=16, allocation_memory=9000, account="me")
    given = allocation.srun(set_to, name="x", arguments=["--configfile", "a.yaml"])
    assert given[0] == "srun"
    assert {"--cpus-per-task=16", "--mem=9000M", "--account=me", "--job-name=x"} < set(given)
    assert given[-7:] == [given[-7], "-m", "snakemake", "--cores", "16", "--configfile", "a.yaml"]
    own = allocation.srun(set_to, name="x", arguments=["--cores", "4"])
    assert own[-2:] == ["--cores", "4"]
    assert own.count("--cores") == 1


def test_an_allocation_killed_for_memory_says_so() -> None:
    command(
        "srun", "echo 'slurmstepd: error: Detected 1 oom_kill event in StepId=1.0' >&2; exit 137"
    )
    script = (
        "from pipeline.storage.cluster import allocation, knobs\n"
        "allocation.enter(knobs.Knobs(), ['--configfile', 'a.yaml'])\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 137
    assert done.stderr.splitlines()[-1] == (
        "fathom: the job was killed for memory: it took more than the 4000 MB it had asked for; "
        "raise `allocation_memory` in cluster.yaml and run the same command again, which goes on "
        "where it stopped"
    )


def test_the_docs_show_every_knob() -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/slurm.md").read_text()
    Path("cluster.yaml").write_text(page.split('```yaml title="cluster.yaml"\n')[1].split("```")[0])
    shown = knobs.read()
    given = set(yaml.safe_load(Path("cluster.yaml").read_text()))
    assert given == {field.name for field in fields(knobs.Knobs)}
    numbers = ("memory", "time", "cores", "jobs", "allocation_cores", "allocation_memory")
    for name in (*numbers, "allocation_minutes"):
        assert getattr(shown, name) == getattr(knobs.Knobs(), name), name
