"""Published experiments to rerun."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, Section, Seed


class Paper(Section):
    """The keys of every paper; a paper declares its own beside them."""

    rerun: Annotated[StrictStr, Choice("paper")]
    """The paper: {choices}."""
    uses: Mapping[StrictStr, StrictStr] = Field({}, json_schema_extra={"x-name": "role"})
    """The campaigns of this config it takes results of, each by its role in the paper, for example
    `{clef2015: my-campaign}`. A role without a campaign is left out, and the page says so."""
    seed: Seed = 1
    """Seed of all draws; the same seed gives the same figures."""
