"""Lines of progress: now and then, and only of what takes long."""

import pytest

from pipeline.storage import progress


def test_a_line_every_ten_seconds_and_none_at_the_end(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(0, 1000, 6))  # each part takes six seconds
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    assert list(progress.with_progress("abcde", total=5, task="letters")) == list("abcde")
    assert capsys.readouterr().err.splitlines() == [
        "fathom: letters: 40 % done, about 18 s to go",
        "fathom: letters: 80 % done, about 6 s to go",
    ]


def test_a_short_job_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress.with_progress(range(3), total=3, task="numbers")) == [0, 1, 2]
    assert capsys.readouterr().err == ""
