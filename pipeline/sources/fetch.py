"""Fetching a file that the config pins by its SHA-256.

The digest is checked before the file is opened. The file stays in the cache under its digest, for
all campaigns. A later run resumes an interrupted download; the folder gets its final name only when
it is complete.

Pooch's own HTTPDownloader restarts after an interruption, has no deadline, and accepts any length
and any web page. `Download` replaces it; the cache and the final name are pooch's.
"""

import logging
import os
import shutil
import urllib.parse
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pooch
import requests
import urllib3.exceptions

from pipeline.errors import InputError, Problem
from pipeline.sources import addresses
from pipeline.sources.places import Deadline, Places, Transient, folder_in, unwritable
from pipeline.sources.unpack import fill, is_archive
from pipeline.storage.atomic import atomic_folder

CONTENT, PART, LOCK = "content", "part", "lock"
TRANSIENT = {408, 425, 429, 500, 502, 503, 504}
REDIRECTS = 10
CHUNK = 1 << 20
TIMEOUT = 30.0  # seconds without a byte
PAGES = (".html", ".htm", ".xhtml")  # file names for which a web page is expected
CORRECT = "correct the url of this source"
AGAIN = "check the address and the network, then rerun"


def fetch(folder: Path, *, url: str, sha256: str, unpack: bool, places: Places) -> None:
    """Fill `folder` with the files of the archive at `url`, or with the file itself.

    `url` is http(s), file:// or a local path. An http(s) file is read from the mirror, else from
    the cache, else downloaded within the deadline.
    """
    if addresses.has_credentials(url):  # such an address is never printed
        what, fix = addresses.CREDENTIALS
        raise InputError(Problem("", f"the address of a source {what}", fix))
    if reason := addresses.address_problem(url):
        raise InputError(Problem(url, *reason))
    digest, most = sha256.lower(), int(places.limit * 1e9)
    local_file, copy = addresses.local(url), places.mirror and places.mirror / addresses.place(url)
    name = local_file.name if local_file else addresses.name(url)

    def into(file: Path) -> None:
        with atomic_folder(folder) as draft:
            fill(draft, file=file, name=name, unpack=unpack, url=url, most=most)

    for file, source in ((local_file, url), (copy, str(copy))):
        if file is not None and file.is_file():
            _check(pooch.file_hash(str(file)), url=source, expected=digest)
            return into(file)
    deadline = Deadline(url, places.deadline)
    with _entry(folder, cache=places.cache, digest=digest, deadline=deadline) as entry:
        download = Download(part=entry / PART, sha256=digest, deadline=deadline, most=most)
        pooch.get_logger().setLevel(logging.WARNING)
        try:  # pooch checks the cache, and downloads what is missing or damaged
            pooch.retrieve(url, f"sha256:{digest}", CONTENT, path=entry, downloader=download)
        except InputError as error:
            if copy is None:
                raise
            problem = error.problems[0]
            fix = f"{problem.fix}; or put the file into the mirror as {copy}"
            raise InputError(replace(problem, fix=fix)) from None
        content = entry / CONTENT
        plain = not (unpack and is_archive(name)) and not name.lower().endswith(PAGES)
        if plain and _looks_like_page(content):  # the digest is that of an error page
            content.unlink()
            what = "the file with this digest is a web page, not data"
            raise InputError(Problem(url, what, "set url and sha256 to those of the file itself"))
        return into(content)


