"""Files appear whole or not at all; a job says a user's mistake in one sentence."""

from pathlib import Path

import pytest

from pipeline.storage.atomic import atomic


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
