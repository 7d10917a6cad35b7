"""Cleansing: from a web page's bytes to the text a reader would read.

The method decides the readability estimate (Palotti, Zuccon & Hanbury, CIKM 2015). `naive` is the
one of the literature: BeautifulSoup takes the text of everything that is not plainly machinery or
page furniture. A page without text is a fact about the page, not an accident: it gets a reason.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline import columns
from pipeline.errors import InputError
from pipeline.files import atomic

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag


def _names(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# Machinery that is never read, and furniture that HTML itself marks as such.
DROPPED = _names(
    "head script style noscript template iframe object embed applet svg canvas math audio video map"
    " nav header footer aside menu dialog form button select option textarea input label"
)
_DROPPED_ROLES = _names(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar"
)
# Elements that end a line, and so a sentence: a heading or a list item needs no full stop.
BLOCKS = _names(
    "address article blockquote body br caption center dd details div dl dt fieldset figcaption"
    " figure h1 h2 h3 h4 h5 h6 hr html li main ol p pre section summary table tbody td tfoot th"
    " thead tr ul"
)

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_CHARSET = re.compile(
    rb"""<(?:meta|\?xml)\b[^>]{0,400}?(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.I
)
_BINARY = (
    *(b"%PDF", b"\x1f\x8b", b"PK\x03\x04"),  # PDF, gzip, zip (and office files)
    *(b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"\xd0\xcf\x11\xe0"),  # images, old office files
)
_XML_HEADER = re.compile(r"\A\s*<\?xml[^>]*>", re.I)
_SPACE = re.compile(r"[\s\u200b\ufeff]+")
# Fewer pages than this are done before a second process has started.
_PARALLEL_FROM = 200


def decode(page: bytes) -> str:
    """Text of the bytes: byte-order mark, strict UTF-8, the declared charset, then cp1252.

    Strict UTF-8 goes before the declaration because it hardly ever fits by chance, while
    declarations are often wrong.
    """
    for mark, encoding in _BOMS:
        if page.startswith(mark):
            return page[len(mark) :].decode(encoding, errors="replace")
    try:
        return page.decode("utf-8")
    except UnicodeDecodeError:
        pass
    declared = _CHARSET.search(page[:4096])
    if declared:
        try:
            return page.decode(declared.group(1).decode("ascii"))
        except (LookupError, UnicodeError):
            pass
    return page.decode("cp1252", errors="replace")


def clean(html: bytes) -> tuple[str, str]:
    """Text of a page, one line a block, and "" or the reason why there is no text.

    Reasons: `empty` (nothing but white space), `binary` (a PDF, an archive, an image),
    `unparsable` (the parser gives up), `no text` (only scripts, menus or images).
    """
    if not html.strip():
        return "", "empty"
    if html.startswith(_BINARY):
        return "", "binary"
    source = decode(html)
    if "\0" in source:
        return "", "binary"

    from bs4 import BeautifulSoup
    from bs4.exceptions import ParserRejectedMarkup

    try:
        soup = BeautifulSoup(_XML_HEADER.sub("", source), "lxml")
    except (ParserRejectedMarkup, RecursionError):
        return "", "unparsable"
    lines = (_SPACE.sub(" ", line).strip() for line in "".join(_pieces(soup)).split("\n"))
    text = "\n".join(line for line in lines if line)
    return text, "" if text else "no text"


def _pieces(soup: "BeautifulSoup") -> Iterator[str]:
    """The strings of the page in order, with a line break wherever a block starts or ends.

    A stack instead of recursion: pages nest deeper than Python's call stack.
    """
    from bs4.element import CData, NavigableString, Tag

    stack: list[Iterator[object]] = [iter(soup.contents)]
    breaks = [""]
    while stack:
        node = next(stack[-1], None)
        if node is None:
            stack.pop()
            yield breaks.pop()
        elif isinstance(node, Tag):
            if _is_furniture(node):
                yield " "
                continue
            edge = "\n" if node.name in BLOCKS else ""
            yield edge
            stack.append(iter(node.contents))
            breaks.append(edge)
        elif type(node) in (NavigableString, CData):  # not its kin: comments, doctypes
            yield _SPACE.sub(" ", str(node))


def _is_furniture(tag: "Tag") -> bool:
    return tag.name in DROPPED or tag.get("role") in _DROPPED_ROLES or tag.has_attr("hidden")


# One function a method; config names them.
METHODS: Mapping[str, Callable[[bytes], tuple[str, str]]] = {"naive": clean}


def cleanse(
    files: Sequence[tuple[str, Path]], *, out: Path, method: str = "naive", threads: int = 1
) -> None:
    """Clean the pages `(document, file)` and write document, text, reason to `out`, in that order.

    `threads` processes share the work where there is enough of it: cleaning is pure computation
    and scales with them.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if method not in METHODS:
        nearest = get_close_matches(method, METHODS, n=1, cutoff=0) or list(METHODS)
        raise InputError(f"There is no cleansing method {method!r}: did you mean {nearest[0]!r}?")
    _refuse_twins(files)
    schema = pa.schema([(name, pa.string()) for name in ("document", "text", "reason")])
    with atomic(out) as draft, pq.ParquetWriter(draft, schema) as writer:
        for rows in _batches(_every_row(files, method=method, threads=threads)):
            parts = [columns.strings(column) for column in zip(*rows, strict=True)]
            writer.write_table(pa.table(parts, schema=schema))


def _every_row(
    files: Sequence[tuple[str, Path]], *, method: str, threads: int
) -> Iterator[tuple[str, str, str]]:
    work = partial(_row, method=method)
    if threads < 2 or len(files) < _PARALLEL_FROM:
        yield from map(work, files)
        return

    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # Forked by name: any other way would run the calling script again in every process.
    with ProcessPoolExecutor(threads, mp_context=get_context("fork")) as workers:
        yield from workers.map(work, files, chunksize=32)


def _row(file: tuple[str, Path], *, method: str) -> tuple[str, str, str]:
    document, path = file
    try:
        page = path.read_bytes()
    except OSError as error:
        why = error.strerror or "unreadable"
        raise InputError(
            f"{path}: cannot read the page of document {document} ({why});"
            " correct the pages' path or its permissions."
        ) from error
    return document, *METHODS[method](page)


def _batches(
    rows: Iterable[tuple[str, str, str]], size: int = 1024
) -> Iterator[list[tuple[str, str, str]]]:
    """Rows in lists of `size`, so that a large collection never sits in memory whole."""
    every = iter(rows)
    while batch := list(islice(every, size)):
        yield batch


def _refuse_twins(files: Sequence[tuple[str, Path]]) -> None:
    seen: dict[str, Path] = {}
    for document, path in files:
        if document in seen:
            raise InputError(
                f"{path}: the document {document} has a page already, {seen[document]};"
                " keep one of them."
            )
        seen[document] = path
