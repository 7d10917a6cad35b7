"""Commands for campaigns and setup: init, run, keep, example, completion."""

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.command.files import PATH, option
from pipeline.command.output import say, writable
from pipeline.errors import InputError, Problem, each

if TYPE_CHECKING:
    from pipeline.campaign import Loaded

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("folder", type=PATH, default=Path())
@option("--output", "-o", default="fathom.yaml", help="The config file to write.")
@option("--name", help="Name of the campaign; by default that of the folder.")
def init(folder: Path, output: str, name: str | None) -> None:
    """Write a campaign's config for the files in a folder.

    Runs, labels, topics and pages are recognised by their content. Scales, teams and topic ids are
    inferred, and all assumptions are printed.
    """
    import yaml

    from pipeline.campaign import campaigns, resolve
    from pipeline.campaign.draft import draft

    out = Path(output)
    if output != "-" and out.exists():
        raise InputError(Problem(out, "the file exists", "name another with --output"))
    text, assumptions = draft(folder, name=name, schema=workflow() / "config/schema.json")
    for campaign in campaigns(yaml.safe_load(text)).values():
        resolve(campaign)
    for assumption in assumptions:
        say(assumption)
    if output == "-":
        click.echo(text, nl=False)
        return
    with writable(out), out.open("x", encoding="utf-8") as file:
        file.write(text)
    say(f"wrote {out}; check it with 'fathom check {out}', then run 'fathom run {out}'")


