"""The config file as a whole: a campaign, and those of its sections that no step reads alone."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, StrictStr

from pipeline.config.audit import Published
from pipeline.config.base import (
    Choice,
    FileName,
    Flag,
    Kind,
    Matching,
    Mistakes,
    Number,
    Patterns,
    Section,
    Seed,
    Text,
    Unique,
    Whole,
    group,
)
from pipeline.config.fusion import Fusion
from pipeline.config.people import Comparison
from pipeline.config.policies import DEFAULTS, BadScores, Duplicates, Order, Unjudged
from pipeline.config.pool import Agreement, Plan
from pipeline.config.runs import Runs
from pipeline.config.topics import Baseline, Costs, Topics

Variable = Annotated[
    StrictStr,
    Matching(
        "[A-Za-z][A-Za-z0-9_]*",
        "start with a letter and hold only letters, digits and '_', because measures name it",
    ),
]


class Fetch(Section):
    """Where sources are taken from and kept; it changes no result."""

    mirror: Text | None = None
    """A folder with repositories as `<host>/<owner>/<name>`, git repositories or plain files, and
    fetched files as `<host>/<path>`, to work without a network. The environment's `FATHOM_MIRROR`
    takes precedence."""
    cache: Text | None = None
    """The folder that keeps what was fetched, for all campaigns; the user's cache folder when null.
    The environment's `FATHOM_CACHE` takes precedence."""
    deadline: Number = Field(3600, ge=1)
    """The most seconds that fetching one source may take."""
    limit: Number = Field(10, gt=0)
    """The most gigabytes that a fetched file, or what an archive unpacks to, may have."""


class Pages(Section):
    """Where the web pages are, which are needed, and how they are read."""

    files: Patterns
    """Path, glob (`**` crosses folders), or list of them: WARC files (`.warc`, `.warc.gz`), CLEF's
    `.dat` files (or `.dat.gz`), or single pages, plain or gzip, whose document id is the file name
    without `.gz` and `.html` or `.htm`."""
    documents: Literal["all", "retrieved", "pooled"] = "all"
    """Which pages to clean: `all` there are, those `retrieved` by a run down to `depth`, or the
    `pooled` ones. Those that are needed and missing are listed in `pages/problems.csv`."""
    depth: Whole | None = Field(None, ge=1)
    """Ranks that count as retrieved; `policies.depth` when null. Only with `retrieved`."""
    method: Annotated[StrictStr, Choice("cleansing method")] = "blocks"
    """How to find a page's text: {choices}. docs/cleansing.md explains `blocks` and compares
    them."""
    language: StrictStr | None = "en"
    """The language the pages should be in, by its code (`en`); a page in another one gets the
    reason `language` and no readability. Null accepts every page. The indices are for English."""
    keep_text: Flag = False
    """Whether the text of the pages is kept, in the column `text` of `pages/*.parquet`. Without it
    the text goes straight into counting; baselines, which search it, keep it in any case."""
    sentence_ends: Flag = True
    """Whether the end of a block (heading, list item, cell) ends a sentence, or only punctuation
    does."""
    engine: Annotated[StrictStr, Choice("readability engine")] = "fathom"
    """Which code counts: `fathom` (FOG exactly as equation 5 of Zuccon, ECIR 2016), `textstat`
    (exempts easy words and splits at every full stop), or `textstat_counts` (its counts in our
    formulas). docs/cleansing.md compares them."""
    seconds: Number = Field(10, ge=0.1)
    """The longest one page may take; then it is left out, with the reason `timeout`."""
    shards: Whole | None = Field(None, ge=1, le=10000)
    """Jobs the collection is split into; each uses one core, and its memory does not grow with the
    collection. When null 2, and one for each 500 MB or 20,000 files if that is more; files of a
    source do not count."""

    def problems(self) -> Mistakes:
        """A depth is of what runs retrieved."""
        if self.depth is not None and self.documents != "retrieved":
            yield ("depth",), "has no meaning without documents: retrieved", "remove it"


