"""From a page's bytes to its characters, and what is no page at all."""

import re

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
    try:
        return page.decode("utf-8")
    except UnicodeDecodeError:
        pass
    declared = re.search(_CHARSET, page[:4096])
    if declared:
        name = declared.group(1).decode("ascii", errors="replace").lower()
        if name not in _LATIN and not re.match(_NEVER, name):
            try:
                return page.decode(name)
            except (LookupError, UnicodeError):
                pass
    return page.decode("cp1252", errors="replace")


def utf8(page: bytes) -> bytes:
    """The same text in UTF-8: the page's own bytes where they are just that."""
    if page.isascii():
        return page
    if page.startswith(tuple(mark for mark, _ in _BOMS)):
        return decode(page).encode("utf-8", errors="replace")
    try:
        page.decode("utf-8")
    except UnicodeDecodeError:
        return decode(page).encode("utf-8", errors="replace")
    return page
