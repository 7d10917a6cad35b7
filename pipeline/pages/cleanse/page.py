"""Cleanse one page: from bytes to its text, or to the reason why it has none.

Guards reject pages that hang or mislead parsers. Their limits are far above real pages (the largest
of 131 has 1.4 MB and 4,000 tags) and below what takes resiliparse a second. The time limit of the
workers covers all other pages.
"""

import re
from contextlib import suppress

from pipeline.pages.cleanse.method import DEFAULT, METHODS

LARGEST = 5_000_000  # bytes
MOST_TAGS = 50_000  # resiliparse's extraction is quadratic in sibling blocks
DEEPEST = 2_000  # also quadratic; so is lexbor's parsing of nested lists
# Start and end tags of nesting elements: neither void nor self-closing ones.
_NESTING = (  # compiled on demand
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
# Compiled on demand: few pages need it, and every worker would compile it.
_CHARSET = rb"""(?i)<(?:meta|\?xml)\b[^>]{0,400}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)"""
_LATIN = frozenset({"iso-8859-1", "latin-1", "latin1", "l1", "ascii", "us-ascii"})
# Encodings of Python that web pages do not use; some are extremely slow.
_NEVER = r"(?i)utf[-_]?(?:7|16|32)|idna|punycode|unicode|raw|undefined|mbcs|oem"
_BINARY = (
    *(b"%PDF", b"%!PS", b"{\\rtf", b"\x1f\x8b", b"PK\x03\x04", b"Rar!", b"7z\xbc\xaf"),
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"OggS", b"ID3", b"\x7fELF"),
    *(b"\xd0\xcf\x11\xe0", b"BZh9", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"),
)
_CONTROL = bytes({*range(32)} - {9, 10, 12, 13, 27})
# The detector misclassifies 2 % of 300-character pieces of real English pages, 8 % of 100-character
# ones, so short texts are accepted. Medical English may be as close to Latin (distances 353, 349).
# On pages in other languages, English is a third farther than the nearest: nearly nearest counts.
BEGINNING = 1000  # characters
SHORTEST = 300
NEARLY = 1.1  # times the distance to the nearest language


def clean(
    page: bytes, *, method: str = DEFAULT, sentence_ends: bool = True, language: str | None = None
) -> tuple[str, str]:
    """The text of a page, and "" or the reason why it has none.

    With `sentence_ends` every block is one line, and line ends end sentences. Otherwise only
    punctuation ends sentences.

    Reasons: those of the guards (`empty`, `binary`, `too large`, `too complex`, `too deep`),
    `unparsable` (the parser gives up) and `no text` (only scripts, menus or images). A page
    that is not in `language` has its text and the reason `language`.
    """
    if reason := refusal(page):
        return "", reason
    cleanse = METHODS.only(method)
    try:
        blocks = cleanse(utf8(page) if cleanse.takes_bytes else decode(page))
    except (ValueError, AssertionError, RecursionError, MemoryError):
        return "", "unparsable"
    text = ("\n" if sentence_ends else " ").join(blocks)
    if not text:
        return "", "no text"
    return text, "" if language is None or is_in(text, language) else "language"


def refusal(page: bytes) -> str:
    """Why the page is not parsed, or ""; depth is checked only if there are many tags."""
    if not page or page.isspace():
        return "empty"
    if is_binary(page):
        return "binary"
    if len(page) > LARGEST:
        return "too large"
    tags = page.count(b"<")
    if tags > MOST_TAGS:
        return "too complex"
    return "too deep" if tags > 2 * DEEPEST and _depth(page) > DEEPEST else ""


def _depth(page: bytes) -> int:
    level = deepest = 0
    for match in re.finditer(_NESTING, page):
        level = max(0, level - 1) if match[1] else level + 1
        deepest = max(deepest, level)
    return deepest


def is_binary(page: bytes) -> bool:
    """Whether the bytes are not text (PDF, archive, image), by signature or control characters."""
    if page.startswith(_WIDE):
        return False  # UTF-16 and UTF-32 text contains zero bytes
    start = page[:1024].lstrip()
    if start.startswith(_BINARY) or b"\0" in page:
        return True
    return len(start) - len(start.translate(None, _CONTROL)) > len(start) // 20


def decode(page: bytes) -> str:
    """Decode by byte-order mark, else strict UTF-8, else the declared charset, else cp1252.

    Strict UTF-8 precedes the declaration because it rarely matches by chance, while declarations
    are often incorrect. Declared Latin-1 means cp1252, as in browsers.
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
    """The page in UTF-8."""
    return page if page.isascii() else decode(page).encode("utf-8", errors="replace")


def is_in(text: str, language: str) -> bool:
    """Whether the text is in the language with this code (`en`), or too short or ambiguous.

    Uses resiliparse's detector on the beginning of the text; `lang` attributes are unreliable.
    """
    from resiliparse.parse.lang import detect_fast

    if len(text) < SHORTEST:
        return True
    beginning = text[:BEGINNING]
    detected, nearest = detect_fast(beginning)
    if detected in (language, "unknown"):
        return True
    distances = dict(detect_fast(beginning, n_results=len(languages())))
    return bool(distances[language] <= NEARLY * nearest)


def languages() -> frozenset[str]:
    """The language codes that the detector supports."""
    from resiliparse.parse.lang import supported_langs

    return frozenset(supported_langs())
