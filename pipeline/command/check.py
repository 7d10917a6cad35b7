"""`fathom check`: the input check of files, or of a campaign."""

from pathlib import Path

import click

from pipeline.command.files import (
    as_options,
    found,
    label_texts,
    labels_options,
    read_labels,
    runs_argument,
)
from pipeline.command.output import Output, Table, output_options, say, writable

EPILOG = """\b
Examples:
  fathom check runs/
  fathom check runs/*.gz --qrels qrels.txt --topics topics.xml
  fathom check runs/ --qrels qrels.txt --html check.html
  fathom check runs/ --strict -f csv | grep error
  fathom check fathom.yaml            the config and all files of a campaign

The exit code is 1 if there are errors (evaluation would stop). With --strict it is also 1 if there
are warnings (evaluation would continue, but scores may mislead)."""


@click.command(epilog=EPILOG)
@runs_argument
@labels_options(required=False)
@click.option("--topics", type=click.Path(path_type=Path), help="Topics file.")
@click.option("--team", help="Regular expression; its first group is the team in a run's name.")
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    help="Also write an HTML page with the problems of each run.",
)
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings, too.")
@output_options
def command(
    runs: tuple[str, ...],
    qrels: str | None,
    further: tuple[str, ...],
    topics: Path | None,
    team: str | None,
    html: Path | None,
    strict: bool,
    out: Output,
) -> int:
    """Report errors and warnings about runs and labels.

    RUNS are files, patterns or folders, or configs of campaigns (.yaml). All files are read;
    nothing is evaluated. The page of a campaign is results/<campaign>/check/index.html.
    """
    from pipeline.api import check
    from pipeline.config.runs import Teams
    from pipeline.intake.findings import failed
    from pipeline.intake.page import COLUMNS, summary, write_page
    from pipeline.intake.teams import assigned

    if all(Path(name).suffix in (".yaml", ".yml") for name in runs):
        return check_campaigns([Path(name) for name in runs], strict=strict)
    with as_options(), found(runs) as files:
        texts = label_texts(qrels, further)
        labels = {name: read_labels(name, text) for name, text in texts.items()}
        problems = check(files, labels, topics=topics, team=team)
        if html:
            teams = assigned(files, given=Teams(name=team) if team else None, table=None)
            with writable(html):
                write_page(problems, title="Input check", runs=files, teams=teams, out=html)
    rows = [tuple(getattr(one, name) for name in COLUMNS) for one in problems]
    if rows or not out.for_people:
        out.show(Table(COLUMNS, rows))
    say(f"{len(files)} {'run' if len(files) == 1 else 'runs'}: {summary(problems)}")
    return int(failed(problems, strict=strict))


def check_campaigns(configs: list[Path], *, strict: bool = False) -> int:
    """Check the campaigns of configs, say where their pages are; the exit code."""
    from pipeline.campaign.check import check
    from pipeline.intake.findings import failed
    from pipeline.intake.page import summary

    code = 0
    for checked in [one for config in configs for one in check(config)]:
        click.echo(f"{summary(checked.findings)}: see {checked.folder / 'index.html'}")
        code |= failed(checked.findings, strict=strict)
    return code
