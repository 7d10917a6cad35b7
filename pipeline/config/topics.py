"""The topics file, systems that search with it, and what documents cost their reader."""

import re
from typing import Annotated, Literal

from pydantic import Field, StrictStr

from pipeline.config.base import (
    Choice,
    Element,
    Expression,
    Mistakes,
    Number,
    OneFile,
    Section,
    Text,
    Unique,
    Whole,
)


class Rename(Section):
    """How the file's topic ids become those of the labels."""

    match: Expression = Field(min_length=1)
    """Regular expression searched in a topic id."""
    replace: StrictStr
    r"""What the match becomes; `\1` is its first group. If ids become equal, the first topic
    stays."""

    def problems(self) -> Mistakes:
        """The replacement may use groups of the match."""
        try:
            re.compile(self.match).sub(self.replace, "")
        except (re.error, IndexError) as error:
            what = f"'{self.replace}' cannot be used ({error})"
            yield ("replace",), what, "use a group of the match"


class Topics(Section):
    """The topics file, and how its ids become those of the labels."""

    file: OneFile
    """One file, CLEF XML, TREC topics, or `id<TAB>query` lines, plain or gzip."""
    query: Element | None = None
    """The element with the query, if it is not the usual one: `en` where a topic has one element
    for each language. The first of `title`, `query`, `desc` and `description` when null."""
    id: Rename | None = None
    """How to turn the file's topic ids into those of the labels, if they differ."""


class Costs(Section):
    """What documents cost their reader: the file, and the cost of those it does not list."""

    file: Text
    """File of two columns, document and cost."""
    usual: Number = Field(1, gt=0)
    """The cost of a document the file does not list."""


class Baseline(Section):
    """A baseline: the model, what only some models read, and what goes in and comes out."""

    model: Annotated[StrictStr, Choice("retrieval model")]
    """How documents are scored, by PISA: {choices}."""
    fields: Annotated[tuple[Element, ...], Unique] = ()
    """The parts of a topic that make the query, one after the other, as the topics file calls its
    elements: `[title, description, narrative]` (`desc` and `narr` are the same). The topic's own
    query, as `topics.query` has it, when empty."""
    stemmer: Literal["porter2", "krovetz", "none"] = "porter2"
    """The stemmer of pages and topics, or `none`."""
    stopwords: Literal["terrier", "lucene", "none"] = "terrier"
    """The list of words that are left out of the queries, or `none`."""
    k1: Number = Field(0.9, ge=0)
    """Saturation of term frequency (BM25)."""
    b: Number = Field(0.4, ge=0, le=1)
    """Length normalisation (BM25)."""
    mu: Number = Field(1000, ge=0.001)
    """Words of the collection mixed into each page (QLD)."""
    c: Number = Field(1, ge=0.001)
    """Length normalisation (PL2)."""
    depth: Whole | None = Field(None, ge=1)
    """Documents kept per topic; as `policies.depth` when null."""
