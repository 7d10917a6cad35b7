"""How a section of the report is declared: one function of the report, and one template.

A further section is a module of `sections` with one decorated function, and beside it the template
that the declaration names: `@section("audit", order=100, template="audit.html.j2")`. The page shows
it in its place and links to it; nothing else is edited.

The function turns the campaign's results into what the template shows, with the section's charts
and the data its script needs; it returns None where there is nothing to show. The template is given
those values by name, `charts` (the section's, by name) and `report`; its outermost element has
the section's name as its id.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.registry import Catalogue, Declared
from pipeline.report.charts import Chart
from pipeline.report.report import Report
from pipeline.storage.progress import with_progress


@dataclass(frozen=True)
class Content:
    """What a section shows of one campaign."""

    values: Mapping[str, Any] = field(default_factory=dict)  # for the template, by name
    charts: Sequence[Chart] = ()
    data: Mapping[str, Any] = field(default_factory=dict)  # JSON for the page's scripts, by id
    ids: Sequence[str] = ()  # of its elements, where it is not one with the section's name


@dataclass(frozen=True, kw_only=True)
class Section(Declared[[Report], Content | None]):
    """A declared section; sections come in their `order`, whose steps of 10 leave room."""

    title: str = ""  # in the navigation; empty: it is not there
    template: str  # a file beside the module


SECTIONS = Catalogue("section", "pipeline.report.sections", of=Section)
section = Section.declare


def contents(report: Report) -> list[tuple[Section, Content]]:
    """The sections that have something to show of this campaign, in their order."""
    sections = with_progress(SECTIONS.values(), total=len(SECTIONS), task="report, sections")
    return [(section, content) for section in sections if (content := section(report))]
