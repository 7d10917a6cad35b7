"""The documents' web pages: where they are, which are needed, how they are read."""

from typing import Annotated, Literal

from pydantic import Field, StrictStr

from pipeline.config.base import Choice, Flag, Mistakes, Number, Patterns, Section, Whole


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
