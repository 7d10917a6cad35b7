"""One controlling process a campaign; a killed one leaves no lock, no job and no draft behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.storage.atomic import atomic, atomic_folder, clear
from pipeline.storage.lock import PLACE, hold, present

CONTROLLER = """
import sys, time
from pathlib import Path
from pipeline.storage.lock import hold
lock = hold(Path("locks"), campaign="mine", results=Path("results/mine"))
print("held", flush=True)
{then}
time.sleep(60)
"""
JOB = """
import sys, time
from pathlib import Path
from pipeline.storage.atomic import atomic
from pipeline.storage.lock import present
with present("mine"):
    print("present", flush=True)
    with atomic("results/mine/late.csv") as draft:
        draft.write_text("from a dead run")
        time.sleep(60)
"""
START = """
import subprocess
job = subprocess.Popen([sys.executable, "-c", {job!r}], stdout=subprocess.PIPE, text=True)
print(job.stdout.readline().strip(), job.pid, flush=True)
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", os.environ.copy())


def started(code: str) -> "subprocess.Popen[str]":
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=env
    )


def line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def alive(process: int) -> bool:
    state = Path(f"/proc/{process}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_second_one_is_refused_and_a_dead_one_holds_nothing() -> None:
    first = started(CONTROLLER.format(then=""))
    try:
        assert line(first) == "held"
        with pytest.raises(InputError) as refused:
            hold(Path("locks"), campaign="mine", results=Path("results/mine"))
        assert str(refused.value).startswith(
            f"campaign 'mine' is being made by process {first.pid} on "
        )
        assert str(refused.value).endswith("; wait until it has ended, or end it")
        with hold(Path("locks"), campaign="other", results=Path("results/other")):
            pass  # another campaign is free
    finally:
        first.kill()
        first.wait()
    with hold(Path("locks"), campaign="mine", results=Path("results/mine")) as lock:
        lock.seek(0)
        assert lock.readline().startswith(f"process {os.getpid()} on ")


def test_jobs_left_behind_are_ended_and_their_drafts_cleared() -> None:
    first = started(CONTROLLER.format(then=START.format(job=JOB)))
    assert line(first) == "held"
    word, number = line(first).split()
    assert word == "present"
    first.kill()
    first.wait()
    assert alive(int(number))
    drafts = list(Path("results/mine").glob(".draft-*"))
    deadline = time.monotonic() + 5
    while not drafts and time.monotonic() < deadline:
        drafts = list(Path("results/mine").glob(".draft-*"))
    assert drafts
    with hold(Path("locks"), campaign="mine", results=Path("results/mine")):
        assert not alive(int(number))
        assert list(Path("results/mine").iterdir()) == []
        assert list(Path("locks/mine/jobs").iterdir()) == []


def test_a_job_that_starts_after_its_run_was_killed_stops() -> None:
    with hold(Path("locks"), campaign="mine", results=Path("results/mine")):
        late = os.environ.copy()
    with hold(Path("locks"), campaign="mine", results=Path("results/mine")):
        with present("mine"):
            assert len(list(Path("locks/mine/jobs").iterdir())) == 1
        os.environ.update(late)
        turned_away = pytest.raises(InputError, match="is now made by another process; this job")
        with turned_away, present("mine"):
            pytest.fail("it worked on")
    assert list(Path("locks/mine/jobs").iterdir()) == []


def test_a_job_on_another_machine_cannot_be_ended_from_here() -> None:
    jobs = Path("locks/mine/jobs")
    jobs.mkdir(parents=True)
    holder = started(
        "import fcntl, time\n"
        "lock = open('locks/mine/jobs/elsewhere.7', 'a+')\n"
        "fcntl.flock(lock, fcntl.LOCK_EX)\n"
        "print('held', flush=True)\n"
        "time.sleep(60)\n"
    )
    try:
        assert line(holder) == "held"
        with pytest.raises(InputError) as told:
            hold(Path("locks"), campaign="mine", results=Path("results/mine"))
        assert str(told.value) == (
            "campaign 'mine': process 7 on elsewhere, a job of a run that was killed, is still "
            "writing its results; end it, then run this again"
        )
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()


def test_without_a_controlling_process_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PLACE, raising=False)
    with present("mine"):
        pass
    assert list(Path().iterdir()) == []


def test_drafts_are_cleared_and_nothing_else() -> None:
    with pytest.raises(ZeroDivisionError), atomic_folder("a/folder") as folder:
        (folder / f"{1 / 0}").touch()
    assert list(Path("a").iterdir()) == []
    with atomic("a/file.csv") as file:
        file.write_text("whole")
        with atomic_folder("a/folder") as folder:
            (folder / "x").write_text("x")
            names = sorted(path.name for path in clear(Path("a")))  # as if both had been killed
            assert [name.split("-", 2)[2] for name in names] == ["file.csv", "folder"]
            assert list(Path("a").iterdir()) == []
            folder.mkdir()
        file.write_text("again")
    assert sorted(path.name for path in Path("a").iterdir()) == ["file.csv", "folder"]


def test_a_folder_is_replaced_whole() -> None:
    for text in ("old", "new"):
        with atomic_folder("made") as folder:
            (folder / text).write_text(text)
    assert [path.name for path in Path("made").iterdir()] == ["new"]
    assert [path.name for path in Path().iterdir()] == ["made"]
