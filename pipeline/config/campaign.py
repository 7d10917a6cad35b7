"""The config file: campaigns, with the sections that have no module of their own, and papers."""

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
    """How sources are fetched. These keys do not change results."""

    mirror: Text | None = None
    """Folder to take sources from, to work without a network: repositories in
    `<host>/<owner>/<name>`, as git repositories or plain folders, and files in `<host>/<path>`. The
    environment variable `FATHOM_MIRROR` takes precedence."""
    cache: Text | None = None
    """Folder that keeps fetched files for all campaigns; the user's cache folder when null. The
    environment variable `FATHOM_CACHE` takes precedence."""
    deadline: Number = Field(3600, ge=1)
    """Longest time to fetch one source, in seconds."""
    limit: Number = Field(10, gt=0)
    """Largest size of a fetched file or an unpacked archive, in gigabytes."""


class Pages(Section):
    """The web pages: files, selection, cleansing and counting."""

    files: Patterns
    """Path, glob (`**` crosses folders), or a list of them: WARC files (`.warc`, `.warc.gz`), CLEF
    `.dat` files (or `.dat.gz`), or single pages, plain or gzip. The document id of a single page is
    its file name without `.gz` and `.html` or `.htm`."""
    documents: Literal["all", "retrieved", "pooled"] = "all"
    """Pages to read: `all`, those `retrieved` by a run down to `depth`, or the `pooled` ones.
    Fathom lists missing pages in `pages/problems.csv`."""
    depth: Whole | None = Field(None, ge=1)
    """Ranks that count as retrieved, with `documents: retrieved`; `policies.depth` when null."""
    method: Annotated[StrictStr, Choice("cleansing method")] = "blocks"
    """How the text of a page is separated from its boilerplate."""
    language: StrictStr | None = "en"
    """Language code of the pages. A page in another language gets no readability, with the reason
    `language`. Null accepts all pages. The readability indices are for English."""
    keep_text: Flag = False
    """Whether to keep the text of the pages, in the column `text` of `pages/*.parquet`. Baselines
    search the text, so they keep it in any case."""
    sentence_ends: Flag = True
    """Whether a sentence also ends with its block (heading, list item, cell), not only at
    punctuation."""
    engine: Annotated[StrictStr, Choice("readability engine")] = "fathom"
    """What counts words, sentences and syllables: `fathom` (FOG exactly as equation 5 of Zuccon,
    ECIR 2016), `textstat` (exempts easy words, splits at every full stop), or `textstat_counts`
    (counts of textstat in the formulas of Fathom)."""
    seconds: Number = Field(10, ge=0.1)
    """Longest time to read one page, in seconds. A slower page gets the reason `timeout`."""
    shards: Whole | None = Field(None, ge=1, le=10000)
    """Number of jobs that read the pages. Each uses one core, and its memory does not grow with the
    collection. When null, one per 500 MB or 20,000 files, at least 2; files of a source do not
    count."""

    def problems(self) -> Mistakes:
        """A depth needs runs that retrieve."""
        if self.depth is not None and self.documents != "retrieved":
            yield ("depth",), "has no meaning without documents: retrieved", "remove it"


class Policies(Section):
    """Conventions of evaluation: rankings, unjudged documents, ties and topics."""

    order: Order = DEFAULTS.order
    """Order of documents: by descending `score` as a 32-bit float, ties by document id descending
    (trec_eval 9); `score64`, the same with 64-bit floats (trec_eval 10); or the `rank` column."""
    duplicates: Duplicates = DEFAULTS.duplicates
    """A document that is twice in a ranking is an `error`, or only the `first` (best ranked)
    occurrence counts."""
    bad_scores: BadScores = DEFAULTS.bad_scores
    """A NaN or infinite score is an `error`, or is ranked `last`."""
    unknown_topics: Literal["drop", "error"] = "drop"
    """Lines of a run on topics that do not count: `drop` them or stop with an `error`."""
    unjudged: Unjudged = DEFAULTS.unjudged
    """An unjudged document has gain `zero`, or is removed from the ranking (`condensed`)."""
    ties: Literal["report", "ignore"] = "report"
    """The order of documents with equal scores is arbitrary. `report` gives the worst, expected and
    best value of each score over these orders; `ignore` does not."""
    depth: Whole = Field(DEFAULTS.depth, ge=1)
    """Documents kept per ranking."""
    topics: Literal["labels", "topics"] = "labels"
    """Topics that every mean is over: those in the `labels` of the first labelled dimension, or
    those of the `topics` file."""


class Correlations(Section):
    """Rank correlations between measures."""

    statistics: Annotated[tuple[Annotated[StrictStr, Choice("statistic")], ...], Unique] = Field(
        (
            *("tau_b", "tau_ap", "tau_a", "tau_ap_b", "spearman", "pearson"),
            *("rbo_a", "rbo_b", "rbo_w", "top_overlap", "ubire_overlap"),
        ),
        min_length=1,
    )
    """Statistics to compute for each pair of measures."""
    persistence: Number = Field(0.9, ge=0.01, le=0.9999)
    """Persistence p of rank-biased overlap."""
    depth: Whole = Field(10, ge=1)
    """Number of runs that `top_overlap` compares."""
    samples: Whole = Field(1000, ge=0)
    """Bootstrap samples of topics for the 95 % intervals of each statistic; 0 for none."""
    seed: Seed = 1
    """Seed of the bootstrap."""


