"""The command itself: help, version, exit codes, and what it costs to start."""

import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from pipeline.command.main import COMMANDS, GROUPS, fathom, main
from pipeline.errors import InputError
from tests.command.process import FATHOM, good, refused
from tests.test_house import project


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
