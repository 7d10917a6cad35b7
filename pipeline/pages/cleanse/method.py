"""Cleansing methods, declared in `methods`; docs/cleansing.md compares their accuracy."""

import re
from dataclasses import dataclass
from typing import Any

from pipeline.registry import Catalogue, Declared

DEFAULT = "blocks"
_XML_HEADER = re.compile(r"\A\s*<\?xml[^>]*>", re.I)


@dataclass(frozen=True, kw_only=True)
class Method(Declared[[Any], list[str]]):
    """A cleansing method: it takes the markup of a page and returns one string per block of text.

    The markup is a str, or UTF-8 bytes for a method that `takes_bytes`. A method imports its
    libraries when called.
    """

    takes_bytes: bool = False


method = Method.declare
METHODS = Catalogue("cleansing method", "pipeline.pages.cleanse.methods", of=Method)


def without_header(html: str) -> str:
    """Remove the XML declaration, which lxml rejects in decoded text."""
    return _XML_HEADER.sub("", html)


def lines(text: str) -> list[str]:
    """The nonblank lines, with white space normalised."""
    if not text.isascii():
        text = text.replace("\u200b", "").replace("\ufeff", "")
    return [" ".join(words) for raw in text.split("\n") if (words := raw.split())]