class Policies(Section):
    """How rankings, unjudged documents, ties and topics are treated."""

    order: Order = DEFAULTS.order
    """Rank order: `score` (descending, compared as 32-bit floats, ties by document id descending,
    as trec_eval 9), `score64` (the same with 64-bit floats, as trec_eval 10), or `rank` (the file's
    own column)."""
    duplicates: Duplicates = DEFAULTS.duplicates
    """A document twice in one topic of a run is an `error`, or only its `first` (best ranked) place
    stays."""
    bad_scores: BadScores = DEFAULTS.bad_scores
    """A NaN or infinite score is an `error`, or goes `last` in its topic."""
    unknown_topics: Literal["drop", "error"] = "drop"
    """Lines of a run on a topic that does not count: `drop` them or stop with an `error`."""
    unjudged: Unjudged = DEFAULTS.unjudged
    """An unjudged document has gain `zero`, or is left out of the ranking (`condensed`)."""
    ties: Literal["report", "ignore"] = "report"
    """Documents with one score can stand in any order. `report` says what that could have made of
    each value (worst, expected, best), `ignore` does not."""
    depth: Whole = Field(DEFAULTS.depth, ge=1)
    """Documents kept per run and topic."""
    topics: Literal["labels", "topics"] = "labels"
    """The topics that count, in every mean: those in the `labels` of the first labelled dimension,
    or those of the `topics` file."""


class Correlations(Section):
    """Which statistics compare two measures' rankings, their settings, and the bootstrap's."""

    statistics: Annotated[tuple[Annotated[StrictStr, Choice("statistic")], ...], Unique] = Field(
        (
            *("tau_b", "tau_ap", "tau_a", "tau_ap_b", "spearman", "pearson"),
            *("rbo_a", "rbo_b", "rbo_w", "top_overlap", "ubire_overlap"),
        ),
        min_length=1,
    )
    """Kendall's `tau_b` and `tau_a`; AP correlation `tau_ap` (Yilmaz et al. 2008; ties averaged)
    and `tau_ap_b` (Urbano & Marrero 2017); `spearman`; `pearson` of the scores; rank-biased overlap
    `rbo_a`, `rbo_b`, `rbo_w` (Corsi & Urbano 2024); `top_overlap`; `ubire_overlap`, the mean
    overlap of the two top-i sets, which ubire prints as tau_AP and which is higher."""
    persistence: Number = Field(0.9, ge=0.01, le=0.9999)
    """Persistence p of rank-biased overlap."""
    depth: Whole = Field(10, ge=1)
    """Depth of `top_overlap`, in runs."""
    samples: Whole = Field(1000, ge=0)
    """Sets of topics drawn with replacement for the 95 % intervals of each statistic; 0 for
    none."""
    seed: Seed = 1
    """Seed of the draws; the same seed gives the same intervals."""


class Significance(Section):
    """How runs are tested against each other under each measure."""

    alpha: Number = Field(0.05, ge=0.0001, le=0.5)
    """Level of every test; intervals cover 1 - alpha."""
    permutations: Whole = Field(10_000, ge=10_000)
    """Shuffles of the randomised Tukey HSD, and fewest sign flips of the paired permutation test
    (which draws more where Holm's correction of many pairs needs them)."""
    samples: Whole = Field(10_000, ge=1000)
    """Sets of topics drawn with replacement for the bootstrap intervals of the means."""
    seed: Seed = 1
    """Seed of all draws; the same seed gives the same p."""


class Report(Section):
    """What is plotted, and what the results are compared with."""

    scatter: Annotated[tuple[Text, ...], Field(min_length=2, max_length=2)] | None = None
    """The two measures plotted against each other; the first two of `measures` when null."""
    against: Text | None = None
    """An earlier version of these results, to report what changed since on a page of its own,
    `report/changes.html`, and in `changes.csv`. A folder that `fathom keep` made, or the results
    folder of another campaign on the same runs."""


