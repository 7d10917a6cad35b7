"""What a checked campaign is: frozen values with every default filled in.

What a step takes as its settings is declared in that step's room; a campaign composes them.
Only built-in types inside, so that `dataclasses.asdict` gives what Snakemake can pickle and
compare (measures apart, which a rule names by their canonical text).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pipeline.audit.step import Audit
from pipeline.judging.agreement import Agreement
from pipeline.judging.sweep import Sweep
from pipeline.labels.costs import Costs
from pipeline.labels.reading import Labels
from pipeline.labels.topics import Topics
from pipeline.pages.baselines.settings import Baseline
from pipeline.people.settings import People
from pipeline.pooling.plan import Plan
from pipeline.runs.fusion.settings import Fusion
from pipeline.runs.teams import Teams
from pipeline.statistics.correlation.settings import Correlations
from pipeline.statistics.significance.settings import Significance

if TYPE_CHECKING:
    from pipeline.measures import Measure


@dataclass(frozen=True, kw_only=True)
class Source:
    """A folder made by a job, of a declared kind (`pipeline.sources.kinds`)."""

    name: str
    kind: str
    settings: Mapping[str, Any]  # the keys of its kind


@dataclass(frozen=True, kw_only=True)
class Runs:
    """Where the submitted runs are, in which format, and how the team of each is found."""

    files: tuple[str, ...]
    team: Teams | None
    batches: int | None  # None is by what there is (`shares`)
    format: str = "trec"


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Where the documents' web pages are, which are needed, and how they are read."""

    files: tuple[str, ...]
    documents: Literal["all", "retrieved", "pooled"]
    depth: int
    method: str
    language: str | None
    keep_text: bool  # as asked for, or because baselines search it
    sentence_ends: bool
    engine: str
    seconds: float
    shards: int | None  # None is by what there is (`shares`)
    compare_counters: int | None  # ranks of the runs whose documents are compared

    @property
    def way(self) -> dict[str, Any]:
        """How pages are cleansed and counted."""
        names = ("method", "sentence_ends", "engine")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, kw_only=True)
class Judging:
    """What is asked about a dimension's labels beyond their gains: a sweep, and other sets."""

    sweep: Sweep
    sets: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A dimension estimated from the pages' readability through a user model."""

    index: str
    model: str
    threshold: float


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """One dimension of relevance, of a declared kind (`pipeline.campaign.dimension_kinds`)."""

    name: str
    kind: str
    settings: Any  # of its kind, a dataclass
    judging: Judging | None = None  # with labels only

    @property
    def labels(self) -> Labels | None:
        """How human labels are read, if it has them: what pools, sweeps and audits ask for."""
        return self.settings if isinstance(self.settings, Labels) else None

    @property
    def estimate(self) -> Estimate | None:
        """How it is estimated from the pages' readability, if it is."""
        return self.settings if isinstance(self.settings, Estimate) else None


@dataclass(frozen=True, kw_only=True)
class Policies:
    """The choices real campaigns differ in (config/README.md explains each)."""

    order: Literal["score", "score64", "rank"]
    duplicates: Literal["error", "first"]
    bad_scores: Literal["error", "last"]
    unknown_topics: Literal["drop", "error"]
    unjudged: Literal["zero", "condensed"]
    ties: Literal["report", "ignore"]
    depth: int
    topics: Literal["labels", "topics"]


@dataclass(frozen=True, kw_only=True)
class Campaign:
    """One campaign. Maps keep the order of the config file."""

    name: str
    title: str
    sources: Mapping[str, Source]
    runs: Runs
    topics: Topics | None
    pages: Pages | None
    costs: Costs | None
    dimensions: Mapping[str, Dimension]
    policies: Policies
    pool: Plan
    fusion: Mapping[str, Fusion]
    baselines: Mapping[str, Baseline]
    sweep: bool
    reusability: tuple[str, ...]
    agreement: Agreement
    variations: str | None
    people: People | None
    measures: tuple["Measure", ...]
    measures_from: tuple[str, ...]  # files that declare some of them
    audit: Audit | None
    correlations: Correlations
    significance: Significance
    scatter: tuple[str, ...]

    @property
    def labelled(self) -> tuple[str, ...]:
        """Names of the dimensions with human labels; the first one's topics are the denominator."""
        return tuple(name for name, dimension in self.dimensions.items() if dimension.labels)

    @property
    def compared(self) -> tuple[str, ...]:
        """Names of the dimensions with several judgement sets."""
        return tuple(
            name for name, one in self.dimensions.items() if one.judging and one.judging.sets
        )

    @property
    def estimated(self) -> tuple[str, ...]:
        """Names of the dimensions estimated from pages."""
        return tuple(name for name, dimension in self.dimensions.items() if dimension.estimate)
