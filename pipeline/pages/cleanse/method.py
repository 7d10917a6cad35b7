"""What a cleansing method is: one declared function from a page's markup to its blocks of text.

Palotti, Zuccon & Hanbury (CIKM 2015) showed that the method decides the readability estimate;
docs/cleansing.md has how near each comes to hand-marked text. A module in `methods` with one such
function is all a further method takes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeline.registry import LAST, Catalogue, Entry

Function = Callable[[str], list[str]] | Callable[[bytes], list[str]]
DEFAULT = "blocks"


@dataclass(frozen=True, kw_only=True)
class Method(Entry):
    """A method; called with a page's markup it gives its text, one string a block.

    The markup is text, or its bytes in UTF-8 for a method that `takes_bytes`.
    """

    function: Callable[[Any], list[str]]
    takes_bytes: bool

    def __call__(self, html: str | bytes) -> list[str]:
        """The blocks of text of one page."""
        return self.function(html)


def method(
    name: str, *, title: str, order: int = LAST, takes_bytes: bool = False
) -> Callable[[Function], Method]:
    """Declare a method above its function; what it imports, it imports when it is called."""

    def declare(function: Function) -> Method:
        return Method(
            name=name, title=title, order=order, function=function, takes_bytes=takes_bytes
        )

    return declare


METHODS = Catalogue("cleansing method", "pipeline.pages.cleanse.methods", of=Method)
