"""What a paper is: an experiment to run again, the figures it printed, what it needs.

A module in `reruns` with one such function is all a further paper takes, with a table of what was
printed beside it (see `published`): its keys in the config, its files and its page follow.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.papers.outcome import Outcome
from pipeline.registry import LAST, Catalogue, Entry

Settings = Mapping[str, Any]
Problems = Iterator[tuple[str, str]]


@dataclass(frozen=True, kw_only=True)
class Given:
    """What a rerun works from: its settings, and results of the campaigns at hand by their role."""

    settings: Settings
    folders: Mapping[str, Path] = field(default_factory=dict)  # role: the campaign's results
    absent: Mapping[str, str] = field(default_factory=dict)  # role: why there is no campaign

    def file(self, role: str, name: str) -> Path:
        """A file of the campaign in a role, one of those the paper declares in `uses`."""
        return self.folders[role] / name


def _nothing_wrong(settings: Settings) -> Problems:
    yield from ()


@dataclass(frozen=True, kw_only=True)
class Paper(Entry):
    """A paper; called with what is given it runs its experiment again."""

    function: Callable[[Given], Outcome]
    module: str
    keys: Mapping[str, Settings] = field(default_factory=dict)  # its settings, each with its schema
    uses: Mapping[str, Sequence[str]] = field(default_factory=dict)  # role: files of that campaign
    measures: Mapping[str, Sequence[str]] = field(default_factory=dict)  # role: what they must hold
    problems: Callable[[Settings], Problems] = _nothing_wrong  # a key, and a sentence about it

    def __call__(self, given: Given) -> Outcome:
        """Run it."""
        return self.function(given)


def paper(
    name: str,
    *,
    title: str,
    citation: str,
    keys: Mapping[str, Settings] | None = None,
    uses: Mapping[str, Sequence[str]] | None = None,
    measures: Mapping[str, Sequence[str]] | None = None,
    problems: Callable[[Settings], Problems] = _nothing_wrong,
    order: int = LAST,
) -> Callable[[Callable[[Given], Outcome]], Paper]:
    """Declare a paper above the function that runs it.

    `keys` are its keys in the config, each with its JSON Schema, a description and a default;
    `problems` says what is wrong with their values that no schema can say. `uses` names the
    campaigns it takes results of, by the role they have in the paper, and which files of each;
    `measures` which measures each must compute, by their full names.
    """

    def declare(function: Callable[[Given], Outcome]) -> Paper:
        return Paper(
            name=name,
            title=title,
            citation=citation,
            order=order,
            function=function,
            module=function.__module__,
            keys=keys or {},
            uses=uses or {},
            measures=measures or {},
            problems=problems,
        )

    return declare


PAPERS = Catalogue("paper", "pipeline.papers.reruns", of=Paper)
