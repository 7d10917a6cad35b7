"""The reference of measures: what a reader needs beside a declaration, one entry per measure.

The entries are the YAML files of this folder, one file per page of the docs: formula as LaTeX, user
model, when to use it, a worked example, references, and the names of the measure in other tools.
`fathom measures` prints and searches them; the docs show them with the formula typeset.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from pipeline.measures.declaration import COMBINATIONS, READINGS, REGISTRY
from pipeline.measures.subtopics import OVER_SUBTOPICS

PAGES = ("sets", "ranks", "dimensions", "diversity", "users")  # in the order of the docs


@dataclass(frozen=True, kw_only=True)
class Example:
    """A measure of the example topic (`example.yaml`), its value and the arithmetic."""

    measure: str
    working: str
    value: float


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What the reference says of one measure or combination."""

    name: str
    page: str
    latex: str  # the formula
    user: str  # who is modelled
    use: str  # when to use it
    example: Example
    bibtex: tuple[str, ...]  # keys in docs/references.bib
    where: str = ""  # what the letters of the formula mean
    elsewhere: Mapping[str, str] = field(default_factory=dict)  # tool -> its name there
    title: str = ""  # of what has no declaration of its own, such as uRBP
    labels: str = ""  # where the declaration does not say all
    keywords: str = ""  # further words that find it
    continuation: str = ""  # LaTeX of C(i), of what is a user model, too

    @property
    def text(self) -> str:
        """All that is searched."""
        others = (f"{tool} {name}" for tool, name in self.elsewhere.items())
        return " ".join((self.name, self.title, self.user, self.use, self.keywords, *others))


@cache
def entries() -> dict[str, Entry]:
    """Every entry by the name of its measure, page by page."""
    return {
        name: Entry(
            name=name,
            page=page,
            **{**about, "example": Example(**about["example"]), "bibtex": tuple(about["bibtex"])},
        )
        for page in PAGES
        for name, about in _read(page).items()
    }


def _read(page: str) -> dict[str, Any]:
    text = (files(__name__) / f"{page}.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return loaded


def example() -> dict[str, Any]:
    """The example topic: its ranking, its labels by dimension and its subtopics."""
    return _read("example")


def title(entry: Entry) -> str:
    """What the measure is called in words."""
    if entry.title:
        return entry.title
    if entry.name in REGISTRY:
        return REGISTRY[entry.name].title
    return (COMBINATIONS.get(entry.name) or OVER_SUBTOPICS[entry.name]).title


def labels(entry: Entry) -> str:
    """Which labels the measure reads: binary or graded, and whether `gain=` changes that."""
    if entry.labels:
        return entry.labels
    declared = REGISTRY[entry.name]
    reads = READINGS[declared.gain]
    if declared.gain == "judged":
        return reads
    if declared.gain != "binary":
        return f"{reads}; `gain=binary` reads them as binary"
    return f"{reads}; `gain=graded` reads graded gains" if declared.graded else reads
