"""A campaign: its section of the config with every default filled in, and what its keys mean."""

import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pipeline.campaign.dimension_kind import Dimension
from pipeline.campaign.problems import Mistake, nearest, reasons
from pipeline.config.audit import Audit
from pipeline.config.base import Path
from pipeline.config.campaign import CampaignKeys
from pipeline.config.dimensions import Labelled, Labels, Settings
from pipeline.config.people import People
from pipeline.errors import InputError
from pipeline.pooling.declaration import METHODS
from pipeline.runs.teams import baseline_run
from pipeline.sources.kind import KINDS

if TYPE_CHECKING:
    from pipeline.measures import Measure


@dataclass(frozen=True, kw_only=True)
class Source:
    """A folder made by a job, of a declared kind (`pipeline.sources.kinds`)."""

    name: str
    kind: str
    settings: Mapping[str, Any]  # the keys of its kind


class Measures:
    """The measures of a campaign by name, those named again elsewhere, and all problems."""

    def __init__(self, written: CampaignKeys, dimensions: Sequence[str]) -> None:
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


class Campaign(CampaignKeys):
    """One campaign. Maps keep the order of the config file."""

    name: str

    @classmethod
    def of(cls, name: str, written: CampaignKeys) -> "Campaign":
        """The campaign of this name, its defaults taken from where they are."""
        depth, pages, pool = written.policies.depth, written.pages, written.pool
        filled: dict[str, Any] = {
            "name": name,
            "title": written.title or name,
            "fusion": _deep(written.fusion, depth),
            "baselines": _deep(written.baselines, depth),
        }
        if pages:
            text = pages.keep_text or bool(written.baselines)  # which search it
            update = {"depth": pages.depth or depth, "keep_text": text}
            filled["pages"] = pages.model_copy(update=update)
        if written.reusability is None:
            filled["reusability"] = ("team", "run") if written.runs.team else ("run",)
        if "labels" in METHODS[pool.method].reads and not pool.labels:
            keys = written.dimension_keys.items()
            labelled = (name for name, one in keys if isinstance(one, Labelled))
            filled["pool"] = pool.model_copy(update={"labels": next(labelled, None)})
        return cls.model_construct(**{**dict(written), **filled})

    @cached_property
    def sources(self) -> dict[str, Source]:
        kinds = KINDS.values()
        return {
            name: Source(
                name=name,
                kind=next(kind.name for kind in kinds if isinstance(keys, kind.model)),
                settings=keys.model_dump(),
            )
            for name, keys in self.source_keys.items()
        }

    @cached_property
    def dimensions(self) -> dict[str, Dimension]:
        return {
            name: Dimension(name=name, keys=keys, settings=settings)
            for entry, keys in self.dimension_keys.items()
            for name, settings in keys.dimensions(entry)
        }

    @property
    def labels(self) -> dict[str, Labels]:
        """How the labels of the dimensions are read that have any."""
        return {name: one.labels for name, one in self.dimensions.items() if one.labels}

    @property
    def labelled(self) -> tuple[str, ...]:
        """Names of the dimensions with human labels; the first one's topics are the denominator."""
        return tuple(self.labels)

    @property
    def estimated(self) -> tuple[str, ...]:
        """Names of the dimensions estimated from pages."""
        return tuple(name for name, one in self.dimensions.items() if one.estimate)

    @property
    def compared(self) -> tuple[str, ...]:
        """Names of the dimensions with several judgement sets."""
        return tuple(name for name, one in self.dimensions.items() if one.sets)

    @property
    def further_labels(self) -> dict[str, Labels]:
        """How further label files are read: of judgement sets, and the audit's own."""
        sets = {
            f"{dimension}, set {name}": labels
            for dimension, one in self.dimensions.items()
            for name, labels in one.sets.items()
        }
        audited = self.audit.labels if self.audit else {}
        return sets | {
            f"{dimension}, audit {name}": labels
            for name, chosen in audited.items()
            for dimension, labels in chosen.items()
        }

    @cached_property
    def parsed(self) -> Measures:
        """The measures, those named again in other sections, and all problems with them."""
        return Measures(self, list(self.dimensions) or ["topicality"])  # a broken config has none

    @property
    def measures(self) -> tuple["Measure", ...]:
        return tuple(self.parsed.known.values())

    @property
    def scatter(self) -> tuple[str, ...]:
        """The measures plotted against each other."""
        return self.parsed.scatter

    @property
    def rescored(self) -> tuple[str, ...]:
        """The measures of sweep and reusability."""
        return self.parsed.rescored

    @property
    def against(self) -> str | None:
        """The folder of an earlier version."""
        return self.report.against

    @property
    def people(self) -> People | None:
        """Where preferences and ratings are, if there are any, and how they are compared."""
        if not self.preferences and not self.satisfaction:
            return None
        files = {"preferences": self.preferences or (), "satisfaction": self.satisfaction or ()}
        return People(**files, **self.comparison.model_dump())

    @cached_property
    def audit(self) -> Audit | None:
        """Published results, with the labels of further sets as the step reads them."""
        if self.published is None:
            return None
        labels = {
            name: {dimension: self.reread(name, dimension).reading for dimension in chosen}
            for name, chosen in self.published.labels.items()
        }
        return Audit(**{**dict(self.published), "labels": labels})

    def reread(self, name: str, dimension: str) -> Labelled:
        """A dimension with the label files of a set of the audit."""
        assert self.published is not None
        own = self.dimension_keys[dimension].model_dump()
        other = self.published.labels[name][dimension].model_dump(exclude_none=True)
        if "scale" in other:
            other["gains"] = "linear"
        fresh = {"sets": {}, "sweep": Settings().model_dump()}
        return Labelled.model_validate({**own, **other, **fresh})

    @property
    def check_policies(self) -> dict[str, Any]:
        """The policies of the input check, and the runs that are made here."""
        policies = self.policies.model_dump(include={"order", "depth", "duplicates", "bad_scores"})
        made = [*map(baseline_run, self.baselines), *self.fusion]
        return {"topics_from": self.policies.topics, "made": made, **policies}


def _deep(systems: Mapping[str, Any], depth: int) -> dict[str, Any]:
    """Systems that keep as many documents as the campaign, unless they say otherwise."""
    return {
        name: one.model_copy(update={"depth": one.depth or depth}) for name, one in systems.items()
    }
