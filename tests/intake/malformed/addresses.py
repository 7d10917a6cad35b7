"""Addresses that are none, and servers that do not give the file: each with its sentence."""

from tests.sources.site import Answer, chunked, drip, drip_headers, length, no_http, redirect

Case = tuple[str, str]

NO_FILE = "URL: the address names no file; give the address of the file itself"
NO_HOST = "URL: the address names no host; write it after ://"
HOST = "URL: the address has a host that cannot be read; correct what stands after ://"


def holds(character: str, code: str) -> str:
    return f"URL: the address holds the character {character!r}; remove it, or write it as {code}"


def nobody(host: str) -> str:
    return f"URL: the address has a host '{host}' that no computer can have; correct it"


ADDRESSES: dict[str, Case] = {
    "ftp": (
        "ftp://a/x.tar",
        "URL: only http://, https://, file:// and local paths can be fetched",
    ),
    "no such file": ("no/such.tar", "URL: there is no such file; correct the url of this source"),
    "no such file:": (
        "file:///no/such.tar", "URL: there is no such file; correct the url of this source",
    ),
    "a file of another host": (
        "file://host/x.tar",
        "URL: the address names the host 'host'; write file:/// and the path on this machine",
    ),
    "a folder": (".", "URL: a folder needs no fetching; use its path in the config itself"),
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
        "URL: the address has no port after the host but a word; write digits there, or nothing",
    ),
    "port 99999": ("http://host:99999/x", "URL: the address has the port 99999; ports go to 65535"),
    "port 0": ("http://host:0/x", "URL: the address has the port 0; ports begin with 1"),
    "an open bracket": ("http://[::1/x", HOST),
    "a bracket with no number": ("http://[host]/x", HOST),
    "a space": ("http://host/a b", holds(" ", "%20")),
    "a line end": ("http://host/a\n", holds("\n", "%0A")),
    "a password": (
        "http://me:word@host/x",
        "the address of a source holds a name or a password before the @, which logs and the "
        "report would show; write the address without it, and the password into ~/.netrc",
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
        "URL: not fetched after 4 tries (Connection refused); "
        "check the address and the network, then run again",
    ),
    "an unknown host": (
        "http://fathom.invalid/x",
        "URL: not fetched after 4 tries (the host fathom.invalid is unknown); "
        "check the address and the network, then run again",
    ),
}  # fmt: skip

FIX = "correct the url of this source"
AGAIN = "check the address and the network, then run again"
LATE = (
    "URL: not fetched within 1 seconds; run again to go on, or give more time with fetch.deadline"
)
PAGE = (
    "URL: the server sends a web page, not the file; open the address in a browser, "
    "and give the one the file itself is at"
)

# What the server answers, in turn; how often it is asked; the sentence.
SERVERS: dict[str, tuple[list[int | str | Answer], int, str]] = {
    "404": ([404], 1, f"URL: the server answers 404 Not Found; {FIX}"),
    "403": ([403], 1, f"URL: the server answers 403 Forbidden; {FIX}"),
    "401": (
        [401], 1, "URL: the server answers 401 Unauthorized; give name and password in ~/.netrc",
    ),
    "410": ([410], 1, f"URL: the server answers 410 Gone; {FIX}"),
    "204": ([204], 1, f"URL: the server answers 204 No Content; {FIX}"),
    "always 503": (
        [503] * 9, 4,
        f"URL: not fetched after 4 tries (the server answers 503 Service Unavailable); {AGAIN}",
    ),
    "always 500": (
        [500] * 9, 4,
        f"URL: not fetched after 4 tries (the server answers 500 Internal Server Error); {AGAIN}",
    ),
    "always cut": (
        ["cut"] * 9, 4,
        "URL: not fetched after 4 tries (the connection broke off after 937 of 1000 bytes); "
        f"{AGAIN}",
    ),
    "a chunk cut": (
        [chunked] * 9, 4,
        f"URL: not fetched after 4 tries (the connection broke off after 6 bytes); {AGAIN}",
    ),
    "no HTTP": (
        [no_http] * 9, 4,
        f"URL: not fetched after 4 tries (the server does not answer in HTTP); {AGAIN}",
    ),
    "a slow drip": ([drip] * 9, 1, LATE),
    "a slow drip of headers": ([drip_headers] * 9, 1, LATE),
    "a circle": (
        [redirect("/x")] * 99, 11,
        f"URL: redirected more than 10 times, as in a circle; {FIX}",
    ),
    "redirected to a file": (
        [redirect("file:///etc/passwd")], 1,
        "URL: redirected to 'file:///etc/passwd', which is no http:// or https:// address; "
        f"{FIX}",
    ),
    "redirected to ftp": (
        [redirect("ftp://host/x")], 1,
        f"URL: redirected to 'ftp://host/x', which is no http:// or https:// address; {FIX}",
    ),
    "redirected to nowhere": (
        [redirect("http://[")], 1,
        f"URL: redirected to 'http://[', which is no http:// or https:// address; {FIX}",
    ),
    "Content-Length: abc": (
        [length("abc")], 1,
        "URL: the server announces 'abc' bytes (Content-Length), which is no number; "
        "tell its keeper, or give another url",
    ),
    "Content-Length: -5": (
        [length("-5")], 1,
        "URL: the server announces '-5' bytes (Content-Length), which is no number; "
        "tell its keeper, or give another url",
    ),
    "Content-Length: 5,000 digits": (
        [length("9" * 5000)], 1,
        f"URL: the server announces '{'9' * 60}' bytes (Content-Length), which is no number; "
        "tell its keeper, or give another url",
    ),
}  # fmt: skip
