"""What a generator is: one declared function that fills a folder from a seed and its settings.

A module in `generators` with one such function is all a further generator takes.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from pipeline.registry import LAST, Catalogue, Entry

Settings = Mapping[str, Any]
Problems = Iterator[tuple[str, str]]


class Function(Protocol):
    """Writes a folder; the same seed and settings give the same bytes."""

    def __call__(self, folder: Path, *, seed: int, **settings: Any) -> None:
        """Make the folder, whole or not at all."""


def _nothing_wrong(settings: Settings) -> Problems:
    yield from ()


@dataclass(frozen=True, kw_only=True)
class Generator(Entry):
    """A generator; called with a folder, a seed and its settings it makes the folder."""

    function: Function
    keys: Mapping[str, Settings] = field(default_factory=dict)  # its settings, each with its schema
    problems: Callable[[Settings], Problems] = _nothing_wrong  # a key, and a sentence about it
    needed: Mapping[str, str] = field(default_factory=dict)  # keys without a default, and what for
    paths: tuple[str, ...] = ()  # keys that name files, also of sources before this one

    def __call__(self, folder: Path, *, seed: int, **settings: Any) -> None:
        """Make the folder."""
        self.function(folder, seed=seed, **settings)


def generator(
    name: str,
    *,
    title: str,
    keys: Mapping[str, Settings] | None = None,
    problems: Callable[[Settings], Problems] = _nothing_wrong,
    needed: Mapping[str, str] | None = None,
    paths: tuple[str, ...] = (),
    order: int = LAST,
) -> Callable[[Function], Generator]:
    """Declare a generator above its function.

    `keys` are its keys in the config, each with its JSON Schema; whatever is not given is null.
    """

    def declare(function: Function) -> Generator:
        return Generator(
            name=name,
            title=title,
            order=order,
            function=function,
            keys=keys or {},
            problems=problems,
            needed=needed or {},
            paths=paths,
        )

    return declare


GENERATORS = Catalogue("generator", "pipeline.sources.generators", of=Generator)
