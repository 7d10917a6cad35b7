"""What a checked campaign is: frozen values with every default filled in.

Only built-in types inside, so that `dataclasses.asdict` gives what Snakemake can pickle and
compare (measures apart, which a rule names by their canonical text).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pipeline.measures import Measure


@dataclass(frozen=True, kw_only=True)
class Source:
    """A folder made by a job: fetched (`url`, `sha256`, `unpack`) or generated (`seed`)."""

    name: str
    url: str | None
    sha256: str | None
    unpack: bool
    generate: Literal["demo"] | None
    seed: int


@dataclass(frozen=True, kw_only=True)
class Runs:
    """Where the submitted runs are, and the regular expression whose first group is the team."""

    files: tuple[str, ...]
    team: str | None
    batches: int


@dataclass(frozen=True, kw_only=True)
class Topics:
    """The topics file, and how its ids become those of the labels."""

    file: str
    match: str | None
    replace: str | None


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Where the documents' web pages are."""

    files: tuple[str, ...]


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
class Estimate:
    """A dimension estimated from the pages' readability through a user model."""

    index: str
    model: Literal["step", "arctan"]
    threshold: float


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """One dimension of relevance; exactly one of `labels` and `estimate` is given."""

    name: str
    labels: Labels | None
    estimate: Estimate | None


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
    dimensions: Mapping[str, Dimension]
    policies: Policies
    pool_depth: int
    measures: tuple["Measure", ...]
    correlations: Correlations
    significance: Significance
    scatter: tuple[str, ...]

    @property
    def labelled(self) -> tuple[str, ...]:
        """Names of the dimensions with human labels; the first one's topics are the denominator."""
        return tuple(name for name, dimension in self.dimensions.items() if dimension.labels)

    @property
    def estimated(self) -> tuple[str, ...]:
        """Names of the dimensions estimated from pages."""
        return tuple(name for name, dimension in self.dimensions.items() if dimension.estimate)