@contextmanager
def _entry(folder: Path, *, cache: Path | None, digest: str, deadline: Deadline) -> Iterator[Path]:
    """The locked folder of a digest in the cache; without a cache, one beside the source."""
    beside = folder.parent / f".fetch-{digest[:12]}"
    while True:
        entry = folder_in(cache, "files", digest) if cache else beside
        entry.mkdir(parents=True, exist_ok=True)
        try:
            lock = (entry / LOCK).open("w")
        except FileNotFoundError:  # another process removed the folder
            continue
        except OSError as error:
            raise unwritable(cache or beside, error) from None
        with lock:
            deadline.lock(lock.fileno())
            if os.fstat(lock.fileno()).st_nlink == 0:  # the previous holder removed it
                continue
            for leftover in entry.iterdir():  # of a killed process, since this one has the lock
                if leftover.name not in {CONTENT, PART, LOCK}:
                    leftover.unlink()
            try:
                yield entry
                if cache is None:
                    shutil.rmtree(entry)
            finally:
                (entry / LOCK).unlink(missing_ok=True)
                with suppress(OSError):  # not empty
                    entry.rmdir()
            return


class Session(requests.Session):
    """A session that follows redirects from http(s) to http(s) only."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url  # for messages
        self.max_redirects = REDIRECTS
        # No content encoding, because the digest is that of the stored bytes.
        self.headers.update({"User-Agent": "fathom", "Accept-Encoding": "identity"})

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """The address of a redirect, refused unless it is an http(s) address."""
        target = super().get_redirect_target(resp)
        if target is None:
            return None
        with suppress(ValueError):
            parts = urllib.parse.urlsplit(urllib.parse.urljoin(resp.url, target))
            if parts.scheme in {"http", "https"} and parts.hostname:
                return str(target)
        what = f"redirected to '{target}', which is not an http:// or https:// address"
        raise InputError(Problem(self.url, what, CORRECT))


@dataclass(frozen=True, kw_only=True)
class Download:
    """Downloads a file and checks its digest; the file `part` survives an interruption."""

    part: Path
    sha256: str
    deadline: Deadline
    most: int  # bytes

    def __call__(self, url: str, output_file: str, _: Any, check_only: bool = False) -> None:
        """Download `url` to `output_file`; called by pooch."""
        resumed = self.part.exists()
        try:
            with self.deadline.alarm():
                kind = self._all(url)
                if resumed and pooch.file_hash(str(self.part)) != self.sha256:
                    self.part.unlink()  # its beginning may be from an older version
                    kind = self._all(url)
        finally:
            if self.part.exists() and not self.part.stat().st_size:
                self.part.unlink()
        self.part.touch()  # in case the file is empty
        digest = pooch.file_hash(str(self.part))
        if digest != self.sha256:
            page = kind == "text/html" or _looks_like_page(self.part)
            self.part.unlink()
            if page and not addresses.name(url).lower().endswith(PAGES):
                fix = "open it in a browser, and set url to the address of the file itself"
                raise InputError(Problem(url, "the server sends a web page, not the file", fix))
        _check(digest, url=url, expected=self.sha256)
        self.part.replace(output_file)

    def _all(self, url: str) -> str:
        """Download the whole file, and return its content type."""

        def attempt() -> str:
            try:
                with Session(url) as session:
                    return self._stream(session, url)
            except requests.exceptions.TooManyRedirects:
                what = f"redirected more than {REDIRECTS} times"
                raise InputError(Problem(url, what, CORRECT)) from None
            except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema) as error:
                fix = f"{CORRECT}, or the proxy in the environment"
                raise InputError(Problem(url, f"cannot be requested ({error})", fix)) from None
            except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
                raise Transient(_reason(error)) from None

        return self.deadline.retry(attempt, fix=AGAIN)

    def _stream(self, session: Session, url: str) -> str:
        start = self.part.stat().st_size if self.part.exists() else 0
        headers = {"Range": f"bytes={start}-"} if start else {}
        timeout = max(min(TIMEOUT, self.deadline.left()), 0.1)
        with session.get(url, headers=headers, stream=True, timeout=timeout) as answer:
            self._check_status(url, answer, start=start)
            if answer.status_code != 206:  # the server sends the whole file again
                start = 0
            length = _length(url, answer)
            total = None if length is None else start + length
            size = self._write(url, answer, start=start, total=total)
        if total is not None and size < total:
            raise Transient(f"the connection was interrupted after {size} of {total} bytes")
        return str(answer.headers.get("Content-Type", "")).partition(";")[0].strip().lower()

    def _check_status(self, url: str, answer: requests.Response, *, start: int) -> None:
        part = answer.headers.get("Content-Range", f"bytes {start}-")
        if answer.status_code == 416 or not part.startswith(f"bytes {start}-"):
            self.part.unlink(missing_ok=True)  # it is not the beginning of this file
            raise Transient("the server cannot resume the download")
        if answer.status_code in {200, 206}:
            return
        reason = f"the server responds {answer.status_code} {answer.reason}".rstrip()
        if answer.status_code in TRANSIENT:
            raise Transient(reason)
        fix = "put name and password into ~/.netrc" if answer.status_code == 401 else CORRECT
        raise InputError(Problem(url, reason, fix))

    def _write(self, url: str, answer: requests.Response, *, start: int, total: int | None) -> int:
        """Write the response to the part file, and return the size of that file."""
        answer.raw.enforce_content_length = False  # a short response is resumed by the caller
        size = start
        with self.part.open("ab" if start else "wb") as file:
            while chunk := _read(answer.raw, size=size, total=total):
                try:
                    file.write(chunk)
                except OSError as error:
                    fix = "free disk space, or set FATHOM_CACHE or fetch.cache to another folder"
                    what = f"cannot be written ({error.strerror})"
                    raise InputError(Problem(self.part.parent, what, fix)) from None
                size += len(chunk)
                if size > self.most:
                    fix = "set a higher fetch.limit if the file is right"
                    what = f"the file has more than {self.most / 1e9:g} GB"
                    raise InputError(Problem(url, what, fix))
                self.deadline.check()
                of = f" of {total / 1e6:.0f}" if total else ""
                self.deadline.show(f"{size / 1e6:.0f}{of} MB")
        return size


def _check(digest: str, *, url: str, expected: str) -> None:
    if digest != expected:
        what = f"the file has the SHA-256 {digest}, but the config has {expected}"
        raise InputError(Problem(url, what, "if the new file is right, set sha256 to its digest"))


def _looks_like_page(path: Path) -> bool:
    with path.open("rb") as file:
        start = file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html"))


def _read(raw: Any, *, size: int, total: int | None) -> bytes:
    """The bytes received so far; waiting for more would let a slow server bypass the deadline."""
    try:
        return bytes(raw.read1(CHUNK, decode_content=False) or b"")
    except urllib3.exceptions.ProtocolError:
        of = f" of {total}" if total is not None else ""
        raise Transient(f"the connection was interrupted after {size}{of} bytes") from None


def _length(url: str, answer: requests.Response) -> int | None:
    """The announced number of bytes, or None; an invalid number is refused (RFC 9112, 6.3)."""
    length = answer.headers.get("Content-Length")
    if length is None or "Transfer-Encoding" in answer.headers:
        return None
    if not (length.isascii() and length.isdecimal() and len(length) < 19):
        what = f"the server sends an invalid Content-Length, '{length[:60]}'"
        raise InputError(Problem(url, what, "report it to the server's operator, or change url"))
    return int(length)


def _reason(error: Exception) -> str:
    """Why a connection failed, in a few words; libraries chain several exceptions."""
    layers: list[BaseException] = []
    layer: BaseException | None = error
    while layer is not None and layer not in layers:
        layers.append(layer)
        layer = layer.__cause__ or layer.__context__
    for layer in layers:
        if isinstance(layer, requests.exceptions.ProxyError):
            return "the proxy does not respond"
        if isinstance(layer, requests.exceptions.SSLError):
            return "its certificate is not accepted"
        if isinstance(layer, urllib3.exceptions.NameResolutionError):
            return f"the host {layer.conn.host} is unknown"
        if isinstance(layer, OSError) and layer.strerror:
            return layer.strerror
    late = (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)
    if any(isinstance(layer, late) for layer in layers):
        return f"no byte for {TIMEOUT:g} seconds"
    return "the server does not respond in HTTP"
