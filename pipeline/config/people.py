"""How measures are compared with what people preferred and how they rated."""

from pydantic import Field

from pipeline.config.base import Number, Section, Seed, Whole


class Comparison(Section):
    """How measures are compared with `preferences` and `satisfaction`."""

    samples: Whole = Field(10_000, ge=1000)
    """Bootstrap samples of topics for each interval, and permutations for each p-value."""
    confidence: Number = Field(0.95, ge=0.5, le=0.999)
    """Confidence level of the intervals."""
    seed: Seed = 1
    """Seed of bootstrap and permutations."""


class People(Comparison):
    """Files of preferences and ratings, and how measures are compared with them."""

    preferences: tuple[str, ...] = ()  # patterns
    satisfaction: tuple[str, ...] = ()  # patterns
