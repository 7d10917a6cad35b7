"""How a section of the report is declared: one function of the results, and one template.

A further section is a module of `sections` with one decorated function, and beside it the template
that the declaration names. Its page shows it in its place and links to it; nothing else is edited.
The function turns the campaign's results into what the template shows, with the section's charts
and the data its script needs; it returns None where there is nothing to show. The template is given
those values by name, `charts` (the section's, by name) and `results`; its outermost element has
the section's name as its id.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.registry import Registry
from pipeline.report.chart import Chart
from pipeline.report.results import FIELDS, Results
from pipeline.storage.progress import told


@dataclass(frozen=True)
class Content:
    """What a section shows of one campaign."""

    values: Mapping[str, Any] = field(default_factory=dict)  # for the template, by name
    charts: Sequence[Chart] = ()
    data: Mapping[str, Any] = field(default_factory=dict)  # JSON for the page's scripts, by id
    ids: Sequence[str] = ()  # of its elements, where it is not one with the section's name


@dataclass(frozen=True, kw_only=True)
class Section:
    """A declared section."""

    name: str
    place: int  # sections come in this order; steps of 10 leave room
    template: str  # a file beside the module
    title: str  # in the navigation; empty: it is not there
    needs: Sequence[str]  # fields of Files, or tables such as pool/*.csv: absent without them
    show: Callable[[Results], Content | None]


SECTIONS: Registry[Section] = Registry("section", "pipeline.report.sections")
Show = Callable[[Results], Content | None]


def section(
    name: str, *, place: int, template: str, title: str = "", needs: Sequence[str] = ()
) -> Callable[[Show], Show]:
    """Declare the function below: `@section("audit", place=100, template="audit.html.j2")`."""
    for need in needs:
        if need not in FIELDS and not need.endswith(".csv"):
            raise ValueError(f"the section {name} needs {need}, which is no file of a campaign")

    def declare(show: Show) -> Show:
        made = Section(
            name=name, place=place, template=template, title=title, needs=needs, show=show
        )
        SECTIONS.add(name, made)
        return show

    return declare


def contents(results: Results) -> list[tuple[Section, Content]]:
    """The sections this campaign has the files for, in their order, with what they show."""
    found = []
    every = sorted(SECTIONS.values(), key=lambda one: (one.place, one.name))
    for one in told(every, total=len(every), what="report, sections"):
        if all(results.files.has(need) for need in one.needs):
            content = one.show(results)
            if content is not None:
                found.append((one, content))
    return found
