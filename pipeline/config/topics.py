"""The topics file, and what documents cost their reader."""

import re

from pydantic import Field, StrictStr

from pipeline.config.base import Element, Expression, Mistakes, Number, OneFile, Section, Text


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
