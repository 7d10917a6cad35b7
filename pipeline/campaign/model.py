"""A campaign: its section of the config with defaults, and the values derived from it."""

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
    """A folder that a job creates, of a declared kind (`pipeline.sources.kinds`)."""

    name: str
    kind: str
    settings: Mapping[str, Any]  # by key of its kind


class Measures:
    """The measures of a campaign, those selected in other sections, and all problems."""

    def __init__(self, section: CampaignKeys, dimensions: Sequence[str]) -> None:
        """Parse all measures; first load the files that declare the campaign's own."""
        from pipeline.measures.own import load

        self.problems: list[Mistake] = []
        self.by_name: dict[str, Measure] = {}
        self._dimensions = list(dimensions)
        for place, file in enumerate(section.measures_from):
            try:
                load(pathlib.Path(file))
            except InputError as error:
                for what, fix in reasons(error):
                    self._add(("measures_from", place), what, fix)
        slugs: dict[str, str] = {}
        depth = section.policies.depth
        for at, measure in self._parsed(section.measure_texts, ("measures",)):
            name, slug = measure.name, measure.slug.lower()  # some file systems ignore case
            if name in self.by_name:
                self._add(at, f"repeats '{name}'", "remove it")
            elif max(map(int, re.findall(r"@(\d+)", name)), default=0) > depth:
                self._add(at, f"'{name}' exceeds policies.depth {depth}", "increase policies.depth")
            elif slug in slugs:
                self._add(at, f"'{name}' and '{slugs[slug]}' share a file name", "remove one")
            self.by_name.setdefault(name, measure)
            slugs.setdefault(slug, name)
        all_names = tuple(self.by_name)
        scatter, rescored = section.report.scatter, section.rescored_texts
        default = all_names[:2] if len(all_names) > 1 else ()
        self.scatter = default if scatter is None else self._select(scatter, ("report", "scatter"))
        self.rescored = all_names if rescored is None else self._select(rescored, ("rescored",))

    def _add(self, at: Path, what: str, fix: str) -> None:
        self.problems.append(Mistake(at, what, fix))

    def _parsed(self, texts: Sequence[str], above: Path) -> "Iterator[tuple[Path, Measure]]":
        """Yield the measures that parse, each with its path in the config."""
        from pipeline import measures as engine

        for place, text in enumerate(texts):
            at = (*above, place)
            if text.count("(") != text.count(")"):
                self._add(at, f"is '{text}', split by YAML at a comma", "put the measure in quotes")
                continue
            try:
                yield at, engine.parse(text, dimensions=self._dimensions)
            except InputError as error:
                self.problems += [Mistake(at, *pair) for pair in reasons(error)]

    def _select(self, texts: Sequence[str], above: Path) -> tuple[str, ...]:
        """The names of measures selected in another section."""
        names: list[str] = []
        for at, measure in self._parsed(texts, above):
            name = measure.name
            if name not in self.by_name:
                hint = nearest(name, list(self.by_name), kind="measures")
                self._add(at, f"'{name}' is not among the campaign's measures", hint)
            elif name in names:
                self._add(at, f"repeats '{name}'", "remove it")
            names.append(name)
        return tuple(names)


class Campaign(CampaignKeys):
    """One campaign. Maps keep the order of the config file."""

    name: str

    @classmethod
    def of(cls, name: str, section: CampaignKeys) -> "Campaign":
        """Build the campaign with this name; fill in defaults that depend on other sections."""
        depth, pages, pool = section.policies.depth, section.pages, section.pool
        defaults: dict[str, Any] = {
            "name": name,
            "title": section.title or name,
            "fusion": _deep(section.fusion, depth),
            "baselines": _deep(section.baselines, depth),
        }
        if pages:
            text = pages.keep_text or bool(section.baselines)  # baselines search the text
            update = {"depth": pages.depth or depth, "keep_text": text}
            defaults["pages"] = pages.model_copy(update=update)
        if section.reusability is None:
            defaults["reusability"] = ("team", "run") if section.runs.team else ("run",)
        if "labels" in METHODS[pool.method].reads and not pool.labels:
            keys = section.dimension_keys.items()
            labelled = (name for name, dimension in keys if isinstance(dimension, Labelled))
            defaults["pool"] = pool.model_copy(update={"labels": next(labelled, None)})
        return cls.model_construct(**{**dict(section), **defaults})

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
        return {d.name: d.labels for d in self.dimensions.values() if d.labels}

    @property
    def labelled(self) -> tuple[str, ...]:
        """The dimensions with human labels; the topics of the first are the denominator."""
        return tuple(self.labels)

    @property
    def estimated(self) -> tuple[str, ...]:
        return tuple(d.name for d in self.dimensions.values() if d.estimate)

    @property
    def compared(self) -> tuple[str, ...]:
        """The dimensions with several judgement sets."""
        return tuple(d.name for d in self.dimensions.values() if d.sets)

    @property
    def further_labels(self) -> dict[str, Labels]:
        """How to read further label files: those of judgement sets and of the audit."""
        sets = {
            f"{dimension.name}, set {name}": labels
            for dimension in self.dimensions.values()
            for name, labels in dimension.sets.items()
        }
        audited = self.audit.labels if self.audit else {}
        return sets | {
            f"{dimension}, audit {name}": labels
            for name, dimensions in audited.items()
            for dimension, labels in dimensions.items()
        }

    @cached_property
    def parsed(self) -> Measures:
        return Measures(self, list(self.dimensions) or ["topicality"])  # or an invalid config

    @property
    def measures(self) -> tuple["Measure", ...]:
        return tuple(self.parsed.by_name.values())

    @property
    def scatter(self) -> tuple[str, ...]:
        """The two measures plotted against each other."""
        return self.parsed.scatter

    @property
    def rescored(self) -> tuple[str, ...]:
        """The measures of threshold sensitivity and reusability."""
        return self.parsed.rescored

    @property
    def against(self) -> str | None:
        """The folder of the baseline version."""
        return self.report.against

    @property
    def people(self) -> People | None:
        if not self.preferences and not self.satisfaction:
            return None
        files = {"preferences": self.preferences or (), "satisfaction": self.satisfaction or ()}
        return People(**files, **self.comparison.model_dump())

    @cached_property
    def audit(self) -> Audit | None:
        """The audit's settings, with the labels of further sets as the step reads them."""
        if self.published is None:
            return None
        labels = {
            name: {dimension: self.reread(name, dimension).reading for dimension in dimensions}
            for name, dimensions in self.published.labels.items()
        }
        return Audit(**{**dict(self.published), "labels": labels})

    def reread(self, name: str, dimension: str) -> Labelled:
        """A dimension with the label files of one of the audit's sets."""
        assert self.published is not None
        keys = self.dimension_keys[dimension].model_dump()
        changes = self.published.labels[name][dimension].model_dump(exclude_none=True)
        if "scale" in changes:
            changes["gains"] = "linear"
        defaults = {"sets": {}, "sweep": Settings().model_dump()}
        return Labelled.model_validate({**keys, **changes, **defaults})

    @property
    def check_policies(self) -> dict[str, Any]:
        """The policies of the input check, and the runs that the campaign generates."""
        policies = self.policies.model_dump(include={"order", "depth", "duplicates", "bad_scores"})
        generated = [*map(baseline_run, self.baselines), *self.fusion]
        return {"topics_from": self.policies.topics, "made": generated, **policies}


def _deep(systems: Mapping[str, Any], depth: int) -> dict[str, Any]:
    """Set the depth of systems to that of the campaign by default."""
    return {
        name: system.model_copy(update={"depth": system.depth or depth})
        for name, system in systems.items()
    }
