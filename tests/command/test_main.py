"""The command itself: help, version, exit codes, and what it costs to start."""

import inspect
import re
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

import pipeline
from pipeline.command.main import COMMANDS, GROUPS, fathom, main
from pipeline.errors import InputError
from tests.command.process import FATHOM, good, refused
from tests.test_house import project
from tests.workflow.snake import ROOT


def test_every_command_is_in_one_group_with_its_own_sentence() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(COMMANDS)
    for name, sentence in COMMANDS.items():
        command = fathom.get_command(click.Context(fathom), name)
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


def test_help_of_run_names_both_profiles() -> None:
    text = " ".join(good("run", "--help").split())
    for profile in (ROOT / "profiles").iterdir():
        assert profile.name in text
    assert "'default': all steps run on this machine" in text
    assert "slurm (one Slurm job per step)" in text


def test_functions_state_their_arguments_and_results() -> None:
    for name in ("agree", "check", "compare", "evaluate", "explain", "fuse", "pool"):
        function = getattr(pipeline, name)
        parts = str(function.__doc__).split("    Args:\n")[1].split("    Returns:\n")
        described = set(re.findall(r"^        (\w+): ", parts[0], re.MULTILINE))
        assert described == set(inspect.signature(function).parameters), name
        assert parts[1].strip()
    for kind, least in ((pipeline.Scale, 6), (pipeline.measure, 20)):
        described = set(re.findall(r"^        (\w+): ", str(kind.__doc__), re.MULTILINE))
        assert described <= set(inspect.signature(kind).parameters)
        assert len(described) >= least
    for name, kind in (("compare", "Comparison"), ("explain", "Explanation")):
        assert inspect.signature(getattr(pipeline, name)).return_annotation.__name__ == kind


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


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from pipeline.command.main import main; main(['--help'])\n"
        "sys.exit(bool({'numpy', 'pyarrow', 'pandas', 'yaml', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_where_the_pages_of_a_config_are() -> None:
    """A paper has a page of its own, and the campaigns it uses no report."""
    from pipeline.campaign import load
    from pipeline.command.campaigns import pages, shipped

    demo, paper = (load([shipped(name)]).checked() for name in ("demo", "h-framework"))
    assert pages(demo) == ["The report is at results/demo/report/index.html"]
    assert pages(paper) == ["The page is at results/h-framework/index.html"]


def test_a_cluster_whose_plugin_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from pipeline.command import campaigns

    monkeypatch.setattr(campaigns, "find_spec", lambda name: None)
    with pytest.raises(InputError) as caught:
        campaigns._profile("slurm", campaigns.workflow())
    (problem,) = caught.value.problems
    assert problem.where == "--cluster"
    assert "fathom-evaluation[slurm]" in problem.fix
    monkeypatch.setattr(campaigns, "find_spec", lambda name: name)
    assert campaigns._profile("slurm", campaigns.workflow()).name == "slurm"


def test_run_checks_inputs_without_snakemake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a").write_text("1 Q0 d1 1 2 a\n")
    Path("q").write_text("1 0 d1 1\n")
    text = """campaigns:
  mine:
    runs: {files: a}
    dimensions: {topicality: {labels: q, scale: [0, 1], threshold: 1}}
    measures: [AP]
"""
    Path("good.yaml").write_text(text)
    Path("bad.yaml").write_text(text.replace("labels: q", "labels: absent"))
    assert [main(["run", f"{name}.yaml", "--check"]) for name in ("good", "bad")] == [0, 1]
    assert "results/mine/check/index.html" in capsys.readouterr().out
    assert Path("results/mine/check/index.html").is_file()
    assert not Path(".snakemake").exists()


def test_the_function_leaves_signals_alone() -> None:
    """Only a process of its own ends by a closed pipe: a program that calls `main` must not."""
    before = signal.getsignal(signal.SIGPIPE)
    assert main(["measures", "ndcg"]) == 0
    assert signal.getsignal(signal.SIGPIPE) == before
