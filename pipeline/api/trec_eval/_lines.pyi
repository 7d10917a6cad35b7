"""Figures as trec_eval prints them, `_lines.c`."""

from pipeline.storage.arrays import Floats

SOURCES_DIGEST: str

def lines(
    topics: list[bytes], heads: list[bytes], kinds: bytes, values: Floats, texts: list[bytes]
) -> str: ...
