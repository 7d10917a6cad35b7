"""Mirror, cache and limits of fetching, and the list of files that a source lacks.

None of these settings determines the content of a source, so changing them rebuilds nothing: a
commit or a digest names the same bytes wherever they come from. Environment variables override the
config, because being offline or short of disk space depends on the machine, not on the campaign.
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
TRIES, PAUSE = 4, 1.0  # after temporary failures; seconds before the second try, then doubled
PROGRESS_EVERY = 5.0  # seconds
MISSING = ".missing.txt"  # hidden, so that no pattern of a campaign matches it


@dataclass(frozen=True, kw_only=True)
class Places:
    """The mirror (repositories and files), the cache of earlier downloads, and the limits.

    Without a mirror everything comes from the network; without a cache no download is reused. A
    source may take `deadline` seconds and have `limit` GB, unpacked.
    """

    mirror: Path | None = None
    cache: Path | None = None
    deadline: float = DEADLINE
    limit: float = LIMIT


def places(section: Mapping[str, Any] | None, *, environment: Mapping[str, str]) -> Places:
    """The places of a campaign; `section` is its `fetch` section of the config."""
    keys = section or {}
    mirror = environment.get(MIRROR) or keys.get("mirror")
    cache = environment.get(CACHE) or keys.get("cache")
    if not cache:
        from platformdirs import user_cache_path  # late: needed without a configured cache only

        cache = user_cache_path("fathom")
    if mirror and not Path(mirror).is_dir():
        where = MIRROR if environment.get(MIRROR) else "fetch.mirror"
        fix = "correct it, or unset it to use the network"
        raise InputError(Problem(where, f"'{mirror}' is not a folder", fix))
    return Places(
        mirror=Path(mirror).resolve() if mirror else None,
        cache=Path(cache).expanduser().resolve(),
        deadline=float(keys.get("deadline") or DEADLINE),
        limit=float(keys.get("limit") or LIMIT),
    )


def campaign_places(config: Mapping[str, Any], *, campaign: str) -> Places:
    """The places of a campaign of a checked config, on this machine.

    Inside another workflow, a script may see that workflow's config, without Fathom's campaigns;
    then only the environment variables apply.
    """
    campaigns = config.get("campaigns") or {}
    return places((campaigns.get(campaign) or {}).get("fetch"), environment=os.environ)


def folder_in(cache: Path, *names: str) -> Path:
    """A folder of the cache, created if it does not exist."""
    folder = cache.joinpath(*names)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(cache, error) from None
    return folder


def unwritable(cache: Path, error: OSError) -> InputError:
    """The error of a cache that cannot be written."""
    fix = f"set {CACHE} or fetch.cache to a writable folder"
    return InputError(Problem(cache, f"the cache cannot be written ({error.strerror})", fix))


class Transient(Exception):
    """A temporary failure, worth another try; its text is the reason."""


class Deadline:
    """The time limit for fetching one source, including all retries and pauses."""

    def __init__(self, url: str, seconds: float) -> None:
        self.url, self.seconds = url, seconds
        self._shown = time.monotonic()
        self._end = self._shown + seconds

    def left(self) -> float:
        """Remaining seconds, at least 0."""
        return max(self._end - time.monotonic(), 0.0)

    def check(self, seconds: float = 0.0) -> None:
        """Raise if at most this many seconds remain."""
        if seconds >= self.left():
            raise self.late()

    def late(self) -> InputError:
        fix = "rerun to resume, or set a longer fetch.deadline"
        return InputError(Problem(self.url, f"not fetched within {self.seconds:g} seconds", fix))

    def show(self, progress: str) -> None:
        """Print the progress, at most every `PROGRESS_EVERY` seconds."""
        if time.monotonic() - self._shown > PROGRESS_EVERY:
            print(f"{self.url}: {progress}", file=sys.stderr)
            self._shown = time.monotonic()

    def retry(self, action: Callable[[], T], *, fix: str) -> T:
        """The result of an action, retried after temporary failures with growing pauses."""
        for attempt in range(TRIES):
            try:
                return action()
            except Transient as error:
                reason = str(error)
            if attempt < TRIES - 1:
                pause = PAUSE * 2**attempt
                self.check(pause)
                time.sleep(pause)
                print(f"{self.url}: {reason}; retrying", file=sys.stderr)
        raise InputError(Problem(self.url, f"not fetched after {TRIES} tries ({reason})", fix))

    def lock(self, file: int) -> None:
        """Lock a file; wait while another campaign fetches the same source."""
        while True:
            with suppress(BlockingIOError):
                return fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.check()
            time.sleep(0.1)

    @contextmanager
    def alarm(self) -> Iterator[None]:
        """Interrupt the block at the deadline, wherever it waits.

        A server can keep a client waiting inside a library call, with a byte now and then. Python
        handles signals in the main thread only; other threads rely on `check`.
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
    """Write the list of files that a source lacks, one path per line."""
    (folder / MISSING).write_text("".join(f"{name}\n" for name in names), encoding="utf-8")


def read_missing(folder: Path) -> list[str]:
    """The files that a source lacks, for example `runs/*.dat (68 of 110)`; empty if complete."""
    file = folder / MISSING
    return file.read_text(encoding="utf-8").splitlines() if file.is_file() else []


def with_missing(described: Mapping[str, Mapping[str, Any]], *, sources: Path) -> dict[str, Any]:
    """The description of each source for the report, with the files it lacks."""
    lacking = {name: read_missing(sources / name) for name in described}
    return {
        name: {**description, "missing": lacking[name]} if lacking[name] else description
        for name, description in described.items()
    }
