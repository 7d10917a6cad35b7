"""Addresses of files: what is wrong with one, the file behind it, and its place in a mirror."""

import re
import urllib.parse
import urllib.request
from pathlib import Path, PurePosixPath

from pipeline.errors import InputError

SCHEMES = ("http", "https", "file")
SECRET = (
    "holds a name or a password before the @, which logs and the report would show; write the "
    "address without it, and the password into ~/.netrc"
)
_LABEL = re.compile(r"(?!-)[^\s/?#@:\\%<>\"{}|^`\[\]]{1,63}(?<!-)")


def fault(url: str) -> str | None:
    """What is wrong with an address, or None: what and its fix.

    >>> fault("http://host:port/x")
    'the address has no port after the host but a word; write digits there, or nothing'
    >>> fault("https://example.org/café.txt")
    """
    scheme, mark, _ = url.partition("://")
    if not mark:
        return None  # a local path
    if white := re.search(r"[\x00-\x20\x7f]", url):
        code = f"%{ord(white[0]):02X}"
        return f"the address holds the character {white[0]!r}; remove it, or write it as {code}"
    if scheme.lower() not in SCHEMES:
        return "only http://, https://, file:// and local paths can be fetched"
    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError:
        return "the address has a host that cannot be read; correct what stands after ://"
    if parts.scheme == "file":
        if parts.netloc not in {"", "localhost"}:
            return (
                f"the address names the host '{parts.netloc}'; "
                "write file:/// and the path on this machine"
            )
        return None
    try:
        port = parts.port
    except ValueError:
        told = parts.netloc.rpartition(":")[2]
        if told.isdecimal():
            return f"the address has the port {told}; ports go to 65535"
        return "the address has no port after the host but a word; write digits there, or nothing"
    if port == 0:
        return "the address has the port 0; ports begin with 1"
    if not parts.hostname:
        return "the address names no host; write it after ://"
    if ":" not in parts.hostname and not _named(parts.hostname):
        return f"the address has a host '{parts.hostname}' that no computer can have; correct it"
    if not name(url):
        return "the address names no file; give the address of the file itself"
    return None


def secret(url: str) -> bool:
    """Whether an address of a server carries a name or a password; such a one is never shown.

    >>> secret("https://me:pass@host/x"), secret("https://host/a@b")
    (True, False)
    """
    _, mark, rest = url.partition("://")
    return bool(mark) and "@" in re.split(r"[/?#]", rest, maxsplit=1)[0]


def _named(host: str) -> bool:
    """Whether a host has the form of one; letters of other alphabets are written in ASCII."""
    labels = host.removesuffix(".").split(".")
    if not all(_LABEL.fullmatch(label) for label in labels):
        return False
    try:
        host.encode("ascii" if host.isascii() else "idna")
    except UnicodeError:
        return False
    return True


def name(url: str) -> str:
    """The name of the file at an address.

    >>> name("https://host/my%20labels.qrels?raw=1")
    'my labels.qrels'
    """
    path = urllib.parse.unquote(urllib.parse.urlsplit(url).path)
    named = path.rpartition("/")[2]
    return "" if named in {".", ".."} or not named.isprintable() else named


def local(url: str) -> Path | None:
    """The local file behind a file:// address or a plain path; None for http(s)."""
    if "://" not in url:
        path = Path(url)
    else:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme != "file":
            return None
        path = Path(urllib.request.url2pathname(parts.path))
    if path.is_dir():
        raise InputError(f"{url}: a folder needs no fetching; use its path in the config itself")
    if not path.is_file():
        raise InputError(f"{url}: there is no such file; correct the url of this source")
    return path


def mirrored(url: str, mirror: Path | None) -> Path | None:
    """Where a mirror has, or would have, what is at an http(s) address: `<host>/<path>`."""
    if mirror is None:
        return None
    parts = urllib.parse.urlsplit(url)
    path = PurePosixPath(urllib.parse.unquote(parts.path).lstrip("/"))
    inside = [part for part in path.parts if part not in {".", ".."}]
    return mirror.joinpath(parts.hostname or "", *inside)
