"""`fathom run`: the whole workflow on a config, from any folder."""

import os
import subprocess
import sys
from pathlib import Path

import click

EPILOG = """\b
Examples:
  fathom run demo                       the demo campaign, which needs no files
  fathom run fathom.yaml                your campaign
  fathom run clef2015                   a campaign that comes with Fathom
  fathom run fathom.yaml --cluster slurm           a job for each group of steps
  fathom run fathom.yaml --cluster allocation      one job that runs it all
  fathom run fathom.yaml -- results/mine/means.csv --rerun-incomplete

What follows -- goes to Snakemake: its options, or files to make and nothing else.

Results are in results/<campaign>/ of the folder you are in. After a change, or a kill, the same
command makes only what is missing."""


class Passing(click.Command):
    """A command that keeps what follows -- for another program, as it is."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """What stands before --; the rest is in `ctx.obj`."""
        at = args.index("--") if "--" in args else len(args)
        ctx.obj = args[at + 1 :]
        return super().parse_args(ctx, args[:at])


@click.command(cls=Passing, epilog=EPILOG)
@click.argument("configs", nargs=-1, required=True)
@click.option("--cores", help="How many processors to use: all, or of a cluster what is set there.")
@click.option(
    "--cluster", help="The profile of a cluster: slurm, allocation, or a folder with your own."
)
@click.option("--check", "only_check", is_flag=True, help="Only the intake desk: what is wrong.")
@click.option("--dry-run", "-n", is_flag=True, help="Say what would be made, and make nothing.")
@click.option("--quiet", is_flag=True, help="Say only what went wrong.")
@click.pass_obj
def command(
    rest: list[str],
    configs: tuple[str, ...],
    cores: str | None,
    cluster: str | None,
    only_check: bool,
    dry_run: bool,
    quiet: bool,
) -> int:
    """Run a campaign to its report.

    CONFIGS are config files, or names of those that come with Fathom. Several make several
    campaigns, side by side. Options of Snakemake, or files to make, may follow --.
    """
    paths = [shipped(name) for name in configs]
    # Before Snakemake starts, which takes seconds, and in better words.
    pages = [page for path in paths for page in pages_of(path, only_check=only_check)]
    root = workflow()
    arguments = [*rest, *(["check"] if only_check else [])]  # first: --configfile takes many
    arguments += ["--snakefile", str(root / "Snakefile")]
    arguments += ["--cores", cores or "all"] if cores or not cluster else []
    arguments += ["--configfile", *map(str, paths)]
    if cluster:
        arguments += ["--workflow-profile", str(_profile(cluster, root))]
    arguments += ["--dry-run"] if dry_run else []
    arguments += ["--quiet", "all"] if quiet else []
    # The results are a function of these alone: a profile of the user's would be one more.
    environment = {key: value for key, value in os.environ.items() if key != "SNAKEMAKE_PROFILE"}
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *arguments], env=environment, check=False
    )
    if done.returncode == 0 and not (dry_run or quiet or rest):
        for page in pages:
            click.echo(page)
    return 1 if done.returncode else 0


def pages_of(config: Path, *, only_check: bool = False) -> list[str]:
    """Where the pages will be that a config makes, after everything in it was checked."""
    from pipeline.campaign import campaigns, papers, resolve
    from pipeline.campaign.paper_settings import unused
    from pipeline.storage import strict_yaml

    given = strict_yaml.config(config)
    known = campaigns(given)
    for one in known.values():
        resolve(one)
    reruns = papers(given, campaigns=known)
    if only_check:
        return [f"The check is at results/{name}/check/index.html" for name in known]
    return [
        *(f"The report is at results/{name}/report/index.html" for name in unused(known, reruns)),
        *(f"The page is at results/{name}/index.html" for name in reruns),
    ]


def workflow() -> Path:
    """The folder of the Snakefile: in a wheel inside the package, in the project beside it."""
    import pipeline

    package = Path(pipeline.__file__).resolve().parent
    packed = package / "workflow"
    return packed if (packed / "Snakefile").is_file() else package.parent


def shipped(name: str) -> Path:
    """A config by its path, or by its name if it comes with Fathom."""
    from pipeline.errors import InputError

    given = Path(name)
    if given.is_file():
        return given
    if given.suffix or len(given.parts) > 1:
        raise InputError(f"{given}: there is no such config; check the path")
    folder = workflow() / "config"
    known = {"demo": folder / "config.yaml"}
    known |= {path.stem: path for part in ("campaigns", "papers") for path in
              sorted((folder / part).glob("*.yaml"))}  # fmt: skip
    if name not in known:
        raise InputError(
            f"'{name}' is no config file, nor one that comes with Fathom; those are "
            f"{', '.join(known)}"
        )
    return known[name]


def _profile(name: str, root: Path) -> Path:
    from pipeline.errors import InputError

    mine, ours = Path(name), root / "profiles" / name
    if "/" not in name and ours.is_dir() and name != "default":
        return ours
    if (mine / "config.yaml").is_file():
        return mine
    known = sorted(p.name for p in (root / "profiles").iterdir() if p.name != "default")
    raise InputError(
        f"--cluster '{name}' is no folder with a config.yaml, nor one of {', '.join(known)}; "
        "name one that is"
    )
