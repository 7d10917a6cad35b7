"""A source generated from a seed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.config.base import Section
from pipeline.sources.generator import GENERATORS, Generated
from pipeline.sources.kind import Kind, Settings
from pipeline.sources.places import Places


class Generating(Kind):
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


generated = Generating(name="generate", title="generated from a seed", order=2, model=Generated)
