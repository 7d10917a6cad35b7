"""A campaign as the file has it, and the file as a whole."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, StrictStr

from pipeline.config.audit import Published
from pipeline.config.base import (
    FileName,
    Flag,
    Kind,
    Matching,
    Patterns,
    Section,
    Text,
    Unique,
    group,
)
from pipeline.config.baselines import Baseline
from pipeline.config.correlations import Correlations
from pipeline.config.fusion import Fusion
from pipeline.config.judging import Agreement
from pipeline.config.pages import Pages
from pipeline.config.people import Comparison
from pipeline.config.policies import Policies
from pipeline.config.pool import Plan
from pipeline.config.report import Report
from pipeline.config.runs import Runs
from pipeline.config.significance import Significance
from pipeline.config.sources import Fetch
from pipeline.config.topics import Costs, Topics

Variable = Annotated[
    StrictStr,
    Matching(
        "[A-Za-z][A-Za-z0-9_]*",
        "start with a letter and hold only letters, digits and '_', because measures name it",
    ),
]


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
