"""The measures of a campaign: parsed, and named again in other sections."""

import pathlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.campaign.problems import Mistake, nearest, reasons
from pipeline.config.base import Path
from pipeline.config.campaign import Written
from pipeline.errors import InputError

if TYPE_CHECKING:
    from pipeline.measures import Measure


class Measures:
    """The measures of a campaign by name, those named again elsewhere, and all problems."""

    def __init__(self, written: Written, dimensions: Sequence[str]) -> None:
        """Parse all; files that declare own ones are read first."""
        from pipeline.measures.own import load

        self.problems: list[Mistake] = []
        self.known: dict[str, Measure] = {}
        self._dimensions = list(dimensions)
        for place, file in enumerate(written.measures_from):
            try:
                load(pathlib.Path(file))
            except InputError as error:
                self._add(("measures_from", place), *reasons(error))
        slugs: dict[str, str] = {}
        depth = written.policies.depth
        for at, measure in self._parsed(written.measure_texts, ("measures",)):
            name, slug = measure.name, measure.slug.lower()  # some file systems ignore case
            if name in self.known:
                self._add(at, (f"is '{name}' a second time", "remove it"))
            elif max(map(int, re.findall(r"@(\d+)", name)), default=0) > depth:
                self._add(at, (f"'{name}' looks deeper than policies.depth {depth}", "raise that"))
            elif slug in slugs:
                self._add(at, (f"'{name}' would share its file with '{slugs[slug]}'", "remove one"))
            self.known.setdefault(name, measure)
            slugs.setdefault(slug, name)
        every = tuple(self.known)
        scatter, rescored = written.report.scatter, written.rescored_texts
        first = every[:2] if len(every) > 1 else ()
        self.scatter = first if scatter is None else self._named(scatter, ("report", "scatter"))
        self.rescored = every if rescored is None else self._named(rescored, ("rescored",))

    def _add(self, at: Path, *problems: tuple[str, str]) -> None:
        self.problems += [Mistake(at, what, fix) for what, fix in problems]

    def _parsed(self, texts: Sequence[str], above: Path) -> "Iterator[tuple[Path, Measure]]":
        """The measures that can be parsed, each with its place."""
        from pipeline import measures as engine

        for place, text in enumerate(texts):
            at = (*above, place)
            if text.count("(") != text.count(")"):
                self._add(at, (f"is '{text}', cut at a comma by YAML", "put the measure in quotes"))
                continue
            try:
                yield at, engine.parse(text, dimensions=self._dimensions)
            except InputError as error:
                self._add(at, *reasons(error))

    def _named(self, texts: Sequence[str], above: Path) -> tuple[str, ...]:
        """Some of the measures, named again elsewhere in the config."""
        names: list[str] = []
        for at, measure in self._parsed(texts, above):
            name = measure.name
            if name not in self.known:
                hint = nearest(name, list(self.known), kind="measures")
                self._add(at, (f"'{name}' is not in measures", hint))
            elif name in names:
                self._add(at, (f"is '{name}' again", "name each once"))
            names.append(name)
        return tuple(names)
