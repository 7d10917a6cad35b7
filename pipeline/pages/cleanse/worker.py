"""The process that parses: it reads batches of pages from its input and answers page by page.

A process of its own because a parser that hangs does so in C code, which no alarm or exception
reaches: only killing ends it. It is given a bound on its memory too.

Messages are a length in four bytes, then as many bytes. A batch is a count of pages, then the
pages; the answer to each is its reason, then its text.
"""

import sys
from typing import IO

from pipeline.pages.cleanse.page import clean

MEMORY = 2 << 30  # bytes of address space


def put(stream: IO[bytes], content: bytes) -> None:
    """Write one message."""
    stream.write(len(content).to_bytes(4, "little"))
    stream.write(content)


def get(stream: IO[bytes]) -> bytes | None:
    """Read one message; nothing at the end of the stream."""
    head = stream.read(4)
    if len(head) < 4:
        return None
    return stream.read(int.from_bytes(head, "little"))


def serve(pages: IO[bytes], answers: IO[bytes], *, method: str, sentence_ends: bool) -> None:
    """Answer until the input ends; first say ready, when the parser has been loaded."""
    clean(b"<p>Ready.</p>", method=method, sentence_ends=sentence_ends)
    put(answers, b"ready")
    answers.flush()
    while (count := get(pages)) is not None:
        batch = [get(pages) or b"" for _ in range(int.from_bytes(count, "little"))]
        for page in batch:
            text, reason = clean(page, method=method, sentence_ends=sentence_ends)
            put(answers, reason.encode())
            put(answers, text.encode("utf-8", errors="replace"))
            answers.flush()


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on every system
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    soft = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


if __name__ == "__main__":
    _bound_memory()
    serve(sys.stdin.buffer, sys.stdout.buffer, method=sys.argv[1], sentence_ends=sys.argv[2] == "1")
