"""The results and settings of a campaign for its report; results are read on first use.

This module reads what several sections show (the board, scores by topic, standings, swaps, checks).
A section reads what only it shows.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.measures import parse
from pipeline.measures.measure import slug
from pipeline.measures.score_table import ScoreTable
from pipeline.report import board as boards
from pipeline.report.board import Board, Standings, Swap
from pipeline.report.checks import Checks, read_checks
from pipeline.report.judged import judged_documents
from pipeline.report.markup import Rows
from pipeline.report.wording import slugs
from pipeline.results import Results
from pipeline.runs.rankings import Rankings
from pipeline.runs.rankings import read as read_rankings
from pipeline.storage.arrays import Floats

GDEVAL = 4  # the highest grade that TREC's gdeval.pl always assumes


class Definition(NamedTuple):
    """The formula and the citation of a measure."""

    formula: str = ""
    citation: str = ""
    highest: float | None = None  # the best grade of ERR's dimension, if it is not gdeval's 4


@dataclass(frozen=True, kw_only=True)
class Provenance:
    """The origin of the results; the page omits what is missing here."""

    command: str = ""  # rebuilds the report
    policies: Mapping[str, Any] = field(default_factory=dict)
    # The scale of each dimension's labels, or its estimate; the first is topicality.
    dimensions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    measures: Mapping[str, Definition] = field(default_factory=dict)
    inputs: Sequence[Mapping[str, Any]] = ()  # of the campaign: path, sha256, bytes
    # Fetched or generated folders, by name.
    sources: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)  # by tool

    @property
    def checksum(self) -> str:
        lines = sorted(f"{file['sha256']}  {file['path']}\n" for file in self.inputs)
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    @property
    def missing(self) -> dict[str, Sequence[str]]:
        lists = ((name, source.get("missing")) for name, source in self.sources.items())
        # A string is the policy of that name, not a list of files.
        return {name: files for name, files in lists if files and not isinstance(files, str)}


def definition(name: str, dimensions: Mapping[str, Mapping[str, Any]]) -> Definition:
    """The definition of a measure, with the highest grade of ERR if gdeval assumes another."""
    measure = parse(name, dimensions=list(dimensions))
    wanted = (part.readings.items() for part in measure.parts if part.declaration.name == "ERR")
    scales = (dimensions[n].get("scale") for n, reading in chain(*wanted) if reading == "stop")
    steps = next((float(max(scale) - min(scale)) for scale in scales if scale), GDEVAL)
    return Definition(measure.formula, measure.citation, None if steps == GDEVAL else steps)


@dataclass(frozen=True, kw_only=True)
class Report:
    """One campaign; the first of the two measures in `contrast` orders the leaderboard.

    `files` are the files and folders of the results that belong to this campaign; None: all.
    `relevant` is the dimension whose labels define relevant documents.
    """

    results: Results
    title: str
    contrast: tuple[str, str]
    provenance: Provenance = field(default_factory=Provenance)
    files: frozenset[Path] | None = None
    alpha: float = 0.05
    unjudged: str = "zero"  # the policy
    relevant: str | None = None

    @property
    def confidence(self) -> str:
        """The level of the confidence intervals, such as '95 %'."""
        return f"{100 * (1 - self.alpha):g} %"

    def has(self, *paths: Path) -> bool:
        """Whether all these files belong to the campaign."""
        files = self.files
        belongs = (files is None or not files.isdisjoint((path, *path.parents)) for path in paths)
        return all(belongs) and all(path.is_file() for path in paths)

    def rows(self, path: Path) -> Rows:
        """A table of the results, row by row; empty if the campaign does not have it."""
        return self.results.read_table(path) if self.has(path) else []

    def tables(self, *paths: Path) -> list[Rows] | None:
        """Several tables of the results; None if the campaign does not have one of them."""
        return [self.rows(path) for path in paths] if self.has(*paths) else None

    @cached_property
    def board(self) -> Board:
        results = self.results
        return boards.read_board(
            results.read_means(),
            scores=self._score_tables,
            overall=self._by_measure(results.overall),
            contrast=self.contrast,
            texts={t.id: t.text for t in results.read_topics()} if self.has(results.topics) else {},
        )

    @cached_property
    def scores(self) -> Mapping[str, Floats]:
        """By measure, the scores [run, topic] in the order of the board."""
        return {name: self.board.in_order(table) for name, table in self._score_tables.items()}

    @cached_property
    def _score_tables(self) -> Mapping[str, ScoreTable]:
        return {n: self.results.read_scores(n) for n in self._by_measure(self.results.scores)}

    def _by_measure(self, path: Callable[[str], Path]) -> dict[str, Path]:
        files = {name: path(slug(name)) for name in self.results.measures}
        return {name: file for name, file in files.items() if self.has(file)}

    @cached_property
    def pairs(self) -> Mapping[str, Path]:
        return self._by_measure(self.results.significance)

    @cached_property
    def standings(self) -> Standings:
        return boards.read_standings(self._by_measure(self.results.standings))

    @cached_property
    def from_best(self) -> Mapping[str, Mapping[str, str]]:
        return boards.from_best(self.board, self.standings)

    @cached_property
    def swaps(self) -> Sequence[Swap]:
        path = self.results.swaps
        return boards.read_swaps(path, contrast=self.contrast) if self.has(path) else []

    @cached_property
    def checks(self) -> Checks:
        return read_checks(self.results.checks)

    @cached_property
    def rankings(self) -> Rankings:
        return read_rankings(self.results.rankings, topics=[t.id for t in self.board.topics])

    @cached_property
    def judged(self) -> dict[str, Any] | None:
        results, dimensions = self.results, self.dimensions
        if not dimensions or not self.has(results.rankings, *map(results.gains, dimensions)):
            return None
        first, condensed = dimensions[0], self.unjudged == "condensed"
        return judged_documents(
            results.read_gains(dimensions, unjudged=self.unjudged),
            self.rankings,
            measures=self.board.measures,
            condensed=results.read_gains([first]).dimensions[first] if condensed else None,
            alpha=self.alpha,
        )

    @property
    def dimensions(self) -> list[str]:
        """The dimensions, in the order of the config."""
        return list(self.provenance.dimensions)

    @cached_property
    def labels(self) -> Mapping[str, Path]:
        """By dimension, the table of its labels."""
        folders = (self.results.labels, self.results.estimates)
        files = [(name, folder(name)) for name in self.dimensions for folder in folders]
        return {name: path for name, path in files if self.has(path)}

    @cached_property
    def team_files(self) -> dict[str, str]:
        """The file name (without ending) of each team's page."""
        return slugs(self.board.teams)
