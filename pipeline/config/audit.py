"""Published results to recompute."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, FileName, Number, Patterns, Scaled, Section, Text, Unique
from pipeline.config.dimensions import Labels

Policies = Annotated[tuple[Annotated[StrictStr, Choice("audit policy")], ...], Unique]


class OtherLabels(Section):
    """Labels of a dimension from other files; other settings are those of the dimension."""

    labels: Patterns
    """Path, glob, or a list of them, of the other label files."""
    scale: Scaled | None = None
    """Lowest and highest label; as in the dimension when null."""
    threshold: Number | None = None
    """Worst label that still counts in binary measures; as in the dimension when null."""


Others = Annotated[Mapping[StrictStr, OtherLabels], Field(min_length=1)]  # by dimension


class AuditKeys(Section):
    """Published results, the sets of policies to try, and names of measures."""

    published: Patterns
    """Path, glob, or a list of them, plain or gzip. Either tables with tabs and the columns `run`,
    `tool` (optional), `measure`, `topic` (`all` for the figure over all topics) and `value`; or the
    output of `trec_eval -q`, ubire or ndeval, one file per run, named after the run: without an
    ending or `.ndcg` (graded labels) from trec_eval, `.urbp` from ubire, `.csv` from ndeval."""
    policies: Policies = Field(
        (
            *("campaign", "score", "score64", "missed", "rank", "documents"),
            *("rank+documents", "ubire", "ndeval"),
        ),
        min_length=1,
    )
    """Sets of policies to try, in this order. The first gives the value that Fathom prints; a
    different published value is explained by the first set that gives it. Each set changes the
    policies of the campaign in what it names."""
    measures: Mapping[StrictStr, Text] = Field({}, json_schema_extra={"x-name": "published"})
    """Measures for published names, for example `{"mytool RBP95": "RBP(p=0.95)"}` (the name alone,
    or tool and name). Fathom knows its own names and those of trec_eval, ubire and ndeval."""


class Published(AuditKeys):
    """The keys of `audit`: further sets have labels from other files."""

    labels: Mapping[FileName, Others] = Field(
        {}, json_schema_extra={"x-name": "set", "x-inner": "dimension"}
    )
    """Further sets to try after `policies`, by name: the policies of the campaign, with labels of
    some dimensions from other files."""


class Audit(AuditKeys):
    """What the step reads: the labels of further sets with their scales."""

    labels: Mapping[str, Mapping[str, Labels]] = {}