class Written(Section):
    """One campaign of a config file."""

    # A field with an alias is as written; `pipeline.campaign.model.Campaign` has under the name of
    # the key what it stands for, for example parsed measures.

    title: StrictStr | None = None
    """The campaign's title in the report; the campaign's name when null."""
    source_keys: Mapping[FileName, Annotated[Any, Kind("sources")]] = Field(
        {}, alias="sources", json_schema_extra={"x-name": "source"}
    )
    """Folders made by a job before anything else, named in any path as `"@<source>/..."`."""
    fetch: Fetch | None = None
    """Where sources are taken from and kept; it changes no result, so changing it rebuilds
    nothing."""
    runs: Runs
    """The submitted runs."""
    topics: Topics | None = None
    """The queries, to show in the report and, if `policies.topics` says so, to decide which topics
    count."""
    pages: Pages | None = None
    """The documents' web pages, for estimated dimensions."""
    costs: Costs | None = None
    """What each document costs its reader, for the C/W/L figures EC and ETC and for the models that
    spend time; without it every document costs 1."""
    dimension_keys: Mapping[Variable, Annotated[Any, Kind("dimensions")]] = Field(
        alias="dimensions", min_length=1, json_schema_extra={"x-name": "dimension"}
    )
    """The dimensions of relevance, by name; each has either `labels` or `estimate`."""
    policies: Policies = Policies()
    """The choices real campaigns differ in; each is printed in the report."""
    pool: Plan = Plan()
    """The pool: what assessors should judge."""
    fusion: Mapping[FileName, Fusion] = Field({}, json_schema_extra={"x-name": "system"})
    """Systems made by fusing the runs, by name; each joins the campaign as another run."""
    baselines: Mapping[FileName, Baseline] = Field({}, json_schema_extra={"x-name": "system"})
    """Systems made by searching the pages with the topics, by name; each joins the campaign as the
    run `baseline:<system>`, which belongs to no team. They need topics, and `pages` with documents
    all."""
    sweep: Flag = True
    """Whether to report threshold sensitivity: how the ranking of systems changes with each
    dimension's threshold or gain map."""
    reusability: Annotated[tuple[Literal["team", "run"], ...], Unique] | None = None
    """What is left out in turn, `team` or `run`, to see how it would be ranked had it not
    contributed to the pool; both (teams if `runs.team` names them) when null, nothing when `[]`."""
    rescored_texts: Annotated[tuple[StrictStr, ...], Field(min_length=1)] | None = Field(
        None, alias="rescored"
    )
    """Those of `measures` that `sweep` and `reusability` recompute under other judgements, all when
    null; few make a large campaign faster, above all without measures that ir_measures computes."""
    agreement: Agreement = Agreement()
    """How the judgement `sets` of a dimension are compared."""
    variations: (
        Annotated[StrictStr, group(r"put the need in brackets, for example '^(\d{3})'")] | None
    ) = None
    """Regular expression searched in a topic's id; its first group is the information need of which
    the query is a variation (CLEF 2016 had six queries per need). Scores are then also reported per
    need."""
    preferences: Patterns | None = None
    """People's preferences between runs, as path, glob, or list of them, plain or gzip: lines of
    topic, run, other run, and the preferred of the two or `tie` (and the person, where several
    answer the same); how often each measure agrees is in `people/`."""
    satisfaction: Patterns | None = None
    """People's ratings of runs, likewise: lines of topic, run and rating, a number, higher for
    better (and the person, where several rate the same; their ratings are averaged)."""
    comparison: Comparison = Field(Comparison(), alias="people")
    """How measures are compared with `preferences` and `satisfaction`."""
    measure_texts: tuple[Text, ...] = Field(alias="measures", min_length=1)
    """What to compute, each as text in quotes, for example `"RBP(p=0.8)"` or `"nDCG@10"`."""
    measures_from: Annotated[tuple[Text, ...], Unique] = ()
    """Python files that declare own measures and user models, for example `[my_measures.py]`; each
    is executed wherever a measure it declares is computed, and editing it recomputes those."""
    published: Published | None = Field(None, alias="audit")
    """Published results to recompute, into `audit.csv` and the report."""
    correlations: Correlations = Correlations()
    """Rank correlations between measures, pairwise, and the runs they swap."""
    significance: Significance = Significance()
    """Which runs differ under each measure, by more than the choice of topics explains."""
    report: Report = Report()
    """Options of the report."""


class ConfigFile(Section):
    """A config file: campaigns and papers, each in a results folder of its name."""

    campaigns: Mapping[FileName, Written] = Field({}, json_schema_extra={"x-name": "campaign"})
    """The campaigns to run, by name; each lives apart under `results/<campaign>/`. Needed unless
    there are `papers`."""
    papers: Mapping[FileName, Annotated[Any, Kind("papers")]] = Field(
        {}, json_schema_extra={"x-name": "paper"}
    )
    """Published experiments to rerun, by name; each lives apart under `results/<paper>/`. Campaigns
    they use are only computed as far as they need them."""
