"""What a generator is: one declared function that fills a folder from a seed.

A module in `generators` with one such function is all a further generator takes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pipeline.registry import LAST, Catalogue, Entry


class Function(Protocol):
    """Writes a folder; the same seed gives the same bytes."""

    def __call__(self, folder: Path, *, seed: int) -> None:
        """Make the folder, whole or not at all."""


@dataclass(frozen=True, kw_only=True)
class Generator(Entry):
    """A generator; called with a folder and a seed it makes the folder."""

    function: Function

    def __call__(self, folder: Path, *, seed: int) -> None:
        """Make the folder."""
        self.function(folder, seed=seed)


def generator(name: str, *, title: str, order: int = LAST) -> Callable[[Function], Generator]:
    """Declare a generator above its function."""

    def declare(function: Function) -> Generator:
        return Generator(name=name, title=title, order=order, function=function)

    return declare


GENERATORS = Catalogue("generator", "pipeline.sources.generators", of=Generator)
