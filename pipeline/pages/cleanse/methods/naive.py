"""BeautifulSoup: all text that a browser displays."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pipeline.pages.cleanse.method import lines, method, without_header

if TYPE_CHECKING:
    from bs4 import BeautifulSoup


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Elements that a browser does not display as text.
_UNSEEN = _names(
    "head script style noscript template iframe object embed applet svg canvas math audio video"
    " map select textarea"
)
# Elements that end a line and so a sentence, for example headings and list items.
_BLOCKS = _names(
    "address article aside blockquote body br caption center dd details dialog div dl dt fieldset"
    " figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol"
    " option p pre section summary table tbody td tfoot th thead tr ul"
)
_SPACE = re.compile(r"\s+")


@method("naive", title="BeautifulSoup, all visible text, common in the literature", order=4)
def naive(html: str) -> list[str]:
    """All text that a browser displays, as commonly extracted in the literature."""
    from bs4 import BeautifulSoup

    return lines("".join(_pieces(BeautifulSoup(without_header(html), "lxml"))))


def _pieces(soup: "BeautifulSoup") -> Iterator[str]:
    """Yield the strings of the page, with line breaks around blocks.

    Uses a stack: pages may nest deeper than Python's call stack.
    """
    from bs4.element import CData, NavigableString, Tag

    stack: list[tuple[Iterator[object], str]] = [(iter(soup.contents), "")]
    while stack:
        node = next(stack[-1][0], None)
        if node is None:
            yield stack.pop()[1]
        elif isinstance(node, Tag) and node.name in _UNSEEN:
            yield " "
        elif isinstance(node, Tag):
            edge = "\n" if node.name in _BLOCKS else ""
            yield edge
            stack.append((iter(node.contents), edge))
        elif type(node) in (NavigableString, CData):  # not subclasses: comments, doctypes
            yield _SPACE.sub(" ", str(node))
