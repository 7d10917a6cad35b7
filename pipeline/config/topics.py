"""The topics file, baselines that search with it, and costs of documents."""

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
    """How topic ids of the file become those of the labels."""

    match: Expression = Field(min_length=1)
    """Regular expression searched in a topic id."""
    replace: StrictStr
    r"""Replacement of the match; `\1` is its first group. If ids become equal, the first topic
    counts."""

    def problems(self) -> Mistakes:
        """The replacement may use groups of the match."""
        try:
            re.compile(self.match).sub(self.replace, "")
        except (re.error, IndexError) as error:
            what = f"'{self.replace}' cannot be used ({error})"
            yield ("replace",), what, "use a group of the match"


class Topics(Section):
    """The topics file and the mapping of its ids."""

    file: OneFile
    """One file, plain or gzip: CLEF XML, TREC topics, or lines of `id<TAB>query`."""
    query: Element | None = None
    """Element with the query, for example `en` if topics have an element for each language. When
    null, the first of `title`, `query`, `desc` and `description` in the topic."""
    id: Rename | None = None
    """Mapping of topic ids of the file to those of the labels, if they differ."""


class Costs(Section):
    """Costs of reading documents."""

    file: Text
    """File with two columns, document and cost."""
    usual: Number = Field(1, gt=0)
    """Cost of a document that the file does not list."""


class Baseline(Section):
    """A baseline: the retrieval model, its parameters, the queries and the depth."""

    model: Annotated[StrictStr, Choice("retrieval model")]
    """Retrieval model, computed by PISA."""
    fields: Annotated[tuple[Element, ...], Unique] = ()
    """Elements of a topic that make up the query, for example `[title, description, narrative]`
    (`desc` and `narr` are the same). The query of `topics.query` when empty."""
    stemmer: Literal["porter2", "krovetz", "none"] = "porter2"
    """Stemmer of pages and topics, or `none`."""
    stopwords: Literal["terrier", "lucene", "none"] = "terrier"
    """List of stop words to remove from queries, or `none`."""
    k1: Number = Field(0.9, ge=0)
    """Saturation of term frequency (BM25)."""
    b: Number = Field(0.4, ge=0, le=1)
    """Length normalisation (BM25)."""
    mu: Number = Field(1000, ge=0.001)
    """Dirichlet smoothing parameter (QLD)."""
    c: Number = Field(1, ge=0.001)
    """Length normalisation (PL2)."""
    depth: Whole | None = Field(None, ge=1)
    """Documents kept per topic; `policies.depth` when null."""
