"""A cleansing method: one declared function, in a module of `methods`, from markup to blocks.

docs/cleansing.md has how near each comes to hand-marked text.
"""

import re
from dataclasses import dataclass
from typing import Any

from pipeline.registry import Catalogue, Declared

DEFAULT = "blocks"
_XML_HEADER = re.compile(r"\A\s*<\?xml[^>]*>", re.I)


@dataclass(frozen=True, kw_only=True)
class Method(Declared[[Any], list[str]]):
    """A method: called with a page's markup it returns its text, one string per block.

    The markup is text, or its bytes in UTF-8 for a method that `takes_bytes`. What a method
    imports, it imports when it is called.
    """

    takes_bytes: bool = False


method = Method.declare
METHODS = Catalogue("cleansing method", "pipeline.pages.cleanse.methods", of=Method)


def without_header(html: str) -> str:
    """The markup without an XML declaration, which lxml refuses in text that is decoded already."""
    return _XML_HEADER.sub("", html)


def lines(text: str) -> list[str]:
    """The lines that hold any text, white space made single."""
    if not text.isascii():
        text = text.replace("\u200b", "").replace("\ufeff", "")
    return [" ".join(words) for raw in text.split("\n") if (words := raw.split())]
