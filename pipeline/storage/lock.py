"""One controlling process a campaign, and no job of a dead one.

Snakemake's own lock outlives a killed process, so that the next command is refused. These locks
are the operating system's (flock) and end with their holder, however it ends. The controlling
process holds one for each campaign (`hold`); each job holds one for itself (`present`), so that
the next controlling process can tell the living from the dead and end what a killed one left
behind, before it starts anything of its own. A job that was about to start when its controlling
process died finds that it is no longer its turn: either it is seen, or it sees.

On a cluster the folder is shared: its locks reach other machines if its file system passes them on
(`reach`). Where it does not, a run that did not end by itself on another machine is asked about;
jobs of a killed run are cancelled by the scheduler, which knows them by name.
"""

import atexit
import fcntl
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO
from uuid import uuid4

from pipeline.errors import InputError
from pipeline.storage.atomic import clear
from pipeline.storage.reach import why_not

FOLDER = Path(".snakemake/fathom")  # where the locks are, below the folder of the results
PLACE, TURN = "FATHOM_LOCKS", "FATHOM_TURN"  # tell jobs where the locks are, and whose turn it is
_PATIENCE = 30.0  # seconds for a killed job to be gone


def hold(
    place: Path, *, campaign: str, results: Path, cancel: Callable[[str], object] | None = None
) -> IO[str]:
    """Become the one controlling process of a campaign for as long as the result is kept.

    Ends jobs that a killed one left behind, those of a cluster with `cancel`, and clears away their
    drafts.
    """
    place = place.resolve()
    lock = _open(place / campaign / "controller")
    if not _taken(lock):
        holder = lock.readline().strip() or "another process"
        raise InputError(
            f"campaign '{campaign}' is being made by {holder}; wait until it has ended, or end it"
        )
    _be_sure(lock, campaign=campaign)
    turn = uuid4().hex
    lock.truncate(0)
    lock.write(f"process {os.getpid()} on {socket.gethostname()}\n{turn}\n")
    lock.flush()
    atexit.register(_release, Path(lock.name), turn, os.getpid())
    os.environ[PLACE] = str(place)
    os.environ[_turn(campaign)] = turn
    if cancel:
        cancel(campaign)
    for job in sorted((place / campaign / "jobs").glob("*")):
        _end(job, campaign=campaign)
    _told(campaign).unlink(missing_ok=True)
    clear(results)
    return lock


def _be_sure(lock: IO[str], *, campaign: str) -> None:
    """A lock that was free proves that its last holder has ended only where locks reach it."""
    last = lock.readline().strip()
    host = last.rpartition(" on ")[2]
    reason = why_not(Path(lock.name)) if last and host != socket.gethostname() else ""
    if reason:
        raise InputError(
            f"campaign '{campaign}' was being made by {last}, and whether it still is cannot be "
            f"said here, because locks of this folder may not reach other machines ({reason}); if "
            f"it has ended, remove {lock.name}, then run this again"
        )


def _release(path: Path, turn: str, process: int) -> None:
    """Leave no name behind after an end in order; what it left to a fork is not the fork's."""
    with suppress(OSError):
        if os.getpid() == process and turn in path.read_text(encoding="utf-8"):
            path.write_text("", encoding="utf-8")


def submitted(campaign: str) -> Path:
    """A file that says that jobs of a campaign went to a cluster, where orphans may be."""
    path = _place() / campaign / "submitted"
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def tell(campaign: str, sentence: str) -> None:
    """Keep what a cluster did to a job, for the summary if the run fails."""
    _told(campaign).parent.mkdir(parents=True, exist_ok=True)
    with _told(campaign).open("a", encoding="utf-8") as file:
        file.write(f"{sentence}\n")


def told(campaign: str) -> list[str]:
    """What a cluster did to the jobs of this run."""
    path = _told(campaign)
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return list(dict.fromkeys(lines))


def _told(campaign: str) -> Path:
    return _place() / campaign / "told"


def _place() -> Path:
    return Path(os.environ.get(PLACE) or FOLDER)


def controlled() -> bool:
    """Whether this is a job of a controlling process; in the workflow of another there is none."""
    return bool(os.environ.get(PLACE))


@contextmanager
def present(campaign: str) -> Iterator[None]:
    """Be known as a job of a campaign, where a controlling process asks for it."""
    place = os.environ.get(PLACE)
    if not place:
        yield
        return
    path = Path(place, campaign, "jobs", f"{socket.gethostname()}.{os.getpid()}")
    with _open(path) as lock:
        _taken(lock)
        try:
            whose = Path(place, campaign, "controller").read_text(encoding="utf-8").split("\n")[1:2]
            if whose != [os.environ.get(_turn(campaign))]:
                raise InputError(
                    f"campaign '{campaign}' is now made by another process; this job of a run "
                    "that was killed stops here"
                )
            yield
        finally:
            path.unlink(missing_ok=True)


def _turn(campaign: str) -> str:
    return f"{TURN}_{campaign}"


def _open(path: Path) -> IO[str]:
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.open("a+", encoding="utf-8")
    lock.seek(0)
    return lock


def _taken(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        raise InputError(
            f"{lock.name}: this file system gives no locks ({error.strerror}); run in a folder "
            "that has them, or let it be mounted with them"
        ) from None
    return True


def _end(job: Path, *, campaign: str) -> None:
    """End a job that has no controlling process any more; only its lock proves that it lives."""
    host, _, process = job.name.rpartition(".")
    until = time.monotonic() + _PATIENCE
    with _open(job) as lock:
        while not _taken(lock):
            if host != socket.gethostname() or time.monotonic() > until:
                raise InputError(
                    f"campaign '{campaign}': process {process} on {host}, a job of a run that was "
                    "killed, is still writing its results; end it, then run this again"
                )
            with suppress(ProcessLookupError):
                os.kill(int(process), signal.SIGKILL)
            time.sleep(0.05)
        job.unlink(missing_ok=True)
