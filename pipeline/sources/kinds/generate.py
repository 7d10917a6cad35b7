"""A source built from a seed by a generator: one declared function in a module of `generators`."""

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
    """The keys of every generator; a generator declares further keys."""

    generate: Annotated[StrictStr, Choice("generator")]
    """Generator that makes the folder."""
    seed: Seed = 1
    """Seed of the generator; the same seed gives the same files."""


@dataclass(frozen=True, kw_only=True)
class Generator(Declared[..., None]):
    """Builds a folder atomically, with the same bytes for the same seed and settings."""

    keys: type[Generated] = Generated  # the model of its keys, with `generate` and `seed`
    paths: tuple[str, ...] = ()  # keys that name files, also of earlier sources


generator = Generator.declare
GENERATORS = Catalogue("generator", "pipeline.sources.generators", of=Generator)


class GeneratedSource(SourceKind):
    """The folder that a generator builds."""

    @property
    def models(self) -> Mapping[str, type[Section]]:
        return {name: entry.keys for name, entry in GENERATORS.items()}

    def paths(self, settings: Settings) -> Mapping[str, Sequence[str]]:
        return {key: settings[key] for key in GENERATORS[settings["generate"]].paths}

    def make(self, folder: Path, settings: Settings, places: Places) -> None:
        keys = {key: value for key, value in settings.items() if key != "generate"}
        GENERATORS[settings["generate"]](folder, **keys)

    def described(self, settings: Settings) -> dict[str, Any]:
        keys = {key: value for key, value in settings.items() if value is not None}
        return {"generated": keys.pop("generate"), **keys}


generated_source = GeneratedSource(
    name="generate", title="generated from a seed", order=2, model=Generated
)
