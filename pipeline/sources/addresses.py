"""Addresses of files: what is wrong with one, the file behind it, and its place in a mirror."""

import re
import urllib.parse
import urllib.request
from pathlib import Path, PurePosixPath

from pipeline.errors import InputError, Problem

SCHEMES = ("http", "https", "file")
SECRET = (
    "holds a name or a password before the @, which logs and the report would show",
    "write the address without it, and the password into ~/.netrc",
)
_LABEL = re.compile(r"(?!-)[^\s/?#@:\\%<>\"{}|^`\[\]]{1,63}(?<!-)")


def fault(url: str) -> tuple[str, str] | None:
    """What is wrong with an address, and its fix; or None.

    >>> fault("http:///x.tar")
    ('the address names no host', 'write it after ://')
    >>> fault("https://example.org/café.txt")
    """
    scheme, mark, rest = url.partition("://")
    if not mark:
        return None  # a local path
    if white := re.search(r"[\x00-\x20\x7f]", url):
        code = f"%{ord(white[0]):02X}"
        return f"the address holds the character {white[0]!r}", f"remove it, or write it as {code}"
    if scheme.lower() not in SCHEMES:
        fix = "download the file yourself, and give its path"
        return "only http://, https://, file:// and local paths can be fetched", fix
    host = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if scheme.lower() == "file":
        fix = "write file:/// and the path on this machine"
        named = host not in {"", "localhost"}
        return (f"the address names the host '{host}'", fix) if named else None
    try:
        parts = urllib.parse.urlsplit(url)
        readable = parts.port != 0
    except ValueError:
        readable = False
    if not readable:
        fix = "write a host after ://, or a host, a colon and a port in digits, 1 to 65535"
        return f"the address has the host and port '{host}'", fix
    if not parts.hostname:
        return "the address names no host", "write it after ://"
    if ":" not in parts.hostname and not _is_host(parts.hostname):
        return f"the address has a host '{parts.hostname}' that no computer can have", "correct it"
    if not name(url):
        return "the address names no file", "give the address of the file itself"
    return None


def secret(url: str) -> bool:
    """Whether an address of a server carries a name or a password, and so is never shown.

    >>> secret("https://me:pass@host/x"), secret("https://host/a@b")
    (True, False)
    """
    _, mark, rest = url.partition("://")
    return bool(mark) and "@" in re.split(r"[/?#]", rest, maxsplit=1)[0]


def _is_host(host: str) -> bool:
    """Whether a host has the form of one; letters of other alphabets are written in ASCII."""
    try:
        host.encode("ascii" if host.isascii() else "idna")
    except UnicodeError:
        return False
    return all(_LABEL.fullmatch(label) for label in host.removesuffix(".").split("."))


def name(url: str) -> str:
    """The name of the file at an address.

    >>> name("https://host/my%20labels.qrels?raw=1")
    'my labels.qrels'
    """
    last = urllib.parse.unquote(urllib.parse.urlsplit(url).path).rpartition("/")[2]
    return "" if last in {".", ".."} or not last.isprintable() else last


def local(url: str) -> Path | None:
    """The local file behind a file:// address or a plain path; None for http(s)."""
    path = Path(url)
    if "://" in url:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme != "file":
            return None
        path = Path(urllib.request.url2pathname(parts.path))
    if path.is_dir():
        fix = "use its path in the config itself"
        raise InputError(Problem(url, "a folder needs no fetching", fix))
    if not path.is_file():
        raise InputError(Problem(url, "there is no such file", "correct the url of this source"))
    return path


def place(url: str) -> PurePosixPath:
    """The folders of an http(s) address in a mirror or a cache: its host and path.

    >>> str(place("https://host/my%20data/./runs.tar.gz?raw=1"))
    'host/my data/runs.tar.gz'
    """
    parts = urllib.parse.urlsplit(url)
    path = PurePosixPath(urllib.parse.unquote(parts.path).lstrip("/"))
    return PurePosixPath(parts.hostname or "", *(part for part in path.parts if part != ".."))
