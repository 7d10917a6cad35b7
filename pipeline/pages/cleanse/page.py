"""One page, from bytes to text or to the reason why it has none."""

from pipeline.pages.cleanse.decoding import decode, utf8
from pipeline.pages.cleanse.guards import refusal
from pipeline.pages.cleanse.language import is_in
from pipeline.pages.cleanse.method import DEFAULT, METHODS


def clean(
    page: bytes, *, method: str = DEFAULT, sentence_ends: bool = True, language: str | None = None
) -> tuple[str, str]:
    """Text of a page and "" or the reason why there is none.

    With `sentence_ends` every block is a line of its own, and the counter ends a sentence at each
    line end; without, blocks run on and only punctuation ends sentences.

    Reasons: those of the guards (`empty`, `binary`, `too large`, `too complex`, `too deep`),
    `unparsable` (the parser gives up) and `no text` (only scripts, menus or images). A page in
    another `language` than the one that is asked for has its text, and the reason `language`.
    """
    if reason := refusal(page):
        return "", reason
    chosen = METHODS.only(method)
    try:
        blocks = chosen(utf8(page) if chosen.takes_bytes else decode(page))
    except (ValueError, AssertionError, RecursionError, MemoryError):
        return "", "unparsable"
    text = ("\n" if sentence_ends else " ").join(blocks)
    if not text:
        return "", "no text"
    return text, "" if language is None or is_in(text, language) else "language"
