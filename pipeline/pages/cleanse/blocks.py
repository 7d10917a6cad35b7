"""What the methods share: text cut into its blocks, and markup without its XML header."""

import re

_XML_HEADER = re.compile(r"\A\s*<\?xml[^>]*>", re.I)


def without_header(html: str) -> str:
    """The markup without an XML declaration, which lxml refuses in text that is decoded already."""
    return _XML_HEADER.sub("", html)


def lines(text: str) -> list[str]:
    """The lines that hold any text, white space made single."""
    if not text.isascii():
        text = text.replace("\u200b", "").replace("\ufeff", "")
    return [" ".join(words) for raw in text.split("\n") if (words := raw.split())]
