"""Where sources are taken from and kept, what fetching may take, and what a source lacks.

None of this says what a source holds, so none of it may rebuild a source: a commit or a digest
names the same bytes wherever they come from. The environment goes before the config, because it is
the machine that is offline or short of space, not the campaign.
"""

import fcntl
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pipeline.errors import InputError, Problem

T = TypeVar("T")
MIRROR, CACHE = "FATHOM_MIRROR", "FATHOM_CACHE"
DEADLINE = 3600.0  # seconds
LIMIT = 10.0  # GB; text compresses 5 to 20 times, a decompression bomb a thousand times
TRIES, PAUSE = 4, 1.0  # of a failure that may pass; seconds before the second, which double
PROGRESS_EVERY = 5.0  # seconds
MISSING = ".missing.txt"  # hidden, so that no pattern of a campaign takes it for data


@dataclass(frozen=True, kw_only=True)
class Places:
    """A folder of repositories and files, the folder of what was fetched before, and the bounds.

    Without a cache nothing outlives the source; without a mirror all comes from the net. One source
    may take `deadline` seconds and have `limit` GB, unpacked.
    """

    mirror: Path | None = None
    cache: Path | None = None
    deadline: float = DEADLINE
    limit: float = LIMIT


def places(given: Mapping[str, Any] | None, *, environment: Mapping[str, str]) -> Places:
    """The places of a campaign: `given` is its `fetch` of the config."""
    fetch = given or {}
    mirror = environment.get(MIRROR) or fetch.get("mirror")
    cache = environment.get(CACHE) or fetch.get("cache")
    if not cache:
        from platformdirs import user_cache_path  # each system has its own custom

        cache = user_cache_path("fathom")
    if mirror and not Path(mirror).is_dir():
        where = MIRROR if environment.get(MIRROR) else "fetch.mirror"
        fix = "correct it, or remove it to use the network"
        raise InputError(Problem(where, f"'{mirror}' is not a folder", fix))
    return Places(
        mirror=Path(mirror).resolve() if mirror else None,
        cache=Path(cache).expanduser().resolve(),
        deadline=float(fetch.get("deadline") or DEADLINE),
        limit=float(fetch.get("limit") or LIMIT),
    )


def here(config: Mapping[str, Any], *, campaign: str) -> Places:
    """The places of one campaign of a checked config, on this machine.

    Inside another workflow the config that a script sees may be that workflow's own, without our
    campaigns; then the environment alone says it.
    """
    known = config.get("campaigns") or {}
    return places((known.get(campaign) or {}).get("fetch"), environment=os.environ)


def folder_in(cache: Path, *names: str) -> Path:
    """A folder of the cache, created if it does not exist."""
    folder = cache.joinpath(*names)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(cache, error) from None
    return folder


def unwritable(cache: Path, error: OSError) -> InputError:
    """The error about a cache that cannot be used."""
    fix = f"set {CACHE} or fetch.cache to a folder that can"
    return InputError(Problem(cache, f"the cache cannot be written ({error.strerror})", fix))


class Transient(Exception):
    """A failure that may pass; the text is its reason."""


class Deadline:
    """How long fetching one source may take, all tries and pauses together."""

    def __init__(self, url: str, seconds: float) -> None:
        self.url, self.seconds = url, seconds
        self._shown = time.monotonic()
        self._end = self._shown + seconds

    def left(self) -> float:
        """Seconds that are left, never below 0."""
        return max(self._end - time.monotonic(), 0.0)

    def check(self, seconds: float = 0.0) -> None:
        """Raise when no more than these seconds are left."""
        if seconds >= self.left():
            raise self.late()

    def late(self) -> InputError:
        """The error about a deadline that has passed."""
        fix = "run again to go on, or give more time with fetch.deadline"
        return InputError(Problem(self.url, f"not fetched within {self.seconds:g} seconds", fix))

    def show(self, progress: str) -> None:
        """Print the progress, now and then."""
        if time.monotonic() - self._shown > PROGRESS_EVERY:
            print(f"{self.url}: {progress}", file=sys.stderr)
            self._shown = time.monotonic()

    def retry(self, action: Callable[[], T], *, fix: str) -> T:
        """The result of an action, which is tried again after longer and longer pauses."""
        for attempt in range(TRIES):
            try:
                return action()
            except Transient as error:
                reason = str(error)
            if attempt < TRIES - 1:
                pause = PAUSE * 2**attempt
                self.check(pause)
                time.sleep(pause)
                print(f"{self.url}: {reason}; trying again", file=sys.stderr)
        what = f"not fetched after {TRIES} tries ({reason})"
        raise InputError(Problem(self.url, what, fix))

    def lock(self, file: int) -> None:
        """Wait for another campaign that fetches the same."""
        while True:
            with suppress(BlockingIOError):
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.check()
            time.sleep(0.1)

    @contextmanager
    def alarm(self) -> Iterator[None]:
        """Stop the block when the time is over, wherever it waits.

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


def write_missing(names: Sequence[str], folder: Path) -> None:
    """Write down what a source lacks, one path per line."""
    (folder / MISSING).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def read_missing(folder: Path) -> list[str]:
    """What a source lacks, for example `runs/*.dat (68 of 110)`; nothing if it is complete."""
    file = folder / MISSING
    return file.read_text(encoding="utf-8").splitlines() if file.is_file() else []


def with_missing(described: Mapping[str, Mapping[str, Any]], *, sources: Path) -> dict[str, Any]:
    """The description of each source, with what it lacks, for the report."""
    lacking = {name: read_missing(sources / name) for name in described}
    return {
        name: {**given, "missing": lacking[name]} if lacking[name] else given
        for name, given in described.items()
    }
