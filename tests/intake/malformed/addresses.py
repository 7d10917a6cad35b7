"""Addresses that are none, and servers that do not give the file."""

from tests.intake.malformed.expected import Expected, at
from tests.sources.site import Answer, chunked, drip, drip_headers, length, no_http, redirect

Case = tuple[str, Expected]

NO_FILE = at(None, "no file")
NO_HOST = at(None, "no host", fix="://")
HOST = at(None, "host", fix="://")


def holds(character: str, code: str) -> Expected:
    return at(None, repr(character), fix=code)


def nobody(host: str) -> Expected:
    return at(None, f"'{host}'")


ADDRESSES: dict[str, Case] = {
    "ftp": (
        "ftp://a/x.tar",
        at(None, "http://, https://, file://"),
    ),
    "no such file": ("no/such.tar", at(None, "no such file", fix="url")),
    "no such file:": (
        "file:///no/such.tar", at(None, "no such file", fix="url"),
    ),
    "a file of another host": (
        "file://host/x.tar",
        at(None, "'host'", fix="file:///"),
    ),
    "a folder": (".", at(None, "folder", fix="path")),
    "no host": ("http:///x.tar", NO_HOST),
    "nothing": ("https://", NO_HOST),
    "only a port": ("http://:80/x", NO_HOST),
    "no file": ("http://host/", NO_FILE),
    "a folder there": ("http://host/a/", NO_FILE),
    "no path": ("http://host?x=1", NO_FILE),
    "dots for a file": ("http://host/a/..", NO_FILE),
    "a NUL for a file": ("http://host/%00", NO_FILE),
    "a word for a port": (
        "http://host:port/x",
        at(None, "port", fix="digits"),
    ),
    "port 99999": ("http://host:99999/x", at(None, "99999", fix="65535")),
    "port 0": ("http://host:0/x", at(None, "'host:0'", fix="1 to 65535")),
    "an open bracket": ("http://[::1/x", HOST),
    "a bracket with no number": ("http://[host]/x", HOST),
    "a space": ("http://host/a b", holds(" ", "%20")),
    "a line end": ("http://host/a\n", holds("\n", "%0A")),
    "a password": (
        "http://me:word@host/x",
        at(None, "password", fix="~/.netrc"),
    ),
    "a host with a space": ("http://my host/x", holds(" ", "%20")),
    "a host of dots": ("http://a..b/x", nobody("a..b")),
    "a host with a hyphen first": ("http://-a/x", nobody("-a")),
    "a host of 100 letters": (
        f"http://{'a' * 100}/x",
        nobody('a' * 100),
    ),
    "a non-ASCII host that cannot be": (
        f"http://{'é' * 70}/x",
        nobody('é' * 70),
    ),
    "nobody listens": (
        "http://127.0.0.1:1/x",
        at(None, "4 tries", "Connection refused"),
    ),
    "an unknown host": (
        "http://fathom.invalid/x",
        at(None, "4 tries", "fathom.invalid"),
    ),
}  # fmt: skip

FIX = "url"
LATE = at(None, "1 seconds", fix="fetch.deadline")
LENGTH = "Content-Length"


def tries(*words: str) -> Expected:
    return at(None, "4 tries", *words, fix="network")


# What the server answers, in turn; how often it is asked; what is reported.
SERVERS: dict[str, tuple[list[int | str | Answer], int, Expected]] = {
    "404": ([404], 1, at(None, "404 Not Found", fix=FIX)),
    "403": ([403], 1, at(None, "403 Forbidden", fix=FIX)),
    "401": (
        [401], 1, at(None, "401 Unauthorized", fix="~/.netrc"),
    ),
    "410": ([410], 1, at(None, "410 Gone", fix=FIX)),
    "204": ([204], 1, at(None, "204 No Content", fix=FIX)),
    "always 503": (
        [503] * 9, 4,
        tries("503 Service Unavailable"),
    ),
    "always 500": (
        [500] * 9, 4,
        tries("500 Internal Server Error"),
    ),
    "always cut": (
        ["cut"] * 9, 4,
        tries("937 of 1000 bytes"),
    ),
    "a chunk cut": (
        [chunked] * 9, 4,
        tries("6 bytes"),
    ),
    "no HTTP": (
        [no_http] * 9, 4,
        tries("HTTP"),
    ),
    "a slow drip": ([drip] * 9, 1, LATE),
    "a slow drip of headers": ([drip_headers] * 9, 1, LATE),
    "a circle": (
        [redirect("/x")] * 99, 11,
        at(None, "10 times", fix=FIX),
    ),
    "redirected to a file": (
        [redirect("file:///etc/passwd")], 1,
        at(None, "'file:///etc/passwd'", "https://", fix=FIX),
    ),
    "redirected to ftp": (
        [redirect("ftp://host/x")], 1,
        at(None, "'ftp://host/x'", "https://", fix=FIX),
    ),
    "redirected to nowhere": (
        [redirect("http://[")], 1,
        at(None, "'http://['", "https://", fix=FIX),
    ),
    "Content-Length: abc": (
        [length("abc")], 1,
        at(None, "'abc'", LENGTH),
    ),
    "Content-Length: -5": (
        [length("-5")], 1,
        at(None, "'-5'", LENGTH),
    ),
    "Content-Length: 5,000 digits": (
        [length("9" * 5000)], 1,
        at(None, f"'{'9' * 60}'", LENGTH),
    ),
}  # fmt: skip
