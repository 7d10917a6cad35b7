"""The step: inspect what was handed in, and write the page and the table."""

from collections.abc import Mapping
from pathlib import Path

from pipeline.intake.desk import Desk, inspect
from pipeline.intake.page import write_page, write_table
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
) -> None:
    """Both are always written, whatever was found: it is for the reader to judge."""
    problems = inspect(desk, settings=settings, topics=topics)
    write_table(problems, out=table)
    teams = assigned(desk.runs, given=desk.team, table=desk.team_table).teams
    write_page(problems, title=title, runs=desk.runs, teams=teams, out=page)
