"""Steps and their keys: what each depends on, and whether it has to run.

A step writes one or more parts: the rankings and the teams, the labels of each dimension. The key
of a part is a digest of the step's code, the settings it uses, the content of the input files it
reads and the keys of the parts it takes from other steps. So a measure depends on the gains of its
own dimensions, not on all of them. Nothing is written here: keys are computed while Snakemake reads
the rules.
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
    """A result of a step: its key, its settings, and all steps it comes from."""

    key: str
    settings: Mapping[str, Any]
    steps: frozenset[str]


Parts = dict[str, Part]


@dataclass(frozen=True, kw_only=True)
class Step:
    """A job of a campaign or paper; `name` is that of its record."""

    name: str
    key: str
    record: Path
    settings: Mapping[str, Any]
    after: tuple[Path, ...] = ()  # the records of all steps before it
    parts: Mapping[str, Part] = field(default_factory=dict)
    again: str = ""  # why it runs although nothing it depends on has changed

    @cached_property
    def last(self) -> Record | None:
        """The record of its last run, if that was under this key."""
        record = records.read(self.record)
        return record if record and record.key == self.key else None

    @cached_property
    def altered(self) -> list[str]:
        """The step's files that were edited or damaged since it ran."""
        return self.last.altered() if self.last else []

    @cached_property
    def asked(self) -> str:
        """What Snakemake compares: as in the record if that is good, else the key and a reason.

        A file that differs from the record makes another value, so that the step runs.
        """
        if self.last is None:
            return self.key
        reason = self.again or "".join(self.altered)
        return f"{self.key}+{key_of(reason, self.last.asked)}" if reason else self.last.asked

    @property
    def stale(self) -> bool:
        """Whether the step is to run: for the first time, or for another key or altered files."""
        return self.last is None or self.last.asked != self.asked


def plain(value: Any) -> Any:
    """Settings as built-in types, which Snakemake can keep and compare."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True)
class Plan:
    """One campaign as the rules see it: its steps by name, each declared in `Steps`."""

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
        """Digests of the campaign's input files."""
        return Digests(self.results.record("inputs"))

    def __getitem__(self, name: str) -> Step:
        if name not in self._steps:
            rule, _, which = name.partition("/")
            declared: Callable[..., Parts] = getattr(self, f"_{rule}")
            parts = declared(which) if which else declared()
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
        """A part of a step, of its settings, parts of other steps and input files."""
        files = list(files)
        sources = [name for item in files for name in item.made]
        taken = [*takes, *(part for name in sources for part in self.of(f"fetch/{name}", name))]
        own = plain(settings)
        content = [(path, self.digests.of(path)) for item in files for path in item.local]
        return Part(
            key_of(self.code(step), own, content, [part.key for part in taken]),
            own,
            frozenset({step}.union(*(part.steps for part in taken))),
        )

    def of(self, step: str, *names: str) -> list[Part]:
        """Parts of a step by name."""
        return [self[step].parts[name] for name in names]

    def chosen(self, *names: str) -> dict[str, Any]:
        """Some of the campaign's settings, as they are."""
        return {name: getattr(self.campaign, name) for name in names}

    def code(self, step: str) -> str:
        """The digest of a step's code, with the measures it computes."""
        rule, _, which = step.partition("/")
        path = self.scripts / f"{rule}.py"
        if rule == "audit":  # it looks for a published value among all measures
            return self.graph.digest(path, measures=None, own=self.campaign.measures_from)
        slug = which if rule == "evaluate" else None
        return self.graph.digest(path, measures=self.modules(slug), own=self.own_measures(slug))

    def part_of(self, file: str) -> Part:
        """The part behind a file below the results folder that a paper uses."""
        folder, _, name = file.partition("/")
        known = {
            "means.csv": ("correlate", "_means"),
            "correlations.csv": ("correlate", "_correlations"),
            "readability.parquet": ("readability", "_table"),
            "sources": (f"fetch/{name}", name),
        }
        step, part = known.get(folder) or (folder, Path(name).stem)
        return self.of(step, part)[0]

    # ---- measures --------------------------------------------------------------------------------

    @cached_property
    def measures(self) -> dict[str, Measure]:
        """The measures by their names in files."""
        return {measure.slug: measure for measure in self.campaign.measures}

    @property
    def measure_names(self) -> list[str]:
        return [measure.name for measure in self.campaign.measures]

    def modules(self, slug: str | None = None) -> list[str]:
        """The modules of one measure, or of all the campaign's."""
        chosen = self.measures.values() if slug is None else [self.measures[slug]]
        return sorted({module for measure in chosen for module in measure.modules})

    def own_measures(self, slug: str | None = None) -> list[str]:
        """The campaign's files that declare one measure, or any of its measures."""
        modules = self.modules(slug)
        return [p for p in self.campaign.measures_from if module_name(Path(p)) in modules]


def paper_step(paper: Rerun, campaigns: Mapping[str, Plan], *, graph: Graph, script: Path) -> Step:
    """The step that reruns a paper, from the campaigns that are available."""
    results = Results(Path("results", paper.name))
    absent = read_absent(results.available)
    parts = [
        (campaigns[name], campaigns[name].part_of(file))
        for name, file in paper.files(absent=absent)
    ]
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
    """The step that asks which campaigns a paper uses can be had; asked again while some cannot."""
    results = Results(Path("results", paper.name))
    settings = {"campaigns": plain(paper.sources())}
    return Step(
        name="available",
        key=key_of(graph.digest(script, measures=()), settings),
        record=results.record("available"),
        settings=settings,
        again=f"{time.time_ns()}" if read_absent(results.available) else "",
    )


def megabytes(paths: Iterable[str]) -> float:
    """What files and folders hold on disk; a missing one raises, so that Snakemake asks later."""
    every = [Path(path) for path in paths]
    inside = [one for path in every if path.is_dir() for one in path.rglob("*")]
    return sum(path.stat().st_size for path in (*every, *inside)) / 2**20
