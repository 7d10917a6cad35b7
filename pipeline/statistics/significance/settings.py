"""What a campaign asks of the tests of its runs against each other."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Significance:
    """How runs are tested against each other under each measure."""

    alpha: float
    permutations: int
    samples: int
    seed: int
