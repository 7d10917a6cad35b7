"""The process that parses: it reads batches of pages from its input and answers each page.

A process of its own because a parser that hangs does so in C code, which no alarm or exception
reaches: only killing ends it. It is given a bound on its memory too.

Messages are a length in four bytes, then as many bytes. A batch is a count of pages, then the
pages; the answer to each is its reason, then its content: its text here, its counts in a worker
that counts too. Answers go out when the batch ends or after a while, not one by one; which page is
at work, and since when, is told in shared memory instead.
"""

import json
import mmap
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import IO

from pipeline.pages.cleanse.method import DEFAULT
from pipeline.pages.cleanse.page import clean

MEMORY = 2 << 30  # bytes of address space
AT_WORK = struct.Struct("=qd")  # pages begun so far, and when the last of them was
_WHILE = 0.05  # seconds that answers may wait for others
# Long enough for the method to do what it does with most pages.
_READY = b"<p>" + b"These are some plain words to make it ready for pages. " * 8 + b"</p>"


Answering = Callable[[bytes], tuple[bytes, str]]  # a page's content and reason


@dataclass(frozen=True, kw_only=True)
class Task:
    """How pages become text."""

    method: str = DEFAULT
    sentence_ends: bool = True
    language: str | None = None

    def clean(self, page: bytes) -> tuple[str, str]:
        """The text of a page and its reason."""
        return clean(
            page, method=self.method, sentence_ends=self.sentence_ends, language=self.language
        )

    def to_text(self) -> str:
        """As a word of a command line."""
        return json.dumps(asdict(self))


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


def cleansing(task: Task) -> Answering:
    """The function from a page to its text."""

    def answer(page: bytes) -> tuple[bytes, str]:
        text, reason = task.clean(page)
        return text.encode("utf-8", errors="replace"), reason

    return answer


def serve(answer: Answering, *, at_work: int) -> None:
    """Be the worker of a process that was given pipes, and the number of the shared memory."""
    _bound_memory()
    with (
        open(1, "wb", buffering=1 << 20, closefd=False) as answers,
        mmap.mmap(at_work, AT_WORK.size) as shared,
    ):
        _serve(answer, sys.stdin.buffer, answers, shared)


def _serve(answer: Answering, pages: IO[bytes], answers: IO[bytes], shared: mmap.mmap) -> None:
    """Answer until the input ends; first say ready, when the parser has been loaded."""
    answer(_READY)
    put(answers, b"ready")
    answers.flush()
    begun = 0
    while (count := get(pages)) is not None:
        batch = [get(pages) or b"" for _ in range(int.from_bytes(count, "little"))]
        flushed = time.monotonic()
        for page in batch:
            now = time.monotonic()
            if now - flushed > _WHILE:
                answers.flush()
                flushed = now
            begun += 1
            AT_WORK.pack_into(shared, 0, begun, now)
            content, reason = answer(page)
            put(answers, reason.encode())
            put(answers, content)
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
    serve(cleansing(Task(**json.loads(sys.argv[1]))), at_work=int(sys.argv[2]))
