"""A source generated from a seed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.config.base import Section
from pipeline.config.sources import Generated
from pipeline.sources.generator import GENERATORS
from pipeline.sources.kind import Kind, Settings


class Generating(Kind):
    """What a declared generator writes."""

    @property
    def models(self) -> Mapping[str, type[Section]]:
        """The keys of each generator, beside those of all."""
        return {name: one.keys for name, one in GENERATORS.items()}

    def paths(self, settings: Settings) -> Mapping[str, Sequence[str]]:
        """The files its generator reads."""
        own = GENERATORS[settings["generate"]].paths
        return {key: settings[key] for key in own}

    def make(self, folder: Path, settings: Settings) -> None:
        """Run the generator."""
        name = settings["generate"]
        own = {key: value for key, value in settings.items() if key not in Generated.model_fields}
        GENERATORS[name](folder, seed=settings["seed"], **own)

    def described(self, settings: Settings) -> dict[str, Any]:
        """Which generator, from which seed and settings."""
        own = {key: value for key, value in settings.items() if value is not None}
        return {"generated": own.pop("generate"), **own}


generated = Generating(
    name="generate",
    title="generated from a seed",
    order=2,
    model=Generated,
)
