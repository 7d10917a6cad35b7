"""What a generator is: one declared function that fills a folder from a seed and its settings.

A module in `generators` with one such function is all a further generator takes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pipeline.config.sources import Generated
from pipeline.registry import LAST, Catalogue, Entry


class Function(Protocol):
    """Writes a folder; the same seed and settings give the same bytes."""

    def __call__(self, folder: Path, *, seed: int, **settings: Any) -> None:
        """Make the folder, whole or not at all."""


@dataclass(frozen=True, kw_only=True)
class Generator(Entry):
    """A generator; called with a folder, a seed and its settings it makes the folder."""

    function: Function
    keys: type[Generated] = Generated  # the model of its keys
    paths: tuple[str, ...] = ()  # keys that name files, also of sources before this one

    def __call__(self, folder: Path, *, seed: int, **settings: Any) -> None:
        """Make the folder."""
        self.function(folder, seed=seed, **settings)


def generator(
    name: str,
    *,
    title: str,
    keys: type[Generated] = Generated,
    paths: tuple[str, ...] = (),
    order: int = LAST,
) -> Callable[[Function], Generator]:
    """Declare a generator above its function.

    `keys` is the model of its keys in the config, which stand beside `generate` and `seed`.
    """

    def declare(function: Function) -> Generator:
        return Generator(
            name=name,
            title=title,
            order=order,
            function=function,
            keys=keys,
            paths=paths,
        )

    return declare


GENERATORS = Catalogue("generator", "pipeline.sources.generators", of=Generator)
