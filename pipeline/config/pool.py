"""The pool that assessors should judge, and how judgement sets are compared."""

from typing import Annotated

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, Expression, Mistakes, Number, Section, Seed, Whole
from pipeline.config.fusion import Fusion


class Stratum(Section):
    """Documents whose best rank is at most `to`, and the share of them to judge."""

    to: Whole = Field(ge=1)
    """Last rank of the stratum."""
    share: Number = Field(ge=0, le=1)
    """Share of the stratum to judge."""


class Plan(Section):
    """The pool: the documents that assessors should judge."""

    method: Annotated[StrictStr, Choice("pooling method")] = "depth"
    """Method that chooses the documents of the pool."""
    depth: Whole = Field(10, ge=1)
    """Documents of each run that enter the pool, per topic (`depth`, `uniform`). Also the depth to
    which `pool/runs.csv` gives the pooled and judged share of each run."""
    size: Whole = Field(100, ge=1)
    """Documents per topic (`take`, `uniform` and the adaptive methods)."""
    by: Annotated[StrictStr, Choice("fusion method")] = "rrf"
    """Fusion method of `take`."""
    norm: Annotated[StrictStr, Choice("norm")] = "min_max"
    """Normalisation of scores, per run and topic, before a `comb...` method of `take`."""
    k: Number = Field(60, ge=0)
    """Constant of reciprocal rank fusion (`by: rrf`)."""
    p: Number = Field(0.8, ge=0, le=1)
    """Persistence of RBP weights (`by: rbp`)."""
    strata: tuple[Stratum, ...] = ()
    """Strata of best ranks for `stratified`, the deepest last, for example `[{to: 10, share: 1},
    {to: 50, share: 0.2}]`."""
    runs: Expression | None = None
    """Regular expression searched in the names of the pooled runs; all runs when null."""
    per_team: Whole | None = Field(None, ge=1)
    """Largest number of pooled runs per team, the first by name; all when null."""
    labels: StrictStr | None = None
    """Dimension whose labels an adaptive method replays; the first labelled one when null."""
    seed: Seed = 1
    """Seed of samples and of the order in which assessors see documents."""

    @property
    def fusion(self) -> Fusion:
        return Fusion(method=self.by, norm=self.norm, k=self.k, p=self.p)

    def problems(self) -> Mistakes:
        """Each stratum must end deeper than the one before, and some document must be judged."""
        ends = [stratum.to for stratum in self.strata]
        if ends != sorted(set(ends)):
            shown = ", ".join(map(str, ends))
            yield ("strata",), f"ends at {shown}", "each stratum must end deeper than the last"
        elif self.strata and not any(stratum.share for stratum in self.strata):
            what = "takes no share of any stratum, so the pool would be empty"
            yield ("strata",), what, "raise one"


class Agreement(Section):
    """How the judgement `sets` of a dimension are compared."""

    bootstrap: Whole = Field(1000, ge=10)
    """Bootstrap samples of documents for each interval."""
    confidence: Number = Field(0.95, ge=0.5, le=0.999)
    """Confidence level of the intervals."""
    significance: Number = Field(0.05, ge=0.0001, le=0.5)
    """Significance level of the paired t-test between runs, for pairs whose order changes."""
    seed: Seed = 1
    """Seed of the bootstrap."""
