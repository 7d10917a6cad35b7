"""What a generator is: one declared function that fills a folder from a seed and its settings.

A module in `generators` with one such function is all a further generator takes.
"""

from dataclasses import dataclass

from pipeline.config.sources import Generated
from pipeline.registry import Catalogue, Declared


@dataclass(frozen=True, kw_only=True)
class Generator(Declared[..., None]):
    """A generator: called with a folder, a seed and its settings it makes the folder.

    The folder appears whole or not at all; the same seed and settings give the same bytes.
    """

    keys: type[Generated] = Generated  # the model of its keys, beside `generate` and `seed`
    paths: tuple[str, ...] = ()  # keys that name files, also of sources before this one


generator = Generator.declare
GENERATORS = Catalogue("generator", "pipeline.sources.generators", of=Generator)
