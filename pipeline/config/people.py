"""How measures are compared with what people preferred and how they rated."""

from pydantic import Field

from pipeline.config.base import Number, Section, Seed, Whole


class Comparison(Section):
    """How measures are compared with `preferences` and `satisfaction`."""

    samples: Whole = Field(10_000, ge=1000)
    """Sets of topics drawn with replacement behind each interval, and exchanges of two measures
    behind each p."""
    confidence: Number = Field(0.95, ge=0.5, le=0.999)
    """Confidence level of the intervals."""
    seed: Seed = 1
    """Decides the draws; the same seed gives the same intervals."""


class People(Comparison):
    """Where people's preferences and ratings are, and how measures are compared with them."""

    preferences: tuple[str, ...] = ()  # patterns
    satisfaction: tuple[str, ...] = ()  # patterns
