"""What a checked campaign is: frozen values with every default filled in.

Only built-in types inside, so that `dataclasses.asdict` gives what Snakemake can pickle and
compare (measures apart, which a rule names by their canonical text).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

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
    """Where the submitted runs are, in which format, and the expression that finds the team."""

    files: tuple[str, ...]
    team: str | None
    batches: int
    format: str = "trec"


@dataclass(frozen=True, kw_only=True)
class Topics:
    """The topics file, and how its ids become those of the labels."""

    file: str
    match: str | None
    replace: str | None


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Where the documents' web pages are, which are needed, and how they are read."""

    files: tuple[str, ...]
    documents: Literal["all", "retrieved", "pooled"]
    depth: int
    method: str
    sentence_ends: bool
    engine: str
    seconds: float
    shards: int


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """What the sweep tries for a dimension; None is what its scale suggests."""

    thresholds: tuple[float, ...] | None
    gains: tuple[Mapping[float, float], ...] | None


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Human labels of one dimension and how they become gains."""

    files: tuple[str, ...]
    scale: tuple[float, float]
    better: Literal["high", "low"]
    threshold: float
    gains: Literal["linear"] | Mapping[float, float]
    cannot_judge: tuple[float, ...]
    key: Literal["topic", "document"]
    conflict: Literal["error", "first", "max", "mean"]


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
class Costs:
    """What documents cost their reader: the file, and the cost of those it does not list."""

    file: str
    usual: float


@dataclass(frozen=True, kw_only=True)
class Audit:
    """Published results, the sets of policies to try on them, and names of measures."""

    published: tuple[str, ...]
    policies: tuple[str, ...]
    measures: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Stratum:
    """Documents whose best rank is at most `to`, and the share of them to judge."""

    to: int
    share: float


@dataclass(frozen=True, kw_only=True)
class Pool:
    """What assessors should judge (config/README.md explains each)."""

    method: str
    depth: int
    size: int
    by: str
    norm: str
    k: float
    p: float
    strata: tuple[Stratum, ...]
    runs: str | None
    per_team: int | None
    labels: str | None  # only for the methods that replay labels
    seed: int


@dataclass(frozen=True, kw_only=True)
class Fusion:
    """A system made by fusing runs."""

    name: str
    method: str
    runs: str | None
    norm: str
    k: float
    p: float
    depth: int


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """How judgement sets are compared."""

    bootstrap: int
    confidence: float
    significance: float
    seed: int


@dataclass(frozen=True, kw_only=True)
class Correlations:
    """Which statistics compare two measures' rankings, their settings, and the bootstrap's."""

    statistics: tuple[str, ...]
    persistence: float
    depth: int
    samples: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class Significance:
    """How runs are tested against each other under each measure."""

    alpha: float
    permutations: int
    samples: int
    seed: int


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
    pool: Pool
    fusion: Mapping[str, Fusion]
    sweep: bool
    reusability: tuple[str, ...]
    agreement: Agreement
    variations: str | None
    measures: tuple["Measure", ...]
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
