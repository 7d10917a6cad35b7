"""Readers of page collections: folders of pages, WARC files, and CLEF's `.dat` files.

Each reader yields (document id, bytes) and holds one page at a time, up to the largest size that is
cleansed. A truncated or malformed record is a warning, because large collections have some.

A shard is the part of a collection that one job reads. Pages are assigned by document id and
containers by name, so new files do not move others. If there are few containers, every shard reads
all of them and keeps its documents by id.
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
_FEW = 4  # containers per shard; with fewer, documents are assigned


def document_id(path: Path) -> str:
    """The document id of a page: its file name without `.gz` and `.html`, `.htm` or `.xhtml`.

    Other endings stay, because document ids may contain dots.

    >>> document_id(Path("pages/aldf.1864_12_000027.html.gz"))
    'aldf.1864_12_000027'
    """
    return re.sub(r"(\.x?html?)?(\.gz)?$", "", path.name, flags=re.IGNORECASE)


def is_container(path: Path) -> bool:
    """Whether a file is a WARC or `.dat` file, by its name."""
    return _CONTAINER.search(path.name) is not None


def shard_of(name: str, *, shards: int) -> int:
    """The shard of a document or container, determined by its name."""
    return zlib.crc32(name.encode()) % shards


def share(files: Sequence[Path], *, shard: int, shards: int) -> list[Path]:
    """The files that one shard reads."""
    shared = not _by_name(files, shards)
    names = [path.name if is_container(path) else document_id(path) for path in files]
    return [
        path
        for path, name in zip(files, names, strict=True)
        if (shared and is_container(path)) or shard_of(name, shards=shards) == shard
    ]


def _by_name(files: Sequence[Path], shards: int) -> bool:
    return sum(map(is_container, files)) >= _FEW * shards


def read(
    files: Sequence[Path],
    *,
    notes: list[Problem],
    shard: int = 0,
    shards: int = 1,
    documents: Collection[str] | None = None,
) -> Iterator[Page]:
    """Yield the pages of one shard, optionally of some `documents` only.

    Adds warnings about skipped records to `notes`.
    """
    _refuse_twins([path for path in files if not is_container(path)])
    by_name = _by_name(files, shards)
    for path in share(files, shard=shard, shards=shards):
        if is_container(path):
            for document, page in read_container(path, notes=notes):
                own = by_name or shard_of(document, shards=shards) == shard
                if own and (documents is None or document in documents):
                    yield document, page
        elif documents is None or document_id(path) in documents:
            yield document_id(path), read_page(path)


def read_page(path: Path) -> bytes:
    """Read one page, decompressed if its name ends in .gz.

    A file that is not gzip despite its name is read unchanged; `refusal` then gives a reason.
    """
    try:
        if path.suffix.lower() == ".gz":
            with suppress(gzip.BadGzipFile, EOFError, zlib.error), gzip.open(path) as unpacked:
                return unpacked.read(LARGEST + 1)
        with path.open("rb") as file:
            return file.read(LARGEST + 1)
    except OSError as error:
        what = f"cannot read the page of {document_id(path)} ({error.strerror or 'damaged'})"
        raise InputError(Problem(path, what, "correct the path or the permissions")) from error


def read_container(path: Path, *, notes: list[Problem]) -> Iterator[Page]:
    """Yield the pages of a WARC or `.dat` file."""
    warc = re.search(r"\.warc(\.gz)?$", path.name, re.IGNORECASE)

    def note(what: str) -> None:
        notes.append(Problem(path, what, severity="warning"))

    try:
        yield from (_read_warc if warc else _read_dat)(path, note)
    except (FileNotFoundError, PermissionError) as error:
        what = f"cannot be read ({error.strerror})"
        raise InputError(Problem(path, what, "correct the path or the permissions")) from error
    except damaged() as error:
        note(f"cannot be read to its end ({error}); the pages before the damage are used")


def _read_warc(path: Path, note: Note) -> Iterator[Page]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    record_types = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    if not path.stat().st_size:
        note("the file is empty")
        return
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        marker = b"\x1f\x8b\x08" if content[:2] == b"\x1f\x8b" else b"WARC/1."
        begin = 0
        while begin >= 0:
            position = begin  # everything up to here was read
            file.seek(begin)
            failure = ""
            unreported = begin == 0  # an unreadable part is reported once
            records = ArchiveIterator(
                file, record_types=record_types, parse_http=True, auto_decode="content"
            )
            try:
                for record in records:
                    at = record.stream_pos
                    unreported = True
                    position = at + (0 if marker[0] == 0x1F else _declared(record))
                    document = _warc_id(record)
                    if not document:
                        note("skipped a record without an id")
                        continue
                    expected = min(record.content_length, LARGEST + 1)  # after the HTTP header
                    page = record.reader.read(LARGEST + 1)
                    packed = record.is_http_parsed and record.http_headers.get("Content-Encoding")
                    if len(page) < expected and not packed:
                        note(f"skipped the record of document {document}: it is truncated")
                        position = at
                        break  # the length is incorrect; later records may be valid
                    yield document, page
                else:
                    return
            except (OSError, EOFError, zlib.error) as error:
                failure = str(error)
            begin = content.find(marker, position + 1)  # where the next record may begin
            if failure and begin < 0:
                raise OSError(failure)
            if failure and unreported:
                note(f"cannot be read after byte {position} ({failure})")


def _declared(record: Any) -> int:
    """The length in the record's header, 0 if it is not a number."""
    length = str(record.headers.get("Content-Length") or "")
    return int(length) if length.isdecimal() and len(length) < 16 else 0


def _warc_id(record: Any) -> str:
    """WARC-TREC-ID, else the UUID of the record."""
    uuid = (record.record_id or "").strip("<>").removeprefix("urn:uuid:")
    return str(record.headers.get("WARC-TREC-ID") or uuid).strip()


def _read_dat(path: Path, note: Note) -> Iterator[Page]:
    """Read records of `#UID:`, date, URL and `#CONTENT:`, up to a line that is exactly `#EOR`."""
    from isal import igzip

    document = ""
    content: list[bytes] | None = None
    size = 0
    line_start = True  # markers are at the start of a line
    with (igzip.open if path.suffix.lower() == ".gz" else open)(path, "rb") as file:
        while piece := file.readline(_PIECE):
            line = piece.rstrip(b"\r\n") if line_start else b""
            if content is None:
                if line.startswith(b"#UID:"):
                    document = _dat_id(line)
                elif line.startswith(b"#CONTENT:"):
                    content, size = [piece[9:]], len(piece) - 9
                    if not document:
                        note("skipped a record without #UID:")
            elif line.startswith(b"#DATE:") and content[-1].startswith(b"#UID:"):
                # The next record begins: a page may contain one such line, not two.
                note(f"skipped the record of document {document or '(without id)'}: it has no #EOR")
                document, content = _dat_id(content[-1]), None
            elif line == b"#EOR":
                if document:
                    yield document, b"".join(content)
                document, content = "", None
            elif size <= LARGEST:  # skip the rest of an oversized page
                content.append(piece)
                size += len(piece)
            line_start = piece.endswith(b"\n")
    if document or content is not None:
        note(f"skipped the last record, document {document or '(without id)'}: it is truncated")


def _dat_id(line: bytes) -> str:
    return line[5:].strip().decode("utf-8", errors="replace")


def _refuse_twins(files: Sequence[Path]) -> None:
    pages: dict[str, Path] = {}
    for path in files:
        if (first := pages.setdefault(document_id(path), path)) is not path:
            what = f"is a second page of document {document_id(path)}, besides {first}"
            raise InputError(Problem(path, what, "remove one of the files"))
