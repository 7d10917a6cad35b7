"""Files appear whole or not at all; a job says a user's mistake in one sentence."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.errors import InputError
from pipeline.storage.atomic import atomic
from pipeline.storage.lock import hold
from pipeline.storage.step import step


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    final = tmp_path / "new" / "folders" / "out.parquet"
    with atomic(final) as draft:
        assert draft.parent == final.parent  # so that the renaming is one step
        assert draft.suffix == ".parquet"
        draft.write_text("whole")
        assert not final.exists()
    assert final.read_text() == "whole"
    assert list(final.parent.iterdir()) == [final]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("old", [None, "old"])
def test_a_failure_leaves_what_was_there(tmp_path: Path, old: str | None, error: type) -> None:
    final = tmp_path / "out.csv"
    if old:
        final.write_text(old)

    def fail() -> None:
        with atomic(final) as draft:
            draft.write_text("half")
            raise error

    with pytest.raises(error):
        fail()
    assert [path.read_text() for path in tmp_path.iterdir()] == ([old] if old else [])


def test_a_new_file_takes_the_place_of_the_old(tmp_path: Path) -> None:
    final = tmp_path / "out.csv"
    final.write_text("old")
    with atomic(str(final)) as draft:
        draft.write_text("new")
        assert final.read_text() == "old"
    assert final.read_text() == "new"


def job(log: Path) -> SimpleNamespace:
    """What Snakemake hands to a script, as far as a step looks at it."""
    return SimpleNamespace(log=[str(log)], wildcards=SimpleNamespace(campaign="mine"))


def test_a_mistake_ends_a_job_with_its_sentence(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "x.log"
    with pytest.raises(SystemExit) as caught, step(job(log)):
        raise InputError("a.run, line 3: wrong")
    assert caught.value.code == "fathom: a.run, line 3: wrong"
    assert log.read_text() == "a.run, line 3: wrong\n"


def test_a_controlling_process_tells_the_sentence_for_its_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "environ", os.environ.copy())
    with hold(tmp_path / "locks", campaign="mine", results=tmp_path / "results"):
        with pytest.raises(SystemExit) as caught, step(job(tmp_path / "x.log")):
            raise InputError("a.run, line 3: wrong")
        assert caught.value.code == 1
        assert (tmp_path / "x.log").read_text() == "a.run, line 3: wrong\n"


def test_an_error_of_our_own_keeps_its_traceback(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    with pytest.raises(ZeroDivisionError), step(job(log)):
        _ = 1 / 0
    assert "Traceback" in log.read_text()
    assert "ZeroDivisionError" in log.read_text()


def test_a_job_that_works_leaves_an_empty_log(tmp_path: Path) -> None:
    log = tmp_path / "x.log"
    log.write_text("from before")
    with step(job(log)):
        pass
    assert log.read_text() == ""
