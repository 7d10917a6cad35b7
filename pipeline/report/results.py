"""The results of a campaign as the pages use them, each read from its file when first asked for.

What several sections show (the board, the scores by topic, standings, swaps, checks) is read here,
once; what only one section shows, it reads itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from pipeline.report.board import Board, read_board
from pipeline.report.certainty import Standings, Swap, from_best, read_standings, read_swaps
from pipeline.report.checks import Checks, read_checks
from pipeline.report.judged import read_judged
from pipeline.report.names import slugs
from pipeline.report.provenance import Provenance
from pipeline.report.topic_scores import TopicScores, read_scores
from pipeline.statistics.correlation.means import read_means


@dataclass(frozen=True, kw_only=True)
class Files:
    """The files of a campaign that its pages are made from; what is optional adds to them."""

    means: Path
    scores: Sequence[Path]  # scores/<measure>.parquet
    overall: Sequence[Path] = ()  # overall/<measure>.parquet, for what bounds the means
    checks: Path
    correlations: Path | None = None
    standings: Mapping[str, Path] = field(default_factory=dict)  # significance/runs, by measure
    pairs: Mapping[str, Path] = field(default_factory=dict)  # significance, by measure
    swaps: Path | None = None
    top_documents: Path | None = None
    judged_lists: Path | None = None  # what the page computes from
    labels: Mapping[str, Path] = field(default_factory=dict)  # tables of labels, by dimension
    audit: Path | None = None  # the summary of the audit
    readability: Path | None = None
    pages: Path | None = None  # the summary of the pages
    # What the steps about pools and judgements wrote, by name in the campaign's folder.
    tables: Mapping[str, Path] = field(default_factory=dict)

    def has(self, need: str) -> bool:
        """Whether a field is given, or else a table whose name has this pattern."""
        if need in FIELDS:
            return bool(getattr(self, need))
        return any(fnmatchcase(name, need) for name in self.tables)


FIELDS = frozenset(field.name for field in fields(Files))


def by_name(paths: Iterable[str], *, folder: Path) -> dict[str, Path]:
    """Files by their name in a campaign's folder: pool/topics.csv, sweep.csv."""
    return {Path(path).relative_to(folder).as_posix(): Path(path) for path in paths}


@dataclass(frozen=True, kw_only=True)
class Results:
    """One campaign: its files, how it was made, and what the files hold.

    `contrast` names the two measures the pages contrast: the first orders the leaderboard, the
    second gives the rank arrows. `topics` maps topic ids to their text. `team_pages` says that
    there is a page for each team, to link to.
    """

    campaign: str
    title: str
    contrast: tuple[str, str]
    files: Files
    topics: Mapping[str, str] = field(default_factory=dict)
    provenance: Provenance = field(default_factory=Provenance)
    team_pages: bool = False

    @cached_property
    def board(self) -> Board:
        """Runs, teams, measures, topics and means."""
        means = self.files.means
        return read_board(
            means=read_means(means),
            source=means,
            scores=self.files.scores,
            overall=self.files.overall,
            contrast=self.contrast,
            topics=self.topics,
        )

    @cached_property
    def scores(self) -> TopicScores:
        """The score of every run on every topic."""
        return read_scores(self.files.scores, board=self.board)

    @cached_property
    def standings(self) -> Standings:
        """Intervals and groups of the runs."""
        return read_standings(self.files.standings)

    @cached_property
    def from_best(self) -> Mapping[str, Mapping[str, str]]:
        """By measure, how each run stands to the best one: see `certainty.from_best`."""
        return from_best(self.board, self.standings)

    @cached_property
    def swaps(self) -> Sequence[Swap]:
        """The pairs of runs that the contrasted measures put in opposite order."""
        return read_swaps(self.files.swaps, contrast=self.contrast) if self.files.swaps else []

    @cached_property
    def checks(self) -> Checks:
        """What was odd in the inputs."""
        return read_checks(self.files.checks)

    @cached_property
    def judged(self) -> dict[str, Any] | None:
        """The judged documents of every list, as the page carries them."""
        return read_judged(self.files.judged_lists) if self.files.judged_lists else None

    @cached_property
    def team_files(self) -> dict[str, str]:
        """The file name (without ending) of each team's page, if there are such pages."""
        return slugs(self.board.teams) if self.team_pages else {}
