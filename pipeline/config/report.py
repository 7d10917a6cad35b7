"""Options of the report."""

from typing import Annotated

from pydantic import Field

from pipeline.config.base import Section, Text


class Report(Section):
    """What is plotted, and what the results are compared with."""

    scatter: Annotated[tuple[Text, ...], Field(min_length=2, max_length=2)] | None = None
    """The two measures plotted against each other; the first two of `measures` when null."""
    against: Text | None = None
    """An earlier version of these results, to report what changed since on a page of its own,
    `report/changes.html`, and in `changes.csv`. A folder that `fathom keep` made, or the results
    folder of another campaign on the same runs."""
