"""The command itself: help, version, exit codes, and what it costs to start."""

import importlib
import signal
import subprocess
import sys
import time

import click
import pytest

from pipeline.command.main import COMMANDS, GROUPS, main
from tests.command.process import FATHOM, good, refused
from tests.test_house import project


def test_every_command_is_in_one_group_with_its_own_sentence() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)
    for name, sentence in COMMANDS.items():
        command = importlib.import_module(f"pipeline.command.{name}").command
        assert isinstance(command, click.Command)
        assert str(command.help).splitlines()[0] == sentence
        assert "Examples:" in str(command.epilog), name


def test_help_of_the_whole_and_version() -> None:
    text = good("--help")
    for name, sentence in COMMANDS.items():
        assert f"  {name} " in text
        assert sentence in text
    assert good("--version") == f"fathom {project()['version']}\n"
    assert "Examples:" in good("measures", "--help")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["evalute"], "there is no command 'evalute'"),
        (["measures", "--fromat", "csv"], "no such option '--fromat'"),
        (["measures", "--format", "xml"], "'xml' is not one of"),
        (["fuse"], "missing argument 'RUNS...'"),
        (["completion", "tcsh"], "'tcsh' is not one of"),
    ],
)
def test_a_wrong_command_ends_with_2(arguments: list[str], told: str) -> None:
    assert told in refused(*arguments, code=2)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    assert "_FATHOM_COMPLETE" in good("completion", shell)


def test_completion_completes() -> None:
    done = subprocess.run(
        [FATHOM],
        env={"_FATHOM_COMPLETE": "bash_complete", "COMP_WORDS": "fathom me", "COMP_CWORD": "1"},
        capture_output=True,
        check=False,
    )
    assert done.stdout.decode().split() == ["plain,measures"]


def test_help_costs_at_most_twice_what_numpy_does() -> None:
    """In turns, the best of each: this machine does other things meanwhile."""
    best = {"numpy": 9.0, "help": 9.0}
    for _ in range(5):
        for name, command in (
            ("numpy", [sys.executable, "-c", "import numpy"]),
            ("help", [str(FATHOM), "--help"]),
        ):
            start = time.perf_counter()
            subprocess.run(command, capture_output=True, check=True)
            best[name] = min(best[name], time.perf_counter() - start)
    assert best["help"] <= 2 * best["numpy"], best


def test_where_the_pages_of_a_config_are() -> None:
    """A paper has a page of its own, and the campaigns it uses no report."""
    from pipeline.command.run import pages_of, shipped

    assert pages_of(shipped("demo")) == ["The report is at results/demo/report/index.html"]
    assert pages_of(shipped("h-framework")) == ["The page is at results/h-framework/index.html"]
    checked = pages_of(shipped("h-framework"), only_check=True)
    assert checked == [
        f"The check is at results/h-clef{year}/check/index.html" for year in (2015, 2016)
    ]


def test_the_function_leaves_signals_alone() -> None:
    """Only a process of its own ends by a closed pipe: a program that calls `main` must not."""
    before = signal.getsignal(signal.SIGPIPE)
    assert main(["measures", "ndcg"]) == 0
    assert signal.getsignal(signal.SIGPIPE) == before
