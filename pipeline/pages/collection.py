"""Readers of page collections: folders of pages, WARC files, and CLEF's `.dat` files.

Each gives (document id, bytes) one after the other and holds one page at a time, never more of it
than the largest that is cleansed. A truncated or malformed record is a warning, not an error: a
collection of a million pages has some.

A shard is a part of the collection that one job reads. Single pages belong to it by their id, and
containers by their name, so that a new file moves no other; where containers are few, every shard
reads all of them and keeps the documents that are its own by id.
"""

import gzip
import re
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from pipeline.errors import InputError, Problem
from pipeline.pages.cleanse.page import LARGEST
from pipeline.storage.text import damaged

Page = tuple[str, bytes]
Note = Callable[[str], None]
_CONTAINER = re.compile(r"\.(warc|dat)(\.gz)?$", re.IGNORECASE)
_PIECE = 1 << 20
_FEW = 4  # containers a shard: fewer are shared out by document


def document_id(path: Path) -> str:
    """A page's document: its file name without `.gz` and `.html`, `.htm` or `.xhtml`.

    Other endings stay, since document ids have dots of their own.

    >>> document_id(Path("pages/aldf.1864_12_000027.html.gz"))
    'aldf.1864_12_000027'
    """
    return re.sub(r"(\.x?html?)?(\.gz)?$", "", path.name, flags=re.IGNORECASE)


def is_container(path: Path) -> bool:
    """Whether a file holds many pages: a WARC or a `.dat` file, by its name."""
    return _CONTAINER.search(path.name) is not None


def shard_of(name: str, *, shards: int) -> int:
    """The shard a document or container belongs to: fixed by its name."""
    return zlib.crc32(name.encode()) % shards


def share(files: Sequence[Path], *, shard: int, shards: int) -> list[Path]:
    """The files one shard has to open."""
    every = not _by_name(files, shards)
    names = [path.name if is_container(path) else document_id(path) for path in files]
    return [
        path
        for path, name in zip(files, names, strict=True)
        if (every and is_container(path)) or shard_of(name, shards=shards) == shard
    ]


def _by_name(files: Sequence[Path], shards: int) -> bool:
    return sum(map(is_container, files)) >= _FEW * shards


def read(
    files: Sequence[Path],
    *,
    notes: list[Problem],
    shard: int = 0,
    shards: int = 1,
    wanted: Collection[str] | None = None,
) -> Iterator[Page]:
    """The pages of one shard, only the `wanted` ones if such a set is given.

    Warnings about records that were left out are added to `notes`.
    """
    _refuse_twins([path for path in files if not is_container(path)])
    whole = _by_name(files, shards)
    for path in share(files, shard=shard, shards=shards):
        if is_container(path):
            for document, page in read_container(path, notes=notes):
                own = whole or shard_of(document, shards=shards) == shard
                if own and (wanted is None or document in wanted):
                    yield document, page
        elif wanted is None or document_id(path) in wanted:
            yield document_id(path), read_page(path)


def read_page(path: Path) -> bytes:
    """One page, unpacked if its name ends in .gz.

    A file that is not gzip in spite of its name is read as it is; the guards give the reason.
    """
    try:
        if path.suffix.lower() == ".gz":
            with suppress(gzip.BadGzipFile, EOFError, zlib.error), gzip.open(path) as unpacked:
                return unpacked.read(LARGEST + 1)
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        why = f"cannot be read as the page of {document_id(path)} ({error.strerror or 'damaged'})"
        raise InputError(Problem(path, why, "correct its path or its permissions")) from error


def read_container(path: Path, *, notes: list[Problem]) -> Iterator[Page]:
    """The pages of one WARC or `.dat` file."""
    warc = re.search(r"\.warc(\.gz)?$", path.name, re.IGNORECASE)

    def note(what: str) -> None:
        notes.append(Problem(path, what, severity="warning"))

    try:
        yield from (_read_warc if warc else _read_dat)(path, note)
    except (FileNotFoundError, PermissionError) as error:
        why = f"cannot be read ({error.strerror})"
        raise InputError(Problem(path, why, "correct its path or its permissions")) from error
    except damaged() as error:
        note(f"not readable to its end ({error}); the pages before that count")


