"""Pages no parser should see: each kind was seen to hang one, or to fool it.

The limits are far above any page people read (the largest of the 131 real pages at hand has 1.4 MB
and 4,000 tags) and below what takes resiliparse a second. What slips through, the worker's deadline
ends.
"""

import re

from pipeline.pages.cleanse.decoding import is_binary

LARGEST = 5_000_000  # bytes
MOST_TAGS = 50_000  # resiliparse's extraction is quadratic in sibling blocks
DEEPEST = 2_000  # and in nested ones; so is lexbor's parsing of nested lists
_PARTS = 64
# Start tags that nest, and end tags: void elements and those that close by themselves do not.
_NESTING = (  # compiled where a page needs it: hardly any does, and each worker would
    rb"(?i)<(/?)(?!/?(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
    rb"|p|li|dt|dd|tr|td|th|option|tbody|thead|tfoot)\b)[a-z]"
)


def refusal(page: bytes) -> str:
    """Why the page is not parsed, or "".

    `empty`, `binary`, `too large`, `too complex` (more than 50,000 tags), or `too deep` (more than
    2,000 tags open at once; not looked for where there are few tags, most of them with an end).
    """
    if not page or page.isspace():
        return "empty"
    if is_binary(page):
        return "binary"
    if len(page) > LARGEST:
        return "too large"
    tags = page.count(b"<")
    if tags > MOST_TAGS:
        return "too complex"
    if tags > 2 * DEEPEST and _may_be_deep(page) and _depth(page) > DEEPEST:
        return "too deep"
    return ""


def _may_be_deep(page: bytes) -> bool:
    """Whether start tags less end tags ever come near the limit; cheap, and never wrongly no."""
    size = len(page) // _PARTS + 1
    level = 0
    for at in range(0, len(page), size):
        ends = page.count(b"</", at, at + size + 1)  # one more: a pair may lie across the border
        starts = page.count(b"<", at, at + size) - ends
        if level + starts > DEEPEST:
            return True
        level += starts - ends
        level = max(level, 0)
    return False


def _depth(page: bytes) -> int:
    level = deepest = 0
    for match in re.finditer(_NESTING, page):
        level = max(0, level - 1) if match[1] else level + 1
        deepest = max(deepest, level)
    return deepest
