"""Addresses of files: their validation, the local file, and the path in a mirror or cache."""

import re
import urllib.parse
import urllib.request
from pathlib import Path, PurePosixPath

from pipeline.errors import InputError, Problem

SCHEMES = ("http", "https", "file")
CREDENTIALS = (
    "contains a user name or password before the @, which logs and the report would show",
    "remove it from the address, and put it into ~/.netrc",
)
_LABEL = re.compile(r"(?!-)[^\s/?#@:\\%<>\"{}|^`\[\]]{1,63}(?<!-)")


def address_problem(url: str) -> tuple[str, str] | None:
    """The problem with an address and its fix; None if it is valid.

    >>> address_problem("http:///x.tar")
    ('the address names no host', 'write it after ://')
    >>> address_problem("https://example.org/café.txt")
    """
    scheme, mark, rest = url.partition("://")
    if not mark:
        return None  # a local path
    if space := re.search(r"[\x00-\x20\x7f]", url):
        what = f"the address contains the character {space[0]!r}"
        return what, f"remove it, or write it as %{ord(space[0]):02X}"
    if scheme.lower() not in SCHEMES:
        fix = "download the file, and use its local path"
        return "only http://, https://, file:// and local paths can be fetched", fix
    host = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if scheme.lower() == "file":
        fix = "write file:/// and a path on this machine"
        has_host = host not in {"", "localhost"}
        return (f"the address names the host '{host}'", fix) if has_host else None
    try:
        parts = urllib.parse.urlsplit(url)
        readable = parts.port != 0
    except ValueError:
        readable = False
    if not readable:
        fix = "write host or host:port after ://, the port in digits from 1 to 65535"
        return f"the address has an invalid host and port, '{host}'", fix
    if not parts.hostname:
        return "the address names no host", "write it after ://"
    if ":" not in parts.hostname and not _is_host(parts.hostname):
        return f"the address has an invalid host, '{parts.hostname}'", "correct it"
    if not name(url):
        return "the address names no file", "use the address of the file itself"
    return None


def has_credentials(url: str) -> bool:
    """Whether an address contains a user name or password; such an address is never printed.

    >>> has_credentials("https://me:pass@host/x"), has_credentials("https://host/a@b")
    (True, False)
    """
    _, mark, rest = url.partition("://")
    return bool(mark) and "@" in re.split(r"[/?#]", rest, maxsplit=1)[0]


def _is_host(host: str) -> bool:
    """Whether a host name is valid; non-ASCII names are checked in their IDNA form."""
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
        raise InputError(Problem(url, "is a folder, which cannot be fetched", fix))
    if not path.is_file():
        raise InputError(Problem(url, "there is no such file", "correct the url of this source"))
    return path


def place(url: str) -> PurePosixPath:
    """The path of an http(s) address in a mirror or a cache: its host and path.

    >>> str(place("https://host/my%20data/./runs.tar.gz?raw=1"))
    'host/my data/runs.tar.gz'
    """
    parts = urllib.parse.urlsplit(url)
    path = PurePosixPath(urllib.parse.unquote(parts.path).lstrip("/"))
    return PurePosixPath(parts.hostname or "", *(part for part in path.parts if part != ".."))