def _read_warc(path: Path, note: Note) -> Iterator[Page]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    kinds = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    if not path.stat().st_size:
        note("the file is empty")
        return
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        marker = b"\x1f\x8b\x08" if content[:2] == b"\x1f\x8b" else b"WARC/1."
        begin = 0
        while begin >= 0:
            reached = begin  # behind it begins what has not been read
            file.seek(begin)
            problem = ""
            fresh = begin == 0  # a stretch that cannot be read is noted once
            records = ArchiveIterator(
                file, record_types=kinds, parse_http=True, auto_decode="content"
            )
            try:
                for record in records:
                    at = record.stream_pos
                    fresh = True
                    reached = at + (0 if marker[0] == 0x1F else _declared(record))
                    document = _warc_id(record)
                    if not document:
                        note("a record without an id is left out")
                        continue
                    expected = min(record.content_length, LARGEST + 1)  # behind HTTP's head
                    page = record.reader.read(LARGEST + 1)
                    packed = record.is_http_parsed and record.http_headers.get("Content-Encoding")
                    if len(page) < expected and not packed:
                        note(f"the record of document {document} is truncated and left out")
                        reached = at
                        break  # its length is wrong: what follows may be good
                    yield document, page
                else:
                    return
            except (OSError, EOFError, zlib.error) as error:
                problem = str(error)
            begin = content.find(marker, reached + 1)  # where the next record may begin
            if problem and begin < 0:
                raise OSError(problem)
            if problem and fresh:
                note(f"not readable after byte {reached} ({problem})")


def _declared(record: Any) -> int:
    """The length a record's head gives it, 0 if that is no number."""
    length = str(record.headers.get("Content-Length") or "")
    return int(length) if length.isdecimal() and len(length) < 16 else 0


def _warc_id(record: Any) -> str:
    """WARC-TREC-ID, else the UUID of the record."""
    uuid = (record.record_id or "").strip("<>").removeprefix("urn:uuid:")
    return str(record.headers.get("WARC-TREC-ID") or uuid).strip()


def _read_dat(path: Path, note: Note) -> Iterator[Page]:
    """Records of `#UID:`, date, URL and `#CONTENT:`, up to a line that is exactly `#EOR`."""
    from isal import igzip

    document = ""
    content: list[bytes] | None = None
    size = 0
    starts = True  # whether this piece begins a line: only then can it be a marker
    with (igzip.open if path.suffix.lower() == ".gz" else open)(path, "rb") as file:
        while piece := file.readline(_PIECE):
            bare = piece.rstrip(b"\r\n") if starts else b""
            if content is None:
                if bare.startswith(b"#UID:"):
                    document = _dat_id(bare)
                elif bare.startswith(b"#CONTENT:"):
                    content, size = [piece[9:]], len(piece) - 9
                    if not document:
                        note("a record without #UID: is left out")
            elif bare.startswith(b"#DATE:") and content[-1].startswith(b"#UID:"):
                # It must not swallow the next; a page may have one such line, not two.
                named = document or "(without id)"
                note(f"the record of document {named} has no #EOR and is left out")
                document, content = _dat_id(content[-1]), None
            elif bare == b"#EOR":
                if document:
                    yield document, b"".join(content)
                document, content = "", None
            elif size <= LARGEST:  # the rest of a page that is too large anyway is skipped
                content.append(piece)
                size += len(piece)
            starts = piece.endswith(b"\n")
    if document or content is not None:
        named = document or "(without id)"
        note(f"the last record, document {named}, is truncated and left out")


def _dat_id(line: bytes) -> str:
    return line[5:].strip().decode("utf-8", errors="replace")


def _refuse_twins(files: Sequence[Path]) -> None:
    seen: dict[str, Path] = {}
    for path in files:
        if (first := seen.setdefault(document_id(path), path)) is not path:
            what = f"the document {document_id(path)} has a page already, {first}"
            raise InputError(Problem(path, what, "keep one of them"))
