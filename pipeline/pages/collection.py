"""Readers of page collections: folders of pages, WARC files, and CLEF's `.dat` files.

Each gives (document id, bytes) one after the other and holds one page at a time, never more of it
than the largest that is cleansed. What is odd in a file is noted, not fatal: a collection of a
million pages has truncated records.

A shard is a part of the collection that one job reads. Single pages belong to it by their id, and
containers by their name, so that a new file moves no other; where containers are few, every shard
reads all of them and keeps the documents that are its own by id.
"""

import gzip
import re
import zlib
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from pipeline.errors import InputError
from pipeline.pages.cleanse.guards import LARGEST
from pipeline.storage.text import damaged

Page = tuple[str, bytes]
_CONTAINER = re.compile(r"\.(warc|dat)(\.gz)?$", re.IGNORECASE)
_PIECE = 1 << 20
_FEW = 4  # containers a shard: fewer are shared out by document


def document_id(path: Path) -> str:
    """A page's document: its file name without `.gz` and `.html`, `.htm` or `.xhtml`.

    Other endings stay, since document ids have dots of their own.

    >>> document_id(Path("pages/aldf.1864_12_000027.html.gz"))
    'aldf.1864_12_000027'
    >>> document_id(Path("pages/aldf.1864_12_000027"))
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
    containers = [path for path in files if is_container(path)]
    by_name = _by_name(containers, shards)
    return [
        path
        for path in files
        if (is_container(path) and not by_name)
        or shard_of(path.name if is_container(path) else document_id(path), shards=shards) == shard
    ]


def _by_name(containers: Sequence[Path], shards: int) -> bool:
    return len(containers) >= _FEW * shards


def read(
    files: Sequence[Path],
    *,
    notes: list[str],
    shard: int = 0,
    shards: int = 1,
    wanted: Collection[str] | None = None,
) -> Iterator[Page]:
    """The pages of one shard, only the `wanted` ones if such a set is given.

    What is odd in a file is added to `notes`, a sentence each.
    """
    _refuse_twins([path for path in files if not is_container(path)])
    whole = _by_name([path for path in files if is_container(path)], shards)
    for path in share(files, shard=shard, shards=shards):
        if not is_container(path):
            document = document_id(path)
            if wanted is None or document in wanted:
                yield document, read_page(path)
            continue
        for document, page in read_container(path, notes=notes):
            if (wanted is None or document in wanted) and (
                whole or shard_of(document, shards=shards) == shard
            ):
                yield document, page


def read_page(path: Path) -> bytes:
    """One page, unpacked if its name ends in .gz.

    What is no gzip in spite of its name comes as it is, and the cleanser gives it its reason.
    """
    try:
        if path.suffix.lower() != ".gz":
            with path.open("rb") as file:
                return file.read(LARGEST + 1)
        try:
            with gzip.open(path) as unpacked:
                return unpacked.read(LARGEST + 1)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            with path.open("rb") as file:
                return file.read(LARGEST + 1)
    except OSError as error:
        raise InputError(
            f"{path}: cannot read the page of document {document_id(path)}"
            f" ({error.strerror or 'unreadable'}); correct the pages' path or its permissions."
        ) from error


def read_container(path: Path, *, notes: list[str]) -> Iterator[Page]:
    """The pages of one WARC or `.dat` file."""
    found = _CONTAINER.search(path.name)
    assert found is not None
    try:
        if found[1].lower() == "warc":
            yield from _read_warc(path, notes=notes)
        else:
            with _opened(path) as file:
                yield from _read_dat(file, path=path, notes=notes)
    except OSError as error:
        if isinstance(error, FileNotFoundError | PermissionError):
            raise InputError(f"{path}: cannot be read ({error.strerror}); correct it.") from error
        notes.append(f"{path}: not readable to its end ({error}); the pages before that count.")
    except damaged() as error:
        notes.append(f"{path}: not readable to its end ({error}); the pages before that count.")


def _opened(path: Path) -> Any:
    if path.suffix.lower() == ".gz":
        from isal import igzip

        return igzip.IGzipFile(path)  # type: ignore[no-untyped-call]
    return path.open("rb")


def _read_warc(path: Path, *, notes: list[str]) -> Iterator[Page]:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    kinds = WarcRecordType.response | WarcRecordType.resource | WarcRecordType.conversion
    if not path.stat().st_size:
        notes.append(f"{path}: the file is empty.")
        return
    with path.open("rb") as file:
        marker = b"\x1f\x8b\x08" if file.read(2) == b"\x1f\x8b" else b"WARC/1."
        begin = 0
        while True:
            reached = begin  # behind it begins what has not been read
            file.seek(begin)
            problem = ""
            fresh = begin == 0  # a stretch that cannot be read is told once
            try:
                for record in ArchiveIterator(
                    file, record_types=kinds, parse_http=True, auto_decode="content"
                ):
                    at = record.stream_pos
                    fresh = True
                    reached = at + (0 if marker[0] == 0x1F else _declared(record))
                    document = _warc_id(record)
                    if not document:
                        notes.append(f"{path}: a record without an id is left out.")
                        continue
                    expected = min(record.content_length, LARGEST + 1)  # behind HTTP's head
                    page = record.reader.read(LARGEST + 1)
                    packed = record.is_http_parsed and record.http_headers.get("Content-Encoding")
                    if len(page) < expected and not packed:
                        notes.append(
                            f"{path}: the record of document {document} is truncated and left out."
                        )
                        reached = at
                        break  # its length is wrong: what follows may be good
                    yield document, page
                else:
                    return
            except (OSError, EOFError, zlib.error) as error:
                problem = str(error)
            following = _next(file, marker, after=reached + 1)
            if following is None:
                if problem:
                    raise OSError(problem)
                return
            if problem and fresh:
                notes.append(f"{path}: not readable behind byte {reached} ({problem}); going on.")
            begin = following


def _declared(record: Any) -> int:
    """The length a record's head gives it, 0 if that is no number."""
    length = str(record.headers.get("Content-Length") or "")
    return int(length) if length.isdecimal() and len(length) < 16 else 0