class Significance(Section):
    """Significance tests between runs."""

    alpha: Number = Field(0.05, ge=0.0001, le=0.5)
    """Significance level of every test; confidence intervals have the level 1 - alpha."""
    permutations: Whole = Field(10_000, ge=10_000)
    """Permutations of the randomised Tukey HSD test, and least number of the paired permutation
    test, which draws more where Holm's correction of many pairs needs them."""
    samples: Whole = Field(10_000, ge=1000)
    """Bootstrap samples of topics for the confidence intervals of the means."""
    seed: Seed = 1
    """Seed of permutations and bootstrap."""


class Report(Section):
    """Options of the report."""

    scatter: Annotated[tuple[Text, ...], Field(min_length=2, max_length=2)] | None = None
    """Two measures to plot against each other; the first two of `measures` when null."""
    against: Text | None = None
    """Baseline version to compare these results with, in `report/changes.html` and `changes.csv`: a
    folder that `fathom keep` made, or the results folder of another campaign on the same runs."""


class CampaignKeys(Section):
    """One campaign of a config file."""

    # A field with an alias holds the value as written. `pipeline.campaign.model.Campaign` has the
    # parsed value, for example the measures, under the name of the key.

    title: StrictStr | None = None
    """Title of the report; the name of the campaign when null."""
    source_keys: Mapping[FileName, Annotated[Any, Kind("sources")]] = Field(
        {}, alias="sources", json_schema_extra={"x-name": "source"}
    )
    """Folders that Fathom fetches or generates; any path can name one as `"@<source>/..."`."""
    fetch: Fetch | None = None
    """How sources are fetched. These keys do not change results, so a change rebuilds nothing."""
    runs: Runs
    """The submitted runs."""
    topics: Topics | None = None
    """The topics with their queries, for the report, `pool`, `baselines` and `policies.topics`."""
    pages: Pages | None = None
    """The web pages of the documents, for estimated dimensions and `baselines`."""
    costs: Costs | None = None
    """Cost of reading each document, for the C/W/L figures EC and ETC and for time-based user
    models; 1 for every document when null."""
    dimension_keys: Mapping[Variable, Annotated[Any, Kind("dimensions")]] = Field(
        alias="dimensions", min_length=1, json_schema_extra={"x-name": "dimension"}
    )
    """The dimensions of relevance, by name; each has either `labels` or `estimate`. Measures read
    the first one unless they name another."""
    policies: Policies = Policies()
    """Conventions of evaluation; the report prints each."""
    pool: Plan = Plan()
    """The pool: the documents that assessors should judge."""
    fusion: Mapping[FileName, Fusion] = Field({}, json_schema_extra={"x-name": "system"})
    """Fused systems, by name; each joins the campaign as another run."""
    baselines: Mapping[FileName, Baseline] = Field({}, json_schema_extra={"x-name": "system"})
    """Baseline systems that search the pages for the topics, by name; each joins the campaign as
    the run `baseline:<system>`, without a team. They need `topics`, and `pages` with `documents:
    all`."""
    sweep: Flag = True
    """Whether to report threshold sensitivity: how the ranking of runs changes with the threshold
    or gain mapping of each dimension."""
    reusability: Annotated[tuple[Literal["team", "run"], ...], Unique] | None = None
    """Units of the leave-one-out analysis of the pool: `team`, `run`, or both. When null both, or
    only `run` without `runs.team`; none when `[]`."""
    rescored_texts: Annotated[tuple[StrictStr, ...], Field(min_length=1)] | None = Field(
        None, alias="rescored"
    )
    """Those of `measures` that `sweep` and `reusability` recompute under other labels; all when
    null. A few make a large campaign faster, most of all without measures of ir_measures."""
    agreement: Agreement = Agreement()
    """How the judgement `sets` of a dimension are compared."""
    variations: (
        Annotated[StrictStr, group(r"put the need in brackets, for example '^(\d{3})'")] | None
    ) = None
    """Regular expression searched in a topic id, for query variations: its first group is the
    information need. Fathom then also reports scores per need."""
    preferences: Patterns | None = None
    """Files of preferences between runs: path, glob, or a list of them, plain or gzip. A line has
    topic, run, other run, the preferred run or `tie`, and optionally the person."""
    satisfaction: Patterns | None = None
    """Files of satisfaction ratings: path, glob, or a list of them, plain or gzip. A line has
    topic, run, rating (a number; higher is better) and optionally the person; ratings of several
    persons are averaged."""
    comparison: Comparison = Field(Comparison(), alias="people")
    """How measures are compared with `preferences` and `satisfaction`."""
    measure_texts: tuple[Text, ...] = Field(alias="measures", min_length=1)
    """Measures to compute, for example `"RBP(p=0.8)"` or `nDCG@10`. A measure with a comma needs
    quotes."""
    measures_from: Annotated[tuple[Text, ...], Unique] = ()
    """Python files that declare your own measures and user models, for example `[my_measures.py]`.
    Editing a file recomputes its measures."""
    published: Published | None = Field(None, alias="audit")
    """Published results to recompute and compare, in `audit.csv` and the report."""
    correlations: Correlations = Correlations()
    """Pairwise rank correlations between measures, and the runs they swap."""
    significance: Significance = Significance()
    """Significance tests between runs under each measure."""
    report: Report = Report()
    """Options of the report."""


class ConfigFile(Section):
    """A config file: campaigns and papers, each in a results folder of its name."""

    campaigns: Mapping[FileName, CampaignKeys] = Field({}, json_schema_extra={"x-name": "campaign"})
    """Campaigns, by name; the results of each are in `results/<campaign>/`. Required unless there
    are `papers`."""
    papers: Mapping[FileName, Annotated[Any, Kind("papers")]] = Field(
        {}, json_schema_extra={"x-name": "paper"}
    )
    """Published experiments to rerun, by name; the results of each are in `results/<paper>/`.
    Fathom computes only those results of a campaign that its paper uses."""
