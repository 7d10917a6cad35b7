"""A source generated from a seed."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.sources.generator import GENERATORS
from pipeline.sources.kind import Kind, Settings
from pipeline.sources.paths import listed


class Generated(Kind):
    """What a declared generator writes."""

    def settled(self, settings: Settings) -> dict[str, Any]:
        """Its generator's own keys; the seed as a whole number, since YAML may write 1.0."""
        own = GENERATORS[settings["generate"]].keys
        return {
            "generate": settings["generate"],
            "seed": int(settings["seed"]),
            **{key: settings[key] for key in own},
        }

    def problems(self, settings: Settings) -> Iterator[tuple[str, str]]:
        """Keys of another generator, and what the generator itself finds wrong."""
        chosen = GENERATORS[settings["generate"]]
        for other in GENERATORS.values():
            for key in other.keys:
                if key not in chosen.keys and settings[key] is not None:
                    yield key, f"has no meaning for the generator '{chosen.name}'; remove it"
        for key, fix in chosen.needed.items():
            if settings[key] is None:
                yield key, f"is missing; {fix}"
        yield from chosen.problems({key: settings[key] for key in chosen.keys})

    def paths(self, settings: Settings) -> Mapping[str, Sequence[str]]:
        """The files its generator reads."""
        own = GENERATORS[settings["generate"]].paths
        return {key: listed(settings[key]) for key in own if settings[key] is not None}

    def make(self, folder: Path, settings: Settings) -> None:
        """Run the generator."""
        name = settings["generate"]
        own = {key: settings[key] for key in GENERATORS[name].keys}
        GENERATORS[name](folder, seed=settings["seed"], **own)

    def described(self, settings: Settings) -> dict[str, Any]:
        """Which generator, from which seed and settings."""
        own = {key: value for key, value in settings.items() if value is not None}
        return {"generated": own.pop("generate"), **own}


generated = Generated(
    name="generate",
    title="generated from a seed",
    order=2,
    keys={
        "generate": {
            "description": "Make the folder by a generator instead of fetching it: {choices}.",
            "x-choices": "generators",
            "default": None,
        },
        "seed": {
            "description": "Seed of the generator; the same seed gives the same files.",
            "type": "integer",
            "minimum": 0,
            "default": 1,
        },
        **{key: rules for one in GENERATORS.values() for key, rules in one.keys.items()},
    },
)
