"""Steps and their keys: the dependencies of each step, and whether it has to run.

A step writes one or more parts, for example rankings and teams, or the labels of each dimension.
The key of a part is a digest of the step's code, its settings, the content of its input files and
the keys of the parts of other steps that it reads. So a measure depends only on the gains of its
dimensions. Keys are computed while Snakemake parses the rules; this module writes nothing.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pipeline.campaign.model import Campaign
from pipeline.campaign.papers import Rerun
from pipeline.campaign.paths import Files, Inputs
from pipeline.campaign.schema import merged
from pipeline.measures import Measure
from pipeline.measures.own import module_name
from pipeline.papers.paper import read_absent
from pipeline.results import Results
from pipeline.storage import records
from pipeline.storage.records import Digests, Record, key_of
from pipeline.workflow.code import MEASURES, Graph


@dataclass(frozen=True)
class Part:
    """A result of a step: its key, its settings, and all steps it depends on."""

    key: str
    settings: Mapping[str, Any]
    steps: frozenset[str]


Parts = dict[str, Part]


@dataclass(frozen=True, kw_only=True)
class Step:
    """A job of a campaign or paper, named like its record."""

    name: str
    key: str
    record: Path
    settings: Mapping[str, Any]
    after: tuple[Path, ...] = ()  # the records of all earlier steps
    parts: Mapping[str, Part] = field(default_factory=dict)
    reason: str = ""  # why it runs even if no dependency has changed

    @cached_property
    def last(self) -> Record | None:
        """The record of its last run, if that had this key."""
        record = records.read(self.record)
        return record if record and record.key == self.key else None

    @cached_property
    def altered(self) -> list[str]:
        """The step's files that were edited or damaged since its last run."""
        return self.last.altered() if self.last else []

    @cached_property
    def trigger(self) -> str:
        """The value that Snakemake compares with its records: a new value triggers a run.

        It is that of the last run if all files are intact, otherwise the key with a reason.
        """
        if self.last is None:
            return self.key
        reason = self.reason or "".join(self.altered)
        return f"{self.key}+{key_of(reason, self.last.asked)}" if reason else self.last.asked

    @property
    def stale(self) -> bool:
        """Whether the step has to run: first run, new key, or altered files."""
        return self.last is None or self.last.asked != self.trigger


