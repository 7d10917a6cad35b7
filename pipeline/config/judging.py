"""How judgement sets are compared."""

from pydantic import Field

from pipeline.config.base import Number, Section, Seed, Whole


class Agreement(Section):
    """How the judgement `sets` of a dimension are compared."""

    bootstrap: Whole = Field(1000, ge=10)
    """Samples of documents behind each interval."""
    confidence: Number = Field(0.95, ge=0.5, le=0.999)
    """Confidence level of the intervals."""
    significance: Number = Field(0.05, ge=0.0001, le=0.5)
    """Level of the paired t-test that says which pairs of runs differ, for the pairs that flip."""
    seed: Seed = 1
    """Decides the samples."""
