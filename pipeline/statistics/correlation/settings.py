"""What a campaign asks of the correlations between its measures."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Correlations:
    """Which statistics compare two measures' rankings, their settings, and the bootstrap's."""

    statistics: tuple[str, ...]
    persistence: float
    depth: int
    samples: int
    seed: int