class PassThroughCommand(click.Command):
    """A command that keeps the arguments after -- for another program."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        ctx.obj = args[end + 1 :]
        return super().parse_args(ctx, args[:end])


@click.command(cls=PassThroughCommand)
@click.argument("configs", nargs=-1, required=True)
@option("--cores", help="Number of cores; by default all, or the number that the profile sets.")
@option("--cluster", help="Profile: slurm (one Slurm job per step), or a folder with your own "
        "profile. By default the profile 'default': all steps run on this machine.")  # fmt: skip
@option("--check", "only_check", is_flag=True, help="Only check the inputs; build nothing.")
@option("--dry-run", "-n", is_flag=True, help="List the jobs that would run; run nothing.")
@option("--quiet", is_flag=True, help="Print errors only.")
@click.pass_obj
def run(
    rest: list[str], configs: tuple[str, ...], cores: str | None, cluster: str | None,
    only_check: bool, dry_run: bool, quiet: bool,
) -> int:  # fmt: skip
    """Run a campaign to its report.

    CONFIGS are config files, or names of configs that come with Fathom. Several configs run several
    campaigns at once. Snakemake options, or files to build, may follow --.
    """
    paths = [shipped(name) for name in configs]
    if only_check:
        from pipeline.command.steps import check_campaigns

        return check_campaigns(paths)
    # Checked before Snakemake starts, which takes seconds and has less clear messages.
    from pipeline.campaign import load

    loaded = load(paths, root=Path()).checked()
    root = workflow()
    if not dry_run:
        rebuild_unknown([*loaded.campaigns, *loaded.papers])
    arguments = [*rest]  # first, since --configfile takes several values
    arguments += ["--snakefile", str(root / "Snakefile")]
    arguments += ["--cores", cores or "all"] if cores or not cluster else []
    arguments += ["--configfile", *map(str, paths)]
    if cluster:
        arguments += ["--workflow-profile", str(_profile(cluster, root))]
    arguments += ["--dry-run"] if dry_run else []
    arguments += ["--quiet", "all"] if quiet else []
    # Results must not depend on a profile of the user.
    environment = {key: value for key, value in os.environ.items() if key != "SNAKEMAKE_PROFILE"}
    command = [sys.executable, "-m", "snakemake", *arguments]
    done = subprocess.run(command, env=environment, check=False)
    if done.returncode == 0 and not (dry_run or quiet or rest):
        for page in pages(loaded):
            click.echo(page)
    return 1 if done.returncode else 0


def rebuild_unknown(names: Sequence[str]) -> None:
    """Remove results of which Snakemake has lost the records, so that it rebuilds them."""
    from pipeline.results import Results
    from pipeline.storage.step import METADATA
    from pipeline.workflow.runtime import damaged, lost, remove

    folders = [Path("results", name) for name in names]
    for folder in [folder for folder in folders if lost(Results(folder))]:
        remove(Results(folder))
        message = f"fathom: Snakemake has no record of {folder}; all its results are rebuilt"
        click.echo(message, err=True)
    if broken := damaged():  # then no record in this folder is reliable
        for path in (*broken, *METADATA.glob("fathom-*")):
            path.unlink()


def pages(loaded: "Loaded") -> list[str]:
    """Messages with the paths of the pages of campaigns and papers."""
    lines = [f"The report is at results/{name}/report/index.html" for name in loaded.unused]
    compared = (name for name in loaded.unused if loaded.campaigns[name].against)
    lines += [f"The comparison is at results/{name}/report/changes.html" for name in compared]
    return lines + [f"The page is at results/{name}/index.html" for name in loaded.papers]


def workflow() -> Path:
    """The folder of the Snakefile: in the package if installed from a wheel, else beside it."""
    import pipeline

    package = Path(pipeline.__file__).resolve().parent
    installed = package / "shipped"
    return installed if (installed / "Snakefile").is_file() else package.parent


def shipped(name: str) -> Path:
    """A config by its path, or by its name if it comes with Fathom."""
    path = Path(name)
    if path.is_file():
        return path
    if path.suffix or len(path.parts) > 1:
        raise InputError(Problem(path, "there is no such config", "check the path"))
    folder = workflow() / "config"
    configs = {"demo": folder / "config.yaml"}
    for part in ("campaigns", "papers"):
        configs |= {path.stem: path for path in sorted((folder / part).glob("*.yaml"))}
    if name not in configs:
        what = "is neither a config file nor one that comes with Fathom"
        raise InputError(Problem(f"'{name}'", what, f"use a path, or one of {', '.join(configs)}"))
    return configs[name]


def _profile(name: str, root: Path) -> Path:
    own, shipped_profile = Path(name), root / "profiles" / name
    if "/" not in name and shipped_profile.is_dir() and name != "default":
        if find_spec(f"snakemake_executor_plugin_{name}") is None:
            what = f"the {name} profile needs Snakemake's plugin for {name}, which is not installed"
            raise InputError(Problem("--cluster", what, f"pip install 'fathom-evaluation[{name}]'"))
        return shipped_profile
    if (own / "config.yaml").is_file():
        return own
    names = sorted(p.name for p in (root / "profiles").iterdir() if p.name != "default")
    fix = f"name such a folder, or one of {', '.join(names)}"
    raise InputError(Problem("--cluster", f"'{name}' is not a folder with a config.yaml", fix))


@click.command()
@click.argument("name")
@click.argument("configs", nargs=-1, required=True)
def keep(name: str, configs: tuple[str, ...]) -> None:
    """Keep a version of a campaign's results for later comparisons.

    NAME is a name of your choice. CONFIGS are the config files of the campaigns, or names of
    configs that come with Fathom. The version is in results/<campaign>/kept/NAME.
    """
    from pipeline.campaign import campaigns
    from pipeline.changes.versions import check_keepable, keep
    from pipeline.results import Results
    from pipeline.storage import strict_yaml

    written = (campaigns(strict_yaml.config(shipped(path))) for path in configs)
    folders = [Results(Path("results") / campaign) for names in written for campaign in names]
    each(lambda results: check_keepable(results, name), folders)  # all or none
    for results in folders:
        out = keep(results, name)
        say(f"kept {out}; to compare with it, set report: {{against: {out}}} and rerun")


@click.command()
@click.argument("folder", type=PATH, default=Path("example"))
@option("--seed", default=2016, type=click.IntRange(0), help="Seed of the generated files.")
def example(folder: Path, seed: int) -> None:
    """Write the files of a generated campaign, to try Fathom.

    The files are 14 runs of 4 teams, labels in three dimensions, topics, and web pages.
    """
    from pipeline.sources.generators.demo import demo

    demo(folder, seed=seed)
    say(f"wrote runs, labels, topics and pages to {folder}/")


@click.command()
@click.argument("shell", type=click.Choice(list(SHELLS)), required=False)
def completion(shell: str | None) -> None:
    """Print the completion script of a shell.

    SHELL is bash, zsh or fish; by default your current shell.
    """
    from click.shell_completion import get_completion_class

    from pipeline.command.main import fathom

    name = shell or os.path.basename(os.environ.get("SHELL", ""))  # noqa: PTH119
    kind = get_completion_class(name) if name in SHELLS else None
    if kind is None:
        what = f"there is no completion for '{name}'"
        raise click.UsageError(f"{what}; name one of {', '.join(SHELLS)}")
    sys.stdout.write(kind(fathom, {}, "fathom", "_FATHOM_COMPLETE").source() + "\n")
