"""Significance tests between runs."""

from pydantic import Field

from pipeline.config.base import Number, Section, Seed, Whole


class Significance(Section):
    """How runs are tested against each other under each measure."""

    alpha: Number = Field(0.05, ge=0.0001, le=0.5)
    """Level of every test; intervals cover 1 - alpha."""
    permutations: Whole = Field(10_000, ge=10_000)
    """Shuffles of the randomised Tukey HSD, and fewest sign flips of the paired permutation test
    (which draws more where Holm's correction of many pairs needs them)."""
    samples: Whole = Field(10_000, ge=1000)
    """Sets of topics drawn with replacement for the bootstrap intervals of the means."""
    seed: Seed = 1
    """Seed of all draws; the same seed gives the same p."""
