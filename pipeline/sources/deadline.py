"""How long fetching one source may take, all tries and pauses together."""

import fcntl
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from pipeline.errors import InputError


@dataclass(frozen=True)
class Deadline:
    """A moment of the monotonic clock; the address and the seconds are for the message."""

    url: str
    seconds: float
    until: float

    @classmethod
    def after(cls, seconds: float, *, url: str) -> "Deadline":
        """So many seconds from now."""
        return cls(url, seconds, time.monotonic() + seconds)

    def left(self) -> float:
        """Seconds that are left, never below 0."""
        return max(self.until - time.monotonic(), 0.0)

    def check(self) -> None:
        """Refuse to go on when the time is over."""
        if not self.left():
            raise self.late()

    def late(self) -> InputError:
        """The sentence about a deadline that has passed."""
        return InputError(
            f"{self.url}: not fetched within {self.seconds:g} seconds; run again to go on, "
            "or give more time with fetch.deadline"
        )

    def sleep(self, seconds: float) -> None:
        """A pause before the next try; one that would go past the end is not begun."""
        if seconds > self.left():
            raise self.late()
        time.sleep(seconds)

    def lock(self, file: int) -> None:
        """Wait for another campaign that fetches the same."""
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                self.check()
                time.sleep(0.1)
            else:
                return

    @contextmanager
    def alarm(self) -> Iterator[None]:
        """Stop what is in between when the time is over, wherever it waits.

        A server can keep a client waiting inside one call of the library, with a byte now and then.
        Python takes signals in the main thread alone; elsewhere `check` must do.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def ring(*_: object) -> None:
            raise self.late()

        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, max(self.left(), 1e-3))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
