"""Running git: no questions asked, a deadline kept, its progress shown, its complaint returned."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.errors import InputError
from pipeline.sources.deadline import Deadline

# What git must never do in a job: ask, use another repository than ours, speak another language.
QUIET: Mapping[str, str] = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "file:git:http:https",
    "LC_ALL": "C",
}
# No upkeep in the middle of a job; a connection that brings less than 1 kB/s for 30 s is dead.
OPTIONS = (
    *("-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "credential.helper="),
    *("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=30", "-c", "core.hooksPath="),
    *("-c", "advice.detachedHead=false", "-c", "http.userAgent=git/fathom"),
)
TOLD_EVERY = 5.0  # seconds


class GitError(Exception):
    """Git ended with an error; the text is what it said last."""


@dataclass(frozen=True, kw_only=True)
class Git:
    """Git on one repository, until the deadline."""

    folder: Path  # the repository itself, not its working files
    url: str  # what is being fetched, for messages
    deadline: Deadline
    held: tuple[int, ...] = ()  # descriptors of locks, which git keeps if this process is killed
    program: str = field(default="git")

    def run(self, *arguments: str, feed: bytes = b"") -> bytes:
        """What git prints; GitError if it fails, InputError past the deadline."""
        read, write = os.pipe()
        try:
            process = subprocess.Popen(
                [self.program, *OPTIONS, f"--git-dir={self.folder}", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=write,
                env=_environment(),
                start_new_session=True,  # so that its helpers can be ended with it
                pass_fds=self.held,
            )
        except OSError:
            os.close(read)
            raise InputError(
                f"{self.url}: git is not installed, which fetches repositories; install it, "
                "or set FATHOM_MIRROR to a folder with the repository's files"
            ) from None
        finally:
            os.close(write)
        said: list[str] = []
        listener = threading.Thread(target=self._listen, args=(read, said))
        listener.start()
        try:
            printed, _ = process.communicate(feed, timeout=self.deadline.left())
        except subprocess.TimeoutExpired:
            raise self.deadline.late() from None
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            listener.join()
        if process.returncode:
            raise GitError("\n".join(said[-20:]) or f"git ended with {process.returncode}")
        return printed

    def _listen(self, pipe: int, said: list[str]) -> None:
        """Keep what git says, and pass its progress on now and then."""
        told = time.monotonic()
        with os.fdopen(pipe, newline=None, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                text = line.strip()
                if not re.search(r"\d+% \(\d+/\d+\)", text):
                    said.append(text)
                elif time.monotonic() - told > TOLD_EVERY:
                    print(f"{self.url}: {text}", file=sys.stderr)
                    told = time.monotonic()


def _environment() -> dict[str, str]:
    """Ours without what would point git elsewhere, as inside a hook of another repository."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    wanted = ("GIT_SSL_", "GIT_CONFIG_", "GIT_PROXY_", "GIT_HTTP_", "GIT_EXEC_PATH")
    kept |= {key: value for key, value in os.environ.items() if key.startswith(wanted)}
    return {**kept, **QUIET}
