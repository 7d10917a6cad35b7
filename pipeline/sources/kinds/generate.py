"""A source generated from a seed."""

from pathlib import Path
from typing import Any

from pipeline.sources.generator import GENERATORS
from pipeline.sources.kind import Kind, Settings


class Generated(Kind):
    """What a declared generator writes."""

    def settled(self, settings: Settings) -> dict[str, Any]:
        """The seed as a whole number: YAML may write 1.0."""
        return {**settings, "seed": int(settings["seed"])}

    def make(self, folder: Path, settings: Settings) -> None:
        """Run the generator."""
        GENERATORS[settings["generate"]](folder, seed=settings["seed"])

    def described(self, settings: Settings) -> dict[str, Any]:
        """Which generator, from which seed."""
        return {"generated": settings["generate"], "seed": settings["seed"]}


generated = Generated(
    name="generate",
    title="generated from a seed",
    order=2,
    keys={
        "generate": {
            "description": "Make the folder by a generator instead of fetching it.",
            "x-choices": "generators",
            "default": None,
        },
        "seed": {
            "description": "Seed of the generator; the same seed gives the same files.",
            "type": "integer",
            "minimum": 0,
            "default": 1,
        },
    },
)