def plain(value: Any) -> Any:
    """Convert settings to built-in types, which Snakemake can store and compare."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class CampaignPlan:
    """The steps of one campaign by name, each declared in `Steps`."""

    campaign: Campaign
    inputs: Inputs
    graph: Graph
    scripts: Path
    config: Mapping[str, Any] = field(default_factory=dict)
    _steps: dict[str, Step] = field(default_factory=dict, init=False)

    @cached_property
    def results(self) -> Results:
        return Results(Path("results", self.campaign.name))

    @cached_property
    def digests(self) -> Digests:
        return Digests(self.results.record("inputs"))

    def __getitem__(self, name: str) -> Step:
        if name not in self._steps:
            rule, _, suffix = name.partition("/")
            declare: Callable[..., Parts] = getattr(self, f"_{rule}")
            parts = declare(suffix) if suffix else declare()
            before = frozenset[str]().union(*(part.steps for part in parts.values())) - {name}
            sources = {"sources": str(self.results.sources)}
            self._steps[name] = Step(
                name=name,
                key=key_of(name, [part.key for part in parts.values()]),
                record=self.results.record(name),
                settings=merged(*(part.settings for part in parts.values()), sources),
                after=tuple(self.results.record(step) for step in sorted(before)),
                parts=parts,
            )
        return self._steps[name]

    def part(
        self,
        step: str,
        settings: Mapping[str, Any],
        *,
        takes: Iterable[Part] = (),
        files: Iterable[Files] = (),
    ) -> Part:
        files = list(files)
        sources = [name for item in files for name in item.sources]
        parts = [*takes, *(part for name in sources for part in self.of(f"fetch/{name}", name))]
        options = plain(settings)
        content = [(path, self.digests.of(path)) for item in files for path in item.local]
        return Part(
            key_of(self.code(step), options, content, [part.key for part in parts]),
            options,
            frozenset({step}.union(*(part.steps for part in parts))),
        )

    def of(self, step: str, *names: str) -> list[Part]:
        return [self[step].parts[name] for name in names]

    def select(self, *names: str) -> dict[str, Any]:
        return {name: getattr(self.campaign, name) for name in names}

    def code(self, step: str) -> str:
        """The digest of a step's code, including its measures."""
        rule, _, suffix = step.partition("/")
        path = self.scripts / f"{rule}.py"
        if rule == "audit":  # recomputes any measure
            return self.graph.digest(path, measures=None, own=self.campaign.measures_from)
        slug = suffix if rule == "evaluate" else None
        return self.graph.digest(path, measures=self.modules(slug), own=self.own_measures(slug))

    def part_of(self, file: str) -> Part:
        """The part that writes a file, below the results folder, that a paper reads."""
        folder, _, name = file.partition("/")
        parts = {
            "means.csv": ("correlate", "_means"),
            "correlations.csv": ("correlate", "_correlations"),
            "readability.parquet": ("readability", "_table"),
            "sources": (f"fetch/{name}", name),
        }
        step, part = parts.get(folder) or (folder, Path(name).stem)
        return self.of(step, part)[0]

    @cached_property
    def measures(self) -> dict[str, Measure]:
        return {measure.slug: measure for measure in self.campaign.measures}

    @property
    def measure_names(self) -> list[str]:
        return [measure.name for measure in self.campaign.measures]

    def modules(self, slug: str | None = None) -> list[str]:
        """The modules of one measure, or of all measures of the campaign."""
        measures = self.measures.values() if slug is None else [self.measures[slug]]
        return sorted({module for measure in measures for module in measure.modules})

    def own_measures(self, slug: str | None = None) -> list[str]:
        """The files of `measures_from` that declare one measure, or any of the campaign's."""
        modules = self.modules(slug)
        return [p for p in self.campaign.measures_from if module_name(Path(p)) in modules]


def paper_step(
    paper: Rerun, campaigns: Mapping[str, CampaignPlan], *, graph: Graph, script: Path
) -> Step:
    """The step that reruns a paper, from the campaigns that are available."""
    results = Results(Path("results", paper.name))
    absent = read_absent(results.available)
    read = paper.files(absent=absent)
    parts = [(campaigns[name], campaigns[name].part_of(file)) for name, file in read]
    settings = {"paper": paper.paper.name, "roles": paper.roles, "settings": plain(paper.settings)}
    code = graph.digest(script, measures=[*MEASURES, paper.paper.module])
    before = {steps.results.record(name) for steps, part in parts for name in part.steps}
    return Step(
        name="paper",
        key=key_of(code, settings, absent, [part.key for _, part in parts]),
        record=results.record("paper"),
        settings=settings,
        after=tuple(sorted(before)),
    )


def available_step(paper: Rerun, *, graph: Graph, script: Path) -> Step:
    """The step that finds a paper's available campaigns; reruns while some are missing."""
    results = Results(Path("results", paper.name))
    settings = {"campaigns": plain(paper.sources())}
    return Step(
        name="available",
        key=key_of(graph.digest(script, measures=()), settings),
        record=results.record("available"),
        settings=settings,
        reason=f"{time.time_ns()}" if read_absent(results.available) else "",
    )


def megabytes(paths: Iterable[str]) -> float:
    """The size of files and folders; raises for missing ones, so that Snakemake retries later."""
    files = [Path(path) for path in paths]
    contents = [child for path in files if path.is_dir() for child in path.rglob("*")]
    return sum(path.stat().st_size for path in (*files, *contents)) / 2**20
