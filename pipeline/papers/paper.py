"""What a paper is: an experiment to run again, the figures it printed, what it needs.

A module in `reruns` with one such function is all a further paper takes, with a table of what was
printed beside it (see `published`): its keys in the config, its files and its page follow.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.config.papers import Paper as Keys
from pipeline.papers.outcome import Outcome
from pipeline.registry import LAST, Catalogue, Entry

Settings = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Given:
    """What a rerun works from: its settings, and results of the campaigns at hand by their role."""

    settings: Settings
    folders: Mapping[str, Path] = field(default_factory=dict)  # role: the campaign's results
    absent: Mapping[str, str] = field(default_factory=dict)  # role: why there is no campaign

    def file(self, role: str, name: str) -> Path:
        """A file of the campaign in a role, one of those the paper declares in `uses`."""
        return self.folders[role] / name


@dataclass(frozen=True, kw_only=True)
class Paper(Entry):
    """A paper; `function` reruns its experiment."""

    function: Callable[[Given], Outcome]
    module: str
    keys: type[Keys] = Keys  # the model of its settings
    uses: Mapping[str, Sequence[str]] = field(default_factory=dict)  # role: files of that campaign
    measures: Mapping[str, Sequence[str]] = field(default_factory=dict)  # role: what they must hold


def paper(
    name: str,
    *,
    title: str,
    citation: str,
    keys: type[Keys] = Keys,
    uses: Mapping[str, Sequence[str]] | None = None,
    measures: Mapping[str, Sequence[str]] | None = None,
    order: int = LAST,
) -> Callable[[Callable[[Given], Outcome]], Paper]:
    """Declare a paper above the function that runs it.

    `keys` is the model of its keys in the config, beside those of all papers. `uses` names the
    campaigns it takes results of, by the role they have in the paper, and which files of each;
    `measures` which measures each must compute, by their full names.
    """
    return lambda function: Paper(
        name=name, title=title, citation=citation, order=order, function=function,
        module=function.__module__, keys=keys, uses=uses or {}, measures=measures or {},
    )  # fmt: skip


PAPERS = Catalogue("paper", "pipeline.papers.reruns", of=Paper)
