"""Systems made by searching the pages with the topics."""

from typing import Annotated, Literal

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, Element, Number, Section, Unique, Whole


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
