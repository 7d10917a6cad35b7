"""Downloading for pooch: continued where it broke off, and bounded in every way.

Pooch's own HTTPDownloader starts again after a break, has no deadline, and takes any length and
any page a server sends. So this one stands in its place; cache and final name stay pooch's.
"""

import sys
import time
import urllib.parse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pooch
import requests
import urllib3.exceptions

from pipeline.errors import InputError
from pipeline.sources.addresses import name
from pipeline.sources.deadline import Deadline

TRANSIENT = {408, 425, 429, 500, 502, 503, 504}
REDIRECTS = 10
CHUNK = 1 << 20
TOLD_EVERY = 5.0  # seconds
PAGES = (".html", ".htm", ".xhtml")  # names under which a web page is what is wanted


class Transient(Exception):
    """A failure that may pass; the text is its reason."""


class Elsewhere(Exception):
    """A redirect to what is no address of http(s); the text is where to."""


class Session(requests.Session):
    """A session that goes from http(s) to http(s) only, whatever a server says."""

    def __init__(self) -> None:
        super().__init__()
        self.max_redirects = REDIRECTS
        # The bytes as they are stored: a digest is of those, not of what an encoding makes of them.
        self.headers.update({"User-Agent": "fathom", "Accept-Encoding": "identity"})

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """Where the server sends us, refused unless it is an address of http(s)."""
        target = super().get_redirect_target(resp)
        if target is None:
            return None
        try:
            parts = urllib.parse.urlsplit(urllib.parse.urljoin(resp.url, target))
            good = parts.scheme in {"http", "https"} and bool(parts.hostname)
        except ValueError:
            good = False
        if not good:
            raise Elsewhere(target)
        return str(target)


