"""The files of a campaign's results: the one place that knows their names, and how each is read.

`Results(folder)` is used by the rules (whose folder holds the wildcard `{campaign}`), the report,
the comparison of versions, the papers and the API. Methods `read_...` read what a file holds.

Readers are imported where they are used. A step that only needs paths gets them from its rule, so
that its result does not depend on the code of readers it never calls.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import InputError, Problem

if TYPE_CHECKING:
    from pipeline.gains.gains import Gains
    from pipeline.labels.topics import CampaignTopic
    from pipeline.measures.score_table import ScoreTable
    from pipeline.statistics.means import Means

POOL_TABLES = ("topics", "teams", "overlap", "runs")
RELEVATION = ("pool.txt", "queries.txt", "topics.tsv")
REPORT_TABLES = ("means", "contrast", "agreement", "discrimination")
# What a comparison of two versions reads; `fathom keep` copies these.
KEPT = ("means.csv", "config.yaml", "labels/*.parquet", "scores/*.parquet", "significance/*.csv")


@dataclass(frozen=True)
class File:
    """A file or folder of results, by its place below their folder."""

    place: str

    def __get__(self, results: "Results", owner: object) -> Path:
        return results.folder / self.place


@dataclass(frozen=True)
class Each:
    """One file for each measure, dimension, shard, ...: called with the name it stands for."""

    place: str

    def __get__(self, results: "Results", owner: object) -> Callable[..., Path]:
        return lambda *names: results.folder / self.place.format(*names)


@dataclass(frozen=True)
class Results:
    """The results of one campaign, or of one paper, in a folder."""

    folder: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", Path(self.folder))

    @property
    def name(self) -> str:
        return self.folder.name

    def has(self, pattern: str) -> bool:
        """Whether there is a file of this name or pattern, such as `agreement/*.csv`."""
        return any(True for _ in self.folder.glob(pattern))

    # ---- inputs as they were read ---------------------------------------------------------------
    sources = File("sources")  # fetched and generated ones, a folder each
    source = Each("sources/{}")
    rankings = File("rankings.parquet")  # run, topic, rank, document, score: ranked once
    runs = File("runs.json")  # what reading each run showed: its file, lines, repairs
    teams = File("teams.csv")  # the team of each run
    topics = File("topics.tsv")  # the topics, which of them count, and their text
    labels = Each("labels/{}.parquet")  # of one dimension, or of `sets/<dimension>/<set>`
    estimates = Each("estimates/{}.parquet")  # of a dimension that is estimated from the pages
    readability = File("readability.parquet")  # document, words, sentences, ..., the indices
    shard = Each("pages/{}.parquet")  # counts of one shard's pages, and their text where kept
    page_problems = File("pages/problems.csv")  # kind, where, what: documents without a page
    baseline_rankings = File("baselines/rankings.parquet")
    baseline_runs = File("baselines/runs.json")

    # ---- evaluation -----------------------------------------------------------------------------
    gains = Each("gains/{}.npz")  # at every rank of every run, named as labels are
    ties = File("gains/_ties.npz")  # the systems' own scores, and which documents they tied
    costs = File("gains/_costs.npz")  # what every ranked document costs its reader
    relevance_strings = File("relstrings.tsv")  # labels rank by rank (trec_eval -m relstring)
    scores = Each("scores/{}.parquet")  # run, topic, measure, value, lower, upper, by slug
    overall = Each("overall/{}.parquet")  # one figure over the topics for each run, with bounds
    significance = Each("significance/{}.csv")  # every pair of runs tested under one measure
    standings = Each("significance/runs/{}.csv")  # interval and significance groups of each run
    summary = Each("significance/summary/{}.csv")  # one measure's row of significance.csv
    means = File("means.csv")  # one row per run, one column per measure
    correlations = File("correlations.csv")  # how alike any two measures rank the runs
    swaps = File("swaps.parquet")  # pairs of runs that two measures put in opposite order
    discrimination = File("significance.csv")  # how many pairs of runs each measure separates

    # ---- judgements, people, published figures --------------------------------------------------
    pool = File("pool.tsv")  # what assessors should judge
    pool_table = Each("pool/{}.csv")  # one of POOL_TABLES
    pool_qrels = File("pool/judge.qrels")  # the pool, shuffled, in qrels form
    relevation = Each("pool/relevation/{}")  # one of RELEVATION, for that assessment tool
    judging = File("judging")  # the folder of what other judgements would change
    sweep = File("judging/sweep.csv")  # threshold sensitivity
    reusability = Each("judging/reusability/{}.csv")  # leave-one-out: `runs` or `summary`
    agreement = Each("judging/agreement/{}.csv")  # of a dimension's judgement sets
    agreement_swaps = Each("judging/agreement/{}.swaps.csv")  # their effect on the ranking of runs
    variations = Each("judging/variations/{}.csv")  # over query variations: `needs` or `runs`
    people = Each("people/{}.csv")  # measures against people: `measures` or `comparisons`
    audit = File("audit.csv")  # published figures beside ours
    audit_summary = File("audit.json")  # what the report says of the audit

    # ---- what people read -----------------------------------------------------------------------
    checks = File("checks.csv")  # repairs and warnings by run
    check_page = File("check/index.html")  # the input check
    check_table = File("check/problems.csv")
    config = File("config.yaml")  # the campaign's part of the config
    page = File("report/index.html")
    team_pages = File("report/teams")
    figures = File("report/figures")  # the report's charts as SVG and PDF
    tables = File("report/tables")  # tables for a paper, as CSV and LaTeX
    changes_page = File("report/changes.html")  # the comparison with a kept version
    changes = File("changes.csv")
    published = File("published.csv")  # a paper's printed figures beside ours
    available = File("available.json")  # which campaigns a paper does without, and why

    # ---- the workflow's own ---------------------------------------------------------------------
    record = Each("records/{}.json")  # what a step left: its key, and a digest of each file

    # ---- reading --------------------------------------------------------------------------------

    def read_means(self) -> "Means":
        from pipeline.statistics.means import read_means

        return read_means(self.means)

    @cached_property
    def measures(self) -> list[str]:
        """The names of the measures, in the order of the config."""
        return list(self.read_means().measures)

    def read_scores(self, measure: str) -> "ScoreTable":
        """The scores of one measure, by its name or slug, as a matrix of runs by topics."""
        from pipeline.measures import score_table
        from pipeline.measures.measure import slug

        path = self.scores(measure)
        return score_table.read(path if path.is_file() else self.scores(slug(measure)))

    def read_topics(self) -> list["CampaignTopic"]:
        """All topics; `.counts` says which of them every mean is over."""
        from pipeline.labels.topics import read_counted

        return read_counted(self.topics)

    def read_gains(self, dimensions: Sequence[str], *, unjudged: str = "zero") -> "Gains":
        from pipeline.gains.files import read

        return read({name: self.gains(name) for name in dimensions}, unjudged=unjudged)

    @property
    def dimensions(self) -> list[str]:
        """The judged dimensions whose labels are here, by name."""
        return sorted(path.stem for path in self.folder.glob("labels/*.parquet"))

    def read_table(self, path: Path) -> list[dict[str, str]]:
        """A CSV file of the results, one dict per row: significance, correlations, checks, ..."""
        from pipeline.storage import sheets

        return sheets.read(path)

    def read_audit(self) -> Mapping[str, Any]:
        return dict(json.loads(self.audit_summary.read_text(encoding="utf-8")))

    # ---- versions -------------------------------------------------------------------------------

    def kept(self, name: str) -> "Results":
        """The version of these results that `fathom keep` copied under a name."""
        return Results(self.folder / "kept" / name)

    def kept_files(self) -> list[Path]:
        return sorted(path for pattern in KEPT for path in self.folder.glob(pattern))

    def check_comparable(self) -> None:
        """Refuse a folder that a comparison of versions cannot read."""
        if not self.folder.is_dir():
            what = "there is no such folder"
            raise InputError(Problem(self.folder, what, "run 'fathom keep' first"))
        patterns = ("means.csv", "labels/*.parquet", "scores/*.parquet")
        if missing := [pattern for pattern in patterns if not self.has(pattern)]:
            what = f"is not the results folder of a campaign (no {', no '.join(missing)})"
            fix = "name a folder that 'fathom keep' made, or that of a finished campaign"
            raise InputError(Problem(self.folder, what, fix))
