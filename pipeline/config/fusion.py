"""Systems made by fusing the runs."""

from typing import Annotated

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, Expression, Number, Section, Whole


class Fusion(Section):
    """A fusion of runs: the method, its parameters, the runs and the depth."""

    method: Annotated[StrictStr, Choice("fusion method")]
    """Method that fuses the runs."""
    runs: Expression | None = None
    """Regular expression searched in the names of the runs to fuse; all runs when null."""
    norm: Annotated[StrictStr, Choice("norm")] = "min_max"
    """Normalisation of scores, per run and topic, before a `comb...` method."""
    k: Number = Field(60, ge=0)
    """Constant of reciprocal rank fusion (`rrf`)."""
    p: Number = Field(0.8, ge=0, le=1)
    """Persistence of RBP weights (`rbp`)."""
    depth: Whole | None = Field(None, ge=1)
    """Documents kept per topic; `policies.depth` when null."""
