"""Fetching a pinned file: the same bytes for everybody, or a clear refusal.

The file is checked against its SHA-256 before anything looks inside, and stays in the cache under
that digest, for all campaigns. A later run resumes a download that broke off; the folder appears
under its name only when complete.

Pooch's own HTTPDownloader starts again after a break, has no deadline, and takes any length and
any page a server sends. So `Download` stands in its place; cache and final name stay pooch's.
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
PAGES = (".html", ".htm", ".xhtml")  # names under which a web page is what is wanted
CORRECT = "correct the url of this source"
AGAIN = "check the address and the network, then run again"


def fetch(folder: Path, *, url: str, sha256: str, unpack: bool, places: Places) -> None:
    """Fill `folder` with the archive at `url`, or with the one file if it is not an archive.

    `url` is http(s), file:// or a local path; the file of an http(s) address is taken from the
    mirror, else from the cache, else from the net, within the deadline.
    """
    if addresses.secret(url):  # which is never shown
        what, fix = addresses.SECRET
        raise InputError(Problem("", f"the address of a source {what}", fix))
    if wrong := addresses.fault(url):
        raise InputError(Problem(url, *wrong))
    wanted, most = sha256.lower(), int(places.limit * 1e9)
    found, copy = addresses.local(url), places.mirror and places.mirror / addresses.place(url)
    name = found.name if found else addresses.name(url)

    def into(file: Path) -> None:
        with atomic_folder(folder) as draft:
            fill(draft, file=file, name=name, unpack=unpack, url=url, most=most)

    for file, shown in ((found, url), (copy, str(copy))):
        if file is not None and file.is_file():
            _check(pooch.file_hash(str(file)), url=shown, wanted=wanted)
            return into(file)
    deadline = Deadline(url, places.deadline)
    with _entry(folder, cache=places.cache, digest=wanted, deadline=deadline) as entry:
        download = Download(part=entry / PART, sha256=wanted, deadline=deadline, most=most)
        pooch.get_logger().setLevel(logging.WARNING)
        try:  # pooch looks into the cache, and downloads what is not there or damaged
            pooch.retrieve(url, f"sha256:{wanted}", CONTENT, path=entry, downloader=download)
        except InputError as error:
            if copy is None:
                raise
            problem = error.problems[0]
            fix = f"{problem.fix}; the mirror would have it as {copy}"
            raise InputError(replace(problem, fix=fix)) from None
        kept = entry / CONTENT
        plain = not (unpack and is_archive(name)) and not name.lower().endswith(PAGES)
        if plain and _looks_like_page(kept):  # somebody took the digest of an error
            kept.unlink()
            what = "this is a web page, not a file of data, though the config has its digest"
            fix = "give the address and the digest of the file itself"
            raise InputError(Problem(url, what, fix))
        return into(kept)


@contextmanager
def _entry(folder: Path, *, cache: Path | None, digest: str, deadline: Deadline) -> Iterator[Path]:
    """The folder of one digest in the cache, locked as long as it is used.

    Without a cache it is a folder beside the source, removed once that is complete.
    """
    beside = folder.parent / f".fetch-{digest[:12]}"
    while True:
        entry = folder_in(cache, "files", digest) if cache else beside
        entry.mkdir(parents=True, exist_ok=True)
        try:
            lock = (entry / LOCK).open("w")
        except FileNotFoundError:  # another process was just leaving
            continue
        except OSError as error:
            raise unwritable(cache or beside, error) from None
        with lock:
            deadline.lock(lock.fileno())
            if os.fstat(lock.fileno()).st_nlink == 0:  # the one before us removed it
                continue
            for left in entry.iterdir():  # of a killed process; nobody else is here
                if left.name not in {CONTENT, PART, LOCK}:
                    left.unlink()
            try:
                yield entry
                if cache is None:
                    shutil.rmtree(entry)
            finally:
                (entry / LOCK).unlink(missing_ok=True)
                with suppress(OSError):  # it holds something
                    entry.rmdir()
            return


class Session(requests.Session):
    """A session that follows redirects from http(s) to http(s) only."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url  # for messages
        self.max_redirects = REDIRECTS
        # The bytes as they are stored: a digest is of those, not of what an encoding makes of them.
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
        what = f"redirected to '{target}', which is no http:// or https:// address"
        raise InputError(Problem(self.url, what, CORRECT))