@dataclass(frozen=True, kw_only=True)
class Download:
    """Brings what is at an address, with its digest, by way of a file `part` that outlives a kill.

    Transient failures are tried `tries` times, with a pause that doubles from `pause` seconds.
    """

    part: Path
    sha256: str
    deadline: Deadline
    most: int  # bytes
    tries: int
    pause: float
    timeout: float  # seconds without a byte

    def __call__(self, url: str, output_file: str, _: Any, check_only: bool = False) -> None:
        """What pooch calls: the address, and the name it wants the file under."""
        continued = self.part.exists()
        try:
            with self.deadline.alarm():
                kind = self._all(url)
                if continued and pooch.file_hash(str(self.part)) != self.sha256:
                    self.part.unlink()  # the beginning may be of an older version
                    kind = self._all(url)
        finally:
            if self.part.exists() and not self.part.stat().st_size:
                self.part.unlink()
        if not self.part.exists():
            self.part.touch()  # an empty file is a file
        self._check(url, kind=kind)
        self.part.replace(output_file)

    def _check(self, url: str, *, kind: str) -> None:
        """Refuse a file with another digest, and say so if it is no file but a web page."""
        found = pooch.file_hash(str(self.part))
        if found == self.sha256:
            return
        page = kind == "text/html" or looks_like_page(self.part)
        self.part.unlink()
        if page and not name(url).lower().endswith(PAGES):
            raise InputError(
                f"{url}: the server sends a web page, not the file; open the address in a browser, "
                "and give the one the file itself is at"
            )
        raise wrong_digest(url, found=found, wanted=self.sha256)

    def _all(self, url: str) -> str:
        """Bring the whole file, and return the type the server says it has."""
        reason = ""
        for attempt in range(self.tries):
            if attempt:
                self.deadline.sleep(self.pause * 2 ** (attempt - 1))
                print(f"{url}: {reason}; trying again", file=sys.stderr)
            try:
                with Session() as session:
                    return self._stream(session, url)
            except Transient as error:
                reason = str(error)
            except requests.exceptions.TooManyRedirects:
                raise InputError(
                    f"{url}: redirected more than {REDIRECTS} times, as in a circle; "
                    "correct the url of this source"
                ) from None
            except Elsewhere as error:
                raise InputError(
                    f"{url}: redirected to '{error}', which is no http:// or https:// address; "
                    "correct the url of this source"
                ) from None
            except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema) as error:
                raise InputError(
                    f"{url}: cannot be asked for ({error}); correct the url of this source, or the "
                    "proxy in the environment"
                ) from None
            except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
                reason = _reason(error, timeout=self.timeout)
        raise InputError(
            f"{url}: not fetched after {self.tries} tries ({reason}); "
            "check the address and the network, then run again"
        )

    def _stream(self, session: Session, url: str) -> str:
        start = self.part.stat().st_size if self.part.exists() else 0
        wanted = {"Range": f"bytes={start}-"} if start else {}
        timeout = max(min(self.timeout, self.deadline.left()), 0.1)
        with session.get(url, headers=wanted, stream=True, timeout=timeout) as answer:
            self._refuse(url, answer, start=start)
            if answer.status_code != 206:  # the server sends everything, so begin again
                start = 0
            length = _length(url, answer)
            total = start + length if length is not None else None
            done = self._write(url, answer, start=start, total=total)
        if total is not None and done < total:
            raise Transient(f"the connection broke off after {done} of {total} bytes")
        return str(answer.headers.get("Content-Type", "")).partition(";")[0].strip().lower()

    def _refuse(self, url: str, answer: requests.Response, *, start: int) -> None:
        """Refuse what is no answer with the file in it."""
        part = answer.headers.get("Content-Range", f"bytes {start}-")
        if answer.status_code == 416 or not part.startswith(f"bytes {start}-"):
            self.part.unlink(missing_ok=True)  # what is there is not the beginning of this file
            raise Transient("the server cannot continue what is there")
        if answer.status_code in {200, 206}:
            return
        reason = f"the server answers {answer.status_code} {answer.reason}".rstrip()
        if answer.status_code in TRANSIENT:
            raise Transient(reason)
        if answer.status_code == 401:
            raise InputError(f"{url}: {reason}; give name and password in ~/.netrc")
        raise InputError(f"{url}: {reason}; correct the url of this source")

    def _write(self, url: str, answer: requests.Response, *, start: int, total: int | None) -> int:
        """Write what comes, and return how many bytes are there then."""
        raw = answer.raw
        raw.enforce_content_length = False  # what is missing is told, and continued
        done, told = start, time.monotonic()
        with self.part.open("ab" if start else "wb") as file:
            while chunk := _read(raw, done=done, total=total):
                try:
                    file.write(chunk)
                except OSError as error:
                    raise InputError(
                        f"{self.part.parent}: cannot be written ({error.strerror}); "
                        "make room, or set FATHOM_CACHE or fetch.cache to another folder"
                    ) from None
                done += len(chunk)
                if done > self.most:
                    raise InputError(
                        f"{url}: the file has more than {self.most / 1e9:g} GB; "
                        "give a higher limit with fetch.limit if it is meant"
                    )
                self.deadline.check()
                if time.monotonic() - told > TOLD_EVERY:
                    of = f" of {total / 1e6:.0f}" if total else ""
                    print(f"{url}: {done / 1e6:.0f}{of} MB", file=sys.stderr)
                    told = time.monotonic()
        return done


def wrong_digest(url: str, *, found: str, wanted: str) -> InputError:
    """The sentence about a file with another digest than the config has."""
    return InputError(
        f"{url}: the file has the SHA-256 {found}, but the config wants {wanted}; "
        "if the new file is the right one, put its digest in the config"
    )


def looks_like_page(path: Path) -> bool:
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
        raise InputError(
            f"{url}: the server announces '{given[:60]}' bytes (Content-Length), which is no "
            "number; tell its keeper, or give another url"
        )
    return int(given)


def _reason(error: Exception, *, timeout: float) -> str:
    """Why a connection failed, in a few words; the libraries wrap what happened in layers."""
    layers: list[BaseException] = []
    seen: BaseException | None = error
    while seen is not None and seen not in layers:
        layers.append(seen)
        seen = seen.__cause__ or seen.__context__
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
        return f"no byte for {timeout:g} seconds"
    return "the server does not answer in HTTP"
