"""A loopback server that is good, wrong, flaky, slow or hostile, as a test says."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = Callable[["Handler"], None]


@dataclass
class Site:
    """What the server holds, how it misbehaves, and what it was asked."""

    address: str = ""
    body: bytes = b""
    kind: str = "application/octet-stream"
    answers: list[int | str | Answer] = field(default_factory=list)  # in turn, then all is well
    ranges: bool = True
    asked: list[str | None] = field(default_factory=list)  # the Range of each request
    paths: list[str] = field(default_factory=list)
    over: bool = False  # the test has ended: no more dripping


class Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        with suppress(BrokenPipeError, ConnectionResetError):
            self.answer()

    def answer(self) -> None:
        site, wanted = self.site, self.headers.get("Range")
        site.asked.append(wanted)
        site.paths.append(self.path)
        answer = site.answers.pop(0) if site.answers else 200
        if callable(answer):
            answer(self)
            return
        if isinstance(answer, int) and answer != 200:
            self.send_error(answer)
            return
        start = int(wanted[6:-1]) if wanted and site.ranges else 0
        if start >= len(site.body) > 0 and start:
            self.send_error(416)
            return
        rest = site.body[start:]
        self.send_response(206 if start else 200)
        self.send_header("Content-Type", site.kind)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest[: len(rest) // 2] if answer == "cut" else rest)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[Site]:
    site = Site()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"site": site}))
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    site.address = f"http://127.0.0.1:{server.server_port}"
    try:
        yield site
    finally:
        site.over = True
        server.shutdown()
        server.server_close()


def redirect(target: str) -> Answer:
    def answer(handler: Handler) -> None:
        handler.send_response(302)
        handler.send_header("Location", target)
        handler.end_headers()

    return answer


def length(value: str) -> Answer:
    """All of the body, after a wrong word about its length."""

    def answer(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", value)
        handler.end_headers()
        handler.wfile.write(handler.site.body)

    return answer


def chunked(handler: Handler) -> None:
    """A chunk that is announced, and does not come whole."""
    handler.protocol_version = "HTTP/1.1"
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"3\r\nabc\r\n8\r\nabc")


def no_http(handler: Handler) -> None:
    handler.wfile.write(b"220 this is a mail server\r\n")


def drip(handler: Handler) -> None:
    """A byte now and then: never silent, never done."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(handler.site.body)))
    handler.end_headers()
    _slowly(handler, handler.site.body)


def drip_headers(handler: Handler) -> None:
    _slowly(handler, b"HTTP/1.0 200 OK\r\nX: " + b"x" * 60_000)


def _slowly(handler: Handler, content: bytes) -> None:
    for place in range(len(content)):
        if handler.site.over:
            return
        handler.wfile.write(content[place : place + 1])
        handler.wfile.flush()
        time.sleep(0.02)