def _next(file: IO[bytes], marker: bytes, *, after: int) -> int | None:
    """Where the next record may begin; None if there is none."""
    file.seek(after)
    kept = b""
    while piece := file.read(_PIECE):
        found = (kept + piece).find(marker)
        if found >= 0:
            return after - len(kept) + found
        after += len(piece)
        kept = (kept + piece)[-len(marker) + 1 :]
    return None


def _warc_id(record: Any) -> str:
    """WARC-TREC-ID, else the UUID of the record."""
    given = record.headers.get("WARC-TREC-ID")
    name = given if given else (record.record_id or "").strip("<>").removeprefix("urn:uuid:")
    return str(name).strip()


def _read_dat(file: IO[bytes], *, path: Path, notes: list[str]) -> Iterator[Page]:
    """Records of `#UID:`, date, URL and `#CONTENT:`, up to a line that is exactly `#EOR`."""
    document = ""
    content: list[bytes] | None = None
    size = 0
    starts = True  # whether this piece begins a line: only then can it be a marker
    while piece := file.readline(_PIECE):
        bare = piece.rstrip(b"\r\n") if starts else b""
        if content is None:
            if bare.startswith(b"#UID:"):
                document = bare[5:].strip().decode("utf-8", errors="replace")
            elif bare.startswith(b"#CONTENT:"):
                content, size = [piece[9:]], len(piece) - 9
                if not document:
                    notes.append(f"{path}: a record without #UID: is left out.")
        elif bare.startswith(b"#DATE:") and content[-1].startswith(b"#UID:"):
            notes.append(  # it must not swallow the next; a page may have one such line, not two
                f"{path}: the record of document {document or '(without id)'} has no #EOR and is "
                "left out."
            )
            document = content[-1][5:].strip().decode("utf-8", errors="replace")
            content = None
        elif bare == b"#EOR":
            if document:
                yield document, b"".join(content)
            document, content = "", None
        elif size <= LARGEST:  # the rest of a page that is too large anyway is skipped
            content.append(piece)
            size += len(piece)
        starts = piece.endswith(b"\n")
    if document or content is not None:
        notes.append(
            f"{path}: the last record, document {document or '(without id)'}, is truncated and left"
            " out."
        )


def _refuse_twins(files: Sequence[Path]) -> None:
    seen: dict[str, Path] = {}
    for path in files:
        first = seen.setdefault(document_id(path), path)
        if first is not path:
            raise InputError(
                f"{path}: the document {document_id(path)} has a page already, {first};"
                " keep one of them."
            )
