"""How runs are fused: by which method, and which runs, how deep."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Fusion:
    """A fusion of runs: the method, what only some methods read, and what goes in and comes out."""

    method: str
    norm: str = "min_max"
    k: float = 60.0  # reciprocal rank fusion
    p: float = 0.8  # persistence of RBP weights
    runs: str | None = None  # regular expression searched in their names; None is all
    depth: int | None = None  # documents kept per topic; None is all
