"""What users extend: things of one kind, declared by name, each found wherever it is declared.

A registry names the packages its things are declared in and imports all their modules the first
time anyone looks; so a new file with a declared function is all that a further one takes. What a
job depends on follows the same packages (`pipeline.workflow.code`).
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from threading import RLock
from types import ModuleType
from typing import Any, Generic, ParamSpec, Self, TypeVar

from pipeline.errors import InputError, Problem

P = ParamSpec("P")
T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """The things of one kind by name, in the order of their packages' modules."""

    def __init__(self, kind: str, *packages: str) -> None:
        self.kind, self.packages = kind, packages
        self._things: dict[str, T] = {}
        self._loaded = False
        self._lock = RLock()

    def add(self, name: str, thing: T) -> T:
        """Make a thing known under its name; a name twice is an error of the program.

        What is declared outside the library may be declared anew, as a notebook does, but takes
        no name of the library's.
        """
        if _outside(thing):
            known = self._all().get(name)
            if known is not None and not _outside(known):
                what = f"there is a {self.kind} '{name}' already"
                raise InputError(Problem("", what, "choose another name"))
            self._things.pop(name, None)
        if name in self._things:
            raise ValueError(f"the {self.kind} {name} is declared twice")
        self._things[name] = thing
        return thing

    def remove(self, name: str) -> None:
        """Forget a thing, as a notebook does before it declares it anew."""
        del self._things[name]

    def known(self, name: str) -> str | None:
        """The nearest name to one that is not there, if any is near."""
        from difflib import get_close_matches  # only where something is wrong

        return next(iter(get_close_matches(name, self, n=1, cutoff=0.0)), None)

    def unknown(self, name: str) -> Problem:
        what = f"there is no {self.kind} '{name}'"
        return Problem("", what, f"did you mean '{self.known(name)}'?")

    def __getitem__(self, name: str) -> T:
        return self._all()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, T]:
        with self._lock:  # another thread waits until everything is there
            if not self._loaded:
                self._loaded = True  # first: the modules below may look while they are imported
                self._load()
        return self._things

    def _load(self) -> list[ModuleType]:
        return [
            importlib.import_module(f"{name}.{module.name}")
            for name in self.packages
            for module in pkgutil.iter_modules(importlib.import_module(name).__path__)
        ]


def _outside(thing: object) -> bool:
    """Whether the module that declares a thing, where it says which, is not of the library."""
    return __name__.partition(".")[0] != getattr(thing, "module", __name__).partition(".")[0]


LAST = 1_000_000  # the place of what has none of its own


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What is known of anything declared: its name in the config, what it is, whom to cite."""

    name: str
    title: str
    citation: str = ""
    order: int = LAST  # its place among the others; those without one follow, by name


@dataclass(frozen=True, kw_only=True)
class Declared(Entry, Generic[P, T]):
    """A function with its declaration on top of it: called, it calls the function."""

    function: Callable[P, T]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.function(*args, **kwargs)

    @classmethod
    def declare(cls, name: str, **about: Any) -> Callable[[Callable[P, T]], Self]:
        """Declare an entry above its function; `about` are the further fields of the class."""
        return lambda function: cls(name=name, function=function, **about)


E = TypeVar("E", bound=Entry)


class Catalogue(Registry[E]):
    """The entries of one type that the modules of some packages hold, by name, in their order.

    They are found by their type instead of telling a registry: so a module that declares one
    depends on the type alone, and a job that uses this one entry not on all the others.
    """

    def __init__(self, kind: str, *packages: str, of: type[E]) -> None:
        super().__init__(kind, *packages)
        self._type = of
        self._alone: dict[str, E] = {}  # what was asked for by name before all were loaded

    def only(self, name: str) -> E:
        """One entry, without the modules of all the others where its module has its name."""
        if self._loaded or not name.isidentifier():
            return self[name]
        if name not in self._alone:
            modules = (f"{package}.{name}" for package in self.packages)
            there = [importlib.import_module(module) for module in modules if find_spec(module)]
            found = [entry for module in there for entry in self._in(module) if entry.name == name]
            self._alone[name] = found[0] if found else self[name]
        return self._alone[name]

    def _in(self, module: ModuleType) -> list[E]:
        return [entry for entry in vars(module).values() if isinstance(entry, self._type)]

    def _load(self) -> list[ModuleType]:
        modules = super()._load()
        for module in modules:
            for entry in self._in(module):
                if self._things.get(entry.name) is not entry:
                    self.add(entry.name, entry)
        places = sorted(self._things.values(), key=lambda one: (one.order, one.name))
        self._things = {one.name: one for one in places}
        return modules
