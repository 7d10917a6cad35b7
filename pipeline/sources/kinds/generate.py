"""A source generated from a seed by a generator, which is one declared function.

A module in `generators` with one such function is all a further generator takes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import StrictStr

from pipeline.config.base import Choice, Section, Seed
from pipeline.registry import Catalogue, Declared
from pipeline.sources.kind import Settings, SourceKind
from pipeline.sources.places import Places


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


class GeneratedSource(SourceKind):
    """What a declared generator writes."""

    @property
    def models(self) -> Mapping[str, type[Section]]:
        return {name: one.keys for name, one in GENERATORS.items()}

    def paths(self, settings: Settings) -> Mapping[str, Sequence[str]]:
        return {key: settings[key] for key in GENERATORS[settings["generate"]].paths}

    def make(self, folder: Path, settings: Settings, places: Places) -> None:
        own = {key: value for key, value in settings.items() if key != "generate"}
        GENERATORS[settings["generate"]](folder, **own)

    def described(self, settings: Settings) -> dict[str, Any]:
        own = {key: value for key, value in settings.items() if value is not None}
        return {"generated": own.pop("generate"), **own}


generated_source = GeneratedSource(
    name="generate", title="generated from a seed", order=2, model=Generated
)
