"""Published results to recompute."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, FileName, Number, Patterns, Scaled, Section, Text, Unique
from pipeline.config.dimensions import Labels

Policies = Annotated[tuple[Annotated[StrictStr, Choice("audit policy")], ...], Unique]


class OtherLabels(Section):
    """Labels of a dimension from other files; what is not given is the dimension's own."""

    labels: Patterns
    """The other label files, as path, glob, or list of them."""
    scale: Scaled | None = None
    """Their lowest and highest label; the dimension's own when null."""
    threshold: Number | None = None
    """The worst of their labels that still counts in binary measures; the dimension's own when
    null."""


Others = Annotated[Mapping[StrictStr, OtherLabels], Field(min_length=1)]  # by dimension


class Tried(Section):
    """Published results, the sets of policies to try on them, and names of measures."""

    published: Patterns
    """Path, glob, or list of them, plain or gzip: tab-separated, the first line naming the columns
    `run`, `tool` (may be missing), `measure`, `topic` (`all` for the figure over the topics),
    `value`; or one file per run as `trec_eval -q`, ubire and ndeval print them, named after the
    run, with the ending `.ndcg` (from graded labels), `.urbp` (ubire's), `.csv` (ndeval's) or
    none."""
    policies: Policies = Field(
        (
            *("campaign", "score", "score64", "missed", "rank", "documents"),
            *("rank+documents", "ubire", "ndeval"),
        ),
        min_length=1,
    )
    """Sets of policies to try, in this order; ours is under the first, and a value that differs is
    explained by the first set that gives it. Each is the campaign's own (`campaign`) but for:
    another order (`score`, `score64`, `rank`), no unjudged documents (`condensed`), a topic that a
    run misses counts 0 in every figure, also in the number of relevant documents, as trec_eval -c
    has it (`missed`), or is left out, as without -c (`answered`), further dimensions labelled by
    document alone where the first line wins (`documents`), both (`rank+documents`), or all
    conventions of ubire (`ubire`: the rank column with its treatment of ranks of 0, `documents`,
    unjudged documents gain nothing, the topics of the labels) or of ndeval (`ndeval`: the rank
    column, unjudged documents gain nothing, means over the topics that both a run and the labels
    have)."""
    measures: Mapping[StrictStr, Text] = Field({}, json_schema_extra={"x-name": "published"})
    """Our measure for a published one, for example `{"P@5": "P@5", "mytool RBP95": "RBP(p=0.95)"}`
    (the name alone, or tool and name); the names of trec_eval, ubire and ndeval, and our own, are
    known."""


class Published(Tried):
    """The same, with further sets whose labels come from other files."""

    labels: Mapping[FileName, Others] = Field(
        {}, json_schema_extra={"x-name": "set", "x-inner": "dimension"}
    )
    """Further sets to try after those, by name: the campaign's own policies, but some dimensions
    with labels from other files, for a campaign that computed some figures from another file, for
    example `{binary: {topicality: {labels: binary.qrels, scale: [0, 1], threshold: 1}}}`."""


class Audit(Tried):
    """The same, with the labels of further sets as the step reads them."""

    labels: Mapping[str, Mapping[str, Labels]] = {}
