"""What a campaign asks of the comparison with people."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class People:
    """Where people's preferences and ratings are, and how sure the comparison has to be."""

    preferences: tuple[str, ...]  # patterns
    satisfaction: tuple[str, ...]  # patterns
    samples: int  # sets of topics behind each interval, and exchanges behind each p
    confidence: float  # of the intervals
    seed: int
