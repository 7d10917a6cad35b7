"""The steps as functions: a bad argument is a problem that names it."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import pipeline
from pipeline.errors import InputError

RUN = "1 Q0 d1 1 2 a\n1 Q0 d2 2 1 a\n"
LABELS = "1 0 d1 1\n1 0 d2 0\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"a": RUN, "b": RUN, "x": LABELS, "y": LABELS}.items():
        Path(name).write_text(text)


def compared(files: list[str], **settings: Any) -> object:
    return pipeline.evaluate("x", files, "AP").compare(**settings)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("function", "files", "given", "fix"),
    [
        (pipeline.fuse, "ab", {"k": -1}, "at least 0"),
        (pipeline.fuse, "ab", {"p": 1.5}, "at most 1"),
        (pipeline.fuse, "ab", {"depth": "10"}, "integer"),
        (pipeline.pool, "ab", {"depth": 0}, "at least 1"),
        (pipeline.pool, "ab", {"seed": -1}, "at least 0"),
        (pipeline.agree, "xy", {"bootstrap": 5}, "at least 10"),
        (pipeline.agree, "xy", {"confidence": 1}, "at most 0.999"),
        (pipeline.check, "a", {"team": "none"}, "brackets"),
        (compared, "ab", {"alpha": 2}, "at most 0.5"),
        (compared, "ab", {"samples": 10}, "at least 1000"),
    ],
)
def test_a_bad_argument_is_named(
    function: Callable[..., object], files: str, given: Mapping[str, Any], fix: str
) -> None:
    with pytest.raises(InputError) as refused:
        function(list(files), **given)
    (problem,) = refused.value.problems
    assert problem.where == next(iter(given))
    assert fix in problem.fix


@pytest.mark.usefixtures("folder")
def test_all_bad_arguments_are_named_at_once() -> None:
    with pytest.raises(InputError) as refused:
        pipeline.fuse(["a", "b"], k=-1, p=2)
    assert [problem.where for problem in refused.value.problems] == ["k", "p"]
    with pytest.raises(InputError) as refused:
        pipeline.pool(["a", "b"], method="stratified", strata=[(5, 1), (3, 1)])
    assert [problem.where for problem in refused.value.problems] == ["strata"]
