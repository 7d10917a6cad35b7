"""Systems made by fusing the runs."""

from typing import Annotated

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, Expression, Number, Section, Whole


class Fusion(Section):
    """A fusion of runs: the method, what only some methods read, and what goes in and comes out."""

    method: Annotated[StrictStr, Choice("fusion method")]
    """How the runs are fused: {choices}."""
    runs: Expression | None = None
    """Regular expression searched in the names of the runs to fuse; all runs without it."""
    norm: Annotated[StrictStr, Choice("norm")] = "min_max"
    """How scores are put on one scale before a `comb...`, per run and topic: {choices}."""
    k: Number = Field(60, ge=0)
    """Constant of reciprocal rank fusion."""
    p: Number = Field(0.8, ge=0, le=1)
    """Persistence of RBP weights."""
    depth: Whole | None = Field(None, ge=1)
    """Documents kept per topic; as `policies.depth` when null."""
