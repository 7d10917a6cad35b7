"""The step: inspect what was handed in, and write the page and the table."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pipeline.intake.desk import Desk, inspect
from pipeline.intake.page import write_page, write_table
from pipeline.intake.problem import Problem, in_order
from pipeline.intake.teams import assigned
from pipeline.labels.reading import Labels
from pipeline.labels.topics import Topics


def receive(
    desk: Desk,
    *,
    settings: Mapping[str, Labels],
    topics: Topics | None,
    title: str,
    page: Path,
    table: Path,
    problems: Sequence[Problem] = (),
) -> None:
    """Both are always written, whatever was found: it is for the reader to judge.

    `problems` are those known before, as of the config.
    """
    told = in_order([*problems, *inspect(desk, settings=settings, topics=topics)])
    write_table(told, out=table)
    whose = assigned(desk.runs, given=desk.team, table=desk.team_table)
    write_page(
        told, title=title, runs=desk.runs, teams=whose.teams, nobodys=whose.nobodys, out=page
    )
