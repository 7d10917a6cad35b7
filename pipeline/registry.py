"""What users extend: things of one kind, declared by name, each found wherever it is declared.

A registry names the packages its things are declared in and imports all their modules the first
time anyone looks; so a new file with a declared function is all that a further one takes. What a
job depends on follows the same packages (`pipeline.campaign.code`).
"""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Generic, TypeVar

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """The things of one kind by name, in the order of their packages' modules."""

    def __init__(self, kind: str, *packages: str) -> None:
        self.kind, self.packages = kind, packages
        self._things: dict[str, T] = {}
        self._loaded = False

    def add(self, name: str, thing: T) -> T:
        """Make a thing known under its name; a name twice is an error of the program."""
        if name in self._things:
            raise ValueError(f"the {self.kind} {name} is declared twice")
        self._things[name] = thing
        return thing

    def remove(self, name: str) -> None:
        """Forget a thing, as a notebook does before it declares it anew."""
        del self._things[name]

    def known(self, name: str) -> str | None:
        """The nearest name to one that is not there, if any is near."""
        return next(iter(get_close_matches(name, self, n=1, cutoff=0.0)), None)

    def __getitem__(self, name: str) -> T:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, T]:
        if not self._loaded:
            self._loaded = True  # first: the modules below may look while they are imported
            for name in self.packages:
                package = importlib.import_module(name)
                for module in pkgutil.iter_modules(package.__path__):
                    importlib.import_module(f"{name}.{module.name}")
        return self._things
