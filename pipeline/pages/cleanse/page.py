"""One page, from bytes to text or to the reason why it has none."""

from pipeline.pages.cleanse.decoding import decode
from pipeline.pages.cleanse.guards import refusal
from pipeline.pages.cleanse.method import METHODS


def clean(page: bytes, *, method: str = "main", sentence_ends: bool = True) -> tuple[str, str]:
    """Text of a page and "" or the reason why there is none.

    With `sentence_ends` every block is a line of its own, and the counter ends a sentence at each
    line end; without, blocks run on and only punctuation ends sentences.

    Reasons: those of the guards (`empty`, `binary`, `too large`, `too complex`, `too deep`),
    `unparsable` (the parser gives up) and `no text` (only scripts, menus or images).
    """
    if reason := refusal(page):
        return "", reason
    html = decode(page)
    try:
        blocks = METHODS[method](html)
    except (ValueError, AssertionError, RecursionError, MemoryError):
        return "", "unparsable"
    text = ("\n" if sentence_ends else " ").join(blocks)
    return text, "" if text else "no text"
