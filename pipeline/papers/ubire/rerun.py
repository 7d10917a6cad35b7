"""The rerun of UBIRE."""

from collections.abc import Mapping

from pipeline.papers.outcome import Outcome
from pipeline.papers.paper import Given
from pipeline.papers.published import Printed
from pipeline.papers.ubire import section_5, section_6


def rerun(given: Given, figures: Mapping[tuple[str, str, str], Printed]) -> Outcome:
    """Both sections, with whatever is at hand."""
    printed: dict[str, list[Printed]] = {}
    for one in figures.values():
        printed.setdefault(one.table, []).append(one)
    parts = [
        section_6.part(given, printed["section 6"]),
        section_5.part(given, printed["1"], printed["2"]),
    ]
    return Outcome(
        cells=[cell for one in parts for cell in one.cells],
        findings=[sentence for one in parts for sentence in one.findings],
        sections=[section for one in parts for section in one.sections],
    )
