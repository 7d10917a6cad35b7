"""Records of steps and digests of inputs: a change is seen whatever the times say."""

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.errors import InputError, Problem
from pipeline.storage import records
from pipeline.storage.records import Digests, digest_of, key_of
from pipeline.storage.step import CONTROLLED, step


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Output(list[str]):
    """As Snakemake has it: a list, of which some have names."""

    record = "records/s.json"


def job(*outputs: str, key: str = "k") -> Any:
    params = SimpleNamespace(key=key, settings={})
    return SimpleNamespace(
        log=["logs/s.log"], params=params, output=Output([*outputs, Output.record])
    )


def written() -> records.Record:
    found = records.read(Path("records/s.json"))
    assert found is not None
    return found


def test_a_step_records_its_key_and_its_files() -> None:
    with step(job("a.csv", "folder", key="k+why")):
        Path("a.csv").write_text("1")
        Path("folder/deep").mkdir(parents=True)
        Path("folder/deep/x").write_text("x")
    record = written()
    assert (record.key, record.asked, set(record.outputs)) == ("k", "k+why", {"a.csv", "folder"})
    assert record.altered() == []
    Path("folder/.snakemake_timestamp").touch()
    Path("a.csv").touch()
    assert record.altered() == []


@pytest.mark.parametrize("path", ["a.csv", "folder/x"])
def test_an_edited_file_is_noticed_whatever_its_time(path: str) -> None:
    with step(job("a.csv", "folder")):
        Path("folder").mkdir()
        Path("a.csv").write_text("1")
        Path("folder/x").write_text("1")
    Path(path).write_text("2")
    os.utime(path, ns=(1, 1))
    assert written().altered() == [path.split("/")[0]]
    Path("a.csv").unlink()  # Snakemake sees that by itself
    assert written().altered() == [name for name in ("folder",) if path == "folder/x"]


def test_a_failed_step_leaves_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    with step(job("a")):
        Path("a").touch()
    with pytest.raises(SystemExit) as ended, step(job("a")):
        raise InputError(Problem("runs/a", "is empty", "remove it", line=1))
    assert ended.value.code == f"fathom: {Path('logs/s.log').read_text().strip()}"
    monkeypatch.setenv(CONTROLLED, "1")  # a controller prints it
    with pytest.raises(SystemExit) as ended, step(job("a")):
        raise InputError(Problem("runs/a", "is empty", "remove it", line=1))
    assert ended.value.code == 1
    assert records.read(Path("records/s.json")) is None
    assert Path("logs/s.log").read_text() == "runs/a, line 1: is empty; remove it\n"
    with pytest.raises(ZeroDivisionError), step(job("a")):
        _ = 1 / 0
    assert Path("logs/s.log").read_text().startswith("Traceback")


def test_a_damaged_record_is_none() -> None:
    Path("x.json").write_text('{"key": ')
    assert records.read(Path("x.json")) is None
    assert records.read(Path("none.json")) is None


def test_digests_are_kept_while_a_file_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("q").write_text("1")
    first = Digests(Path("inputs.json"))
    before = first.of("q")
    first.keep()
    with monkeypatch.context() as patched:
        patched.setattr(records, "digest_of", lambda _: pytest.fail("it was read again"))
        assert Digests(Path("inputs.json")).of("q") == before
    stat = Path("q").stat()
    Path("q").write_text("2")
    os.utime("q", ns=(stat.st_atime_ns, stat.st_mtime_ns))  # as `cp -p` leaves it
    assert Digests(Path("inputs.json")).of("q") != before
    assert first.changed() == ["q"]


def test_keys_tell_values_apart() -> None:
    assert key_of("a", {"x": 1, "y": 2}) == key_of("a", {"y": 2, "x": 1})
    assert key_of("a", "b") != key_of("ab")
    Path("f").mkdir()
    Path("f/a").write_text("1")
    before = digest_of(Path("f"))
    Path("f/a").rename("f/b")
    assert digest_of(Path("f")) != before