@dataclass(frozen=True, kw_only=True)
class Download:
    """Fetches a file with its digest, by way of a file `part` that outlives a kill."""

    part: Path
    sha256: str
    deadline: Deadline
    most: int  # bytes

    def __call__(self, url: str, output_file: str, _: Any, check_only: bool = False) -> None:
        """What pooch calls: the address, and the name it wants the file under."""
        resumed = self.part.exists()
        try:
            with self.deadline.alarm():
                kind = self._all(url)
                if resumed and pooch.file_hash(str(self.part)) != self.sha256:
                    self.part.unlink()  # the beginning may be of an older version
                    kind = self._all(url)
        finally:
            if self.part.exists() and not self.part.stat().st_size:
                self.part.unlink()
        self.part.touch()  # an empty file is a file
        digest = pooch.file_hash(str(self.part))
        if digest != self.sha256:
            page = kind == "text/html" or _looks_like_page(self.part)
            self.part.unlink()
            if page and not addresses.name(url).lower().endswith(PAGES):
                fix = "open the address in a browser, and give the one the file itself is at"
                raise InputError(Problem(url, "the server sends a web page, not the file", fix))
        _check(digest, url=url, wanted=self.sha256)
        self.part.replace(output_file)

    def _all(self, url: str) -> str:
        """Fetch the whole file, and return the type the server says it has."""

        def attempt() -> str:
            try:
                with Session(url) as session:
                    return self._stream(session, url)
            except requests.exceptions.TooManyRedirects:
                what = f"redirected more than {REDIRECTS} times, as in a circle"
                raise InputError(Problem(url, what, CORRECT)) from None
            except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema) as error:
                fix = f"{CORRECT}, or the proxy in the environment"
                raise InputError(Problem(url, f"cannot be asked for ({error})", fix)) from None
            except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
                raise Transient(_reason(error)) from None

        return self.deadline.retry(attempt, fix=AGAIN)

    def _stream(self, session: Session, url: str) -> str:
        start = self.part.stat().st_size if self.part.exists() else 0
        wanted = {"Range": f"bytes={start}-"} if start else {}
        timeout = max(min(TIMEOUT, self.deadline.left()), 0.1)
        with session.get(url, headers=wanted, stream=True, timeout=timeout) as answer:
            self._check_status(url, answer, start=start)
            if answer.status_code != 206:  # the server sends everything, so begin again
                start = 0
            length = _length(url, answer)
            total = None if length is None else start + length
            done = self._write(url, answer, start=start, total=total)
        if total is not None and done < total:
            raise Transient(f"the connection broke off after {done} of {total} bytes")
        return str(answer.headers.get("Content-Type", "")).partition(";")[0].strip().lower()

    def _check_status(self, url: str, answer: requests.Response, *, start: int) -> None:
        """Refuse an answer that does not hold the file."""
        part = answer.headers.get("Content-Range", f"bytes {start}-")
        if answer.status_code == 416 or not part.startswith(f"bytes {start}-"):
            self.part.unlink(missing_ok=True)  # what is there is not the beginning of this file
            raise Transient("the server cannot continue what is there")
        if answer.status_code in {200, 206}:
            return
        reason = f"the server answers {answer.status_code} {answer.reason}".rstrip()
        if answer.status_code in TRANSIENT:
            raise Transient(reason)
        fix = "give name and password in ~/.netrc" if answer.status_code == 401 else CORRECT
        raise InputError(Problem(url, reason, fix))

    def _write(self, url: str, answer: requests.Response, *, start: int, total: int | None) -> int:
        """Write what comes, and return how many bytes are there then."""
        answer.raw.enforce_content_length = False  # what is missing is reported, and continued
        done = start
        with self.part.open("ab" if start else "wb") as file:
            while chunk := _read(answer.raw, done=done, total=total):
                try:
                    file.write(chunk)
                except OSError as error:
                    fix = "make room, or set FATHOM_CACHE or fetch.cache to another folder"
                    what = f"cannot be written ({error.strerror})"
                    raise InputError(Problem(self.part.parent, what, fix)) from None
                done += len(chunk)
                if done > self.most:
                    fix = "give a higher limit with fetch.limit if it is meant"
                    what = f"the file has more than {self.most / 1e9:g} GB"
                    raise InputError(Problem(url, what, fix))
                self.deadline.check()
                of = f" of {total / 1e6:.0f}" if total else ""
                self.deadline.show(f"{done / 1e6:.0f}{of} MB")
        return done


def _check(digest: str, *, url: str, wanted: str) -> None:
    if digest != wanted:
        what = f"the file has the SHA-256 {digest}, but the config wants {wanted}"
        fix = "if the new file is the right one, put its digest in the config"
        raise InputError(Problem(url, what, fix))


def _looks_like_page(path: Path) -> bool:
    """Whether a file begins as a web page does."""
    with path.open("rb") as file:
        start = file.read(1000).removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    return start.startswith((b"<!doctype html", b"<html"))


def _read(raw: Any, *, done: int, total: int | None) -> bytes:
    """What has arrived, without waiting for more: a slow server must not hide from the deadline."""
    try:
        return bytes(raw.read1(CHUNK, decode_content=False) or b"")
    except urllib3.exceptions.ProtocolError:
        of = f" of {total}" if total is not None else ""
        raise Transient(f"the connection broke off after {done}{of} bytes") from None


def _length(url: str, answer: requests.Response) -> int | None:
    """How many bytes follow, if the server says so; RFC 9112, 6.3 has a wrong number refused."""
    given = answer.headers.get("Content-Length")
    if given is None or "Transfer-Encoding" in answer.headers:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) < 19):
        what = f"the server announces '{given[:60]}' bytes (Content-Length), which is no number"
        raise InputError(Problem(url, what, "tell its keeper, or give another url"))
    return int(given)


def _reason(error: Exception) -> str:
    """Why a connection failed, in a few words; the libraries wrap what happened in layers."""
    layers: list[BaseException] = []
    layer: BaseException | None = error
    while layer is not None and layer not in layers:
        layers.append(layer)
        layer = layer.__cause__ or layer.__context__
    for layer in layers:
        if isinstance(layer, requests.exceptions.ProxyError):
            return "the proxy does not answer"
        if isinstance(layer, requests.exceptions.SSLError):
            return "its certificate is not accepted"
        if isinstance(layer, urllib3.exceptions.NameResolutionError):
            return f"the host {layer.conn.host} is unknown"
        if isinstance(layer, OSError) and layer.strerror:
            return layer.strerror
    late = (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError)
    if any(isinstance(layer, late) for layer in layers):
        return f"no byte for {TIMEOUT:g} seconds"
    return "the server does not answer in HTTP"
