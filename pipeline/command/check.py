"""`fathom check`: the intake desk on plain files."""

from pathlib import Path

import click

from pipeline.command.files import found, labels, labels_options, runs_argument
from pipeline.command.output import Table, output_options, say, show, writable

EPILOG = """\b
Examples:
  fathom check runs/
  fathom check runs/*.gz --qrels qrels.txt --topics topics.xml
  fathom check runs/ --qrels qrels.txt --html check.html
  fathom check runs/ --strict -f csv | grep wrong

Ends with 1 if anything is wrong (evaluation would stop), with --strict also if anything is odd
(it would go on, and may mislead)."""


@click.command(epilog=EPILOG)
@runs_argument
@labels_options(required=False)
@click.option("--topics", type=click.Path(path_type=Path), help="The topics file.")
@click.option("--team", help="Expression whose first group is the team in a run's name.")
@click.option("--html", type=click.Path(path_type=Path), help="Also write a page, run by run.")
@click.option("--strict", is_flag=True, help="What is odd is an error, too.")
@output_options
def command(
    runs: tuple[str, ...],
    qrels: str | None,
    further: tuple[str, ...],
    topics: Path | None,
    team: str | None,
    html: Path | None,
    strict: bool,
    form: str | None,
    output: Path | None,
) -> int:
    """Say what is wrong or odd with runs and labels.

    RUNS are files, patterns or folders; everything is read, nothing is evaluated.
    """
    from pipeline.intake.from_files import check_files
    from pipeline.intake.page import COLUMNS, write_page
    from pipeline.intake.problem import ODD, WRONG
    from pipeline.runs.teams import Teams, teams_of
    from pipeline.runs.trec import run_name

    with found(runs) as files:
        given = Teams(name=team) if team else None
        problems = check_files(files, labels=labels(qrels, further), topics=topics, team=team)
        if html:
            named = teams_of({run_name(path): str(path) for path in files}, given=given)
            with writable(html):
                write_page(
                    problems, title="Intake", runs=files, teams=named if given else None, out=html
                )
    rows = [tuple(getattr(one, name) for name in COLUMNS) for one in problems]
    if rows or form not in (None, "table") or output:
        show(Table(COLUMNS, rows), form=form, output=output)
    wrong = sum(one.severity == WRONG for one in problems)
    odd = sum(one.severity == ODD for one in problems)
    say(f"{len(files)} {'run' if len(files) == 1 else 'runs'}: {wrong} wrong, {odd} odd")
    return int(bool(wrong or (strict and odd)))
