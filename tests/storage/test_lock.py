"""One controller per campaign; a killed one leaves no lock and no draft behind."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.storage.atomic import atomic, atomic_folder, clear
from pipeline.storage.lock import hold

CONTROLLER = """
import time
from pathlib import Path
from pipeline.storage.lock import hold
lock = hold(Path("locks"), campaign="mine", results=Path("results/mine"))
print("held", flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_second_one_is_refused_and_a_dead_one_holds_nothing() -> None:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    first = subprocess.Popen(
        [sys.executable, "-c", CONTROLLER], stdout=subprocess.PIPE, text=True, env=env
    )
    try:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with pytest.raises(InputError) as refused:
            hold(Path("locks"), campaign="mine", results=Path("results/mine"))
        (problem,) = refused.value.problems
        assert f"process {first.pid} on " in problem.what
        assert problem.fix
        with hold(Path("locks"), campaign="other", results=Path("results/other")):
            pass  # another campaign is free
    finally:
        first.kill()
        first.wait()
    Path("results/mine").mkdir(parents=True)
    Path("results/mine/.draft-1-means.csv").touch()
    with hold(Path("locks"), campaign="mine", results=Path("results/mine")) as lock:
        lock.seek(0)
        assert lock.readline().startswith(f"process {os.getpid()} on ")
    assert list(Path("results/mine").iterdir()) == []


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
