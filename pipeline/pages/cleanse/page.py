"""One page, from bytes to text or to the reason why it has none.

The guards keep out pages no parser should see: each kind hung one, or fooled it. Their limits are
far above any page people read (the largest of 131 real pages has 1.4 MB and 4,000 tags) and below
what takes resiliparse a second. The worker's time limit ends what slips through.
"""

import re
from contextlib import suppress

from pipeline.pages.cleanse.method import DEFAULT, METHODS

LARGEST = 5_000_000  # bytes
MOST_TAGS = 50_000  # resiliparse's extraction is quadratic in sibling blocks
DEEPEST = 2_000  # and in nested ones; so is lexbor's parsing of nested lists
# Start tags that nest, and end tags: void elements and those that close by themselves do not.
_NESTING = (  # compiled where a page needs it: hardly any does, and each worker would
    rb"(?i)<(/?)(?!/?(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr"
    rb"|p|li|dt|dd|tr|td|th|option|tbody|thead|tfoot)\b)[a-z]"
)

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_WIDE = tuple(mark for mark, encoding in _BOMS if encoding != "utf-8")
# Expressions are compiled where a page needs them: few do, and each worker would.
_CHARSET = rb"""(?i)<(?:meta|\?xml)\b[^>]{0,400}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)"""
_LATIN = frozenset({"iso-8859-1", "latin-1", "latin1", "l1", "ascii", "us-ascii"})
# What Python takes for a text encoding but no page is in; some of them take forever.
_NEVER = r"(?i)utf[-_]?(?:7|16|32)|idna|punycode|unicode|raw|undefined|mbcs|oem"
_BINARY = (
    *(b"%PDF", b"%!PS", b"{\\rtf", b"\x1f\x8b", b"PK\x03\x04", b"Rar!", b"7z\xbc\xaf"),
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"OggS", b"ID3", b"\x7fELF"),
    *(b"\xd0\xcf\x11\xe0", b"BZh9", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"),
)
_CONTROL = bytes({*range(32)} - {9, 10, 12, 13, 27})
# Of pieces of 300 characters of real English pages the detector takes 2 % for another language, of
# 100 characters 8 %: a shorter text is not asked for. Medical English is near to Latin in its eyes
# (349 to 353 on a page of long words), while of the real pages in other languages English is a
# third farther off: a language that is nearly as near as the nearest is the one it should be.
BEGINNING = 1000  # characters
SHORTEST = 300
NEARLY = 1.1  # times the distance to the nearest language


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


def refusal(page: bytes) -> str:
    """Why the page is not parsed, or ""; depth is not looked for where there are few tags."""
    if not page or page.isspace():
        return "empty"
    if is_binary(page):
        return "binary"
    if len(page) > LARGEST:
        return "too large"
    tags = page.count(b"<")
    if tags > MOST_TAGS:
        return "too complex"
    if tags > 2 * DEEPEST and _depth(page) > DEEPEST:
        return "too deep"
    return ""


def _depth(page: bytes) -> int:
    level = deepest = 0
    for match in re.finditer(_NESTING, page):
        level = max(0, level - 1) if match[1] else level + 1
        deepest = max(deepest, level)
    return deepest


def is_binary(page: bytes) -> bool:
    """Whether the bytes are a PDF, an archive, an image: by their first bytes, or by their kind."""
    if page.startswith(_WIDE):
        return False  # text in two or four bytes a character has zeros of its own
    start = page[:1024].lstrip()
    if start.startswith(_BINARY) or b"\0" in page:
        return True
    return len(start) - len(start.translate(None, _CONTROL)) > len(start) // 20


def decode(page: bytes) -> str:
    """Text of the bytes: byte-order mark, strict UTF-8, the declared charset, then cp1252.

    Strict UTF-8 goes before the declaration because it hardly ever fits by chance, while
    declarations are often wrong. Declared Latin-1 means cp1252, as in every browser.
    """
    for mark, encoding in _BOMS:
        if page.startswith(mark):
            return page[len(mark) :].decode(encoding, errors="replace")
    with suppress(UnicodeDecodeError):
        return page.decode("utf-8")
    declared = re.search(_CHARSET, page[:4096])
    name = declared[1].decode("ascii", errors="replace").lower() if declared else "latin1"
    if name not in _LATIN and not re.match(_NEVER, name):
        with suppress(LookupError, UnicodeError):
            return page.decode(name)
    return page.decode("cp1252", errors="replace")


def utf8(page: bytes) -> bytes:
    """The same text in UTF-8: the page's own bytes where they are just that."""
    if page.isascii():
        return page
    if not page.startswith(tuple(mark for mark, _ in _BOMS)):
        with suppress(UnicodeDecodeError):
            page.decode("utf-8")
            return page
    return decode(page).encode("utf-8", errors="replace")


def is_in(text: str, language: str) -> bool:
    """Whether the text is in the language, by its code (`en`), or too short or unclear to say.

    Resiliparse's detector on the beginning of the text; the `lang` attribute is unreliable.
    """
    from resiliparse.parse.lang import detect_fast

    if len(text) < SHORTEST:
        return True
    beginning = text[:BEGINNING]
    found, nearest = detect_fast(beginning)
    if found in (language, "unknown"):
        return True
    distances = dict(detect_fast(beginning, n_results=len(languages())))
    return bool(distances[language] <= NEARLY * nearest)


def languages() -> frozenset[str]:
    """The codes of languages that the detector knows."""
    from resiliparse.parse.lang import supported_langs

    return frozenset(supported_langs())
