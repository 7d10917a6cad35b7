"""The choices real campaigns differ in; each is printed in the report."""

from typing import Literal

from pydantic import Field

from pipeline.config.base import Section, Whole


class Policies(Section):
    """How rankings, unjudged documents, ties and topics are treated."""

    order: Literal["score", "score64", "rank"] = "score"
    """Rank order: `score` (descending, compared as 32-bit floats, ties by document id descending,
    as trec_eval 9), `score64` (the same with 64-bit floats, as trec_eval 10), or `rank` (the file's
    own column)."""
    duplicates: Literal["error", "first"] = "error"
    """A document twice in one topic of a run is an `error`, or only its `first` (best ranked) place
    stays."""
    bad_scores: Literal["error", "last"] = "error"
    """A NaN or infinite score is an `error`, or goes `last` in its topic."""
    unknown_topics: Literal["drop", "error"] = "drop"
    """Lines of a run on a topic that does not count: `drop` them or stop with an `error`."""
    unjudged: Literal["zero", "condensed"] = "zero"
    """An unjudged document has gain `zero`, or is left out of the ranking (`condensed`)."""
    ties: Literal["report", "ignore"] = "report"
    """Documents with one score can stand in any order. `report` says what that could have made of
    each value (worst, expected, best), `ignore` does not."""
    depth: Whole = Field(1000, ge=1)
    """Documents kept per run and topic."""
    topics: Literal["labels", "topics"] = "labels"
    """The topics that count, in every mean: those in the `labels` of the first labelled dimension,
    or those of the `topics` file."""
