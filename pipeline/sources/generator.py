"""What a generator is: one declared function that fills a folder from a seed and its settings.

A module in `generators` with one such function is all a further generator takes.
"""

from dataclasses import dataclass
from typing import Annotated

from pydantic import StrictStr

from pipeline.config.base import Choice, Section, Seed
from pipeline.registry import Catalogue, Declared


class Generated(Section):
    """What a declared generator writes; its own keys stand beside these."""

    generate: Annotated[StrictStr, Choice("generator")]
    """Make the folder by a generator instead of fetching it: {choices}."""
    seed: Seed = 1
    """Seed of the generator; the same seed gives the same files."""


@dataclass(frozen=True, kw_only=True)
class Generator(Declared[..., None]):
    """A generator: called with a folder, a seed and its settings it makes the folder.

    The folder appears whole or not at all; the same seed and settings give the same bytes.
    """

    keys: type[Generated] = Generated  # the model of its keys, beside `generate` and `seed`
    paths: tuple[str, ...] = ()  # keys that name files, also of sources before this one


generator = Generator.declare
GENERATORS = Catalogue("generator", "pipeline.sources.generators", of=Generator)
