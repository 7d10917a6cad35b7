"""Sections of the report: each is a declared function of the report, and a template.

To add one, put a module with a decorated function and the template into `sections`, for example
`@section("audit", order=100, template="audit.html.j2")`. The function returns the values for the
template, the charts, and data for scripts, or None without results. The template also has `charts`
(by name) and `report`; its outermost element has the name of the section as its id.
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
    """The content of a section for one campaign."""

    values: Mapping[str, Any] = field(default_factory=dict)  # for the template, by name
    charts: Sequence[Chart] = ()
    data: Mapping[str, Any] = field(default_factory=dict)  # JSON for the page's scripts, by id
    ids: Sequence[str] = ()  # of its elements, if not the name of the section


@dataclass(frozen=True, kw_only=True)
class Section(Declared[[Report], Content | None]):
    """A declared section; `order` sorts the sections, in steps of 10."""

    title: str = ""  # in the navigation; empty: not there
    template: str  # a file beside the module


SECTIONS = Catalogue("section", "pipeline.report.sections", of=Section)
section = Section.declare


def contents(report: Report) -> list[tuple[Section, Content]]:
    """The sections with content for this campaign, in their order."""
    sections = with_progress(SECTIONS.values(), total=len(SECTIONS), task="report, sections")
    return [(section, content) for section in sections if (content := section(report))]
