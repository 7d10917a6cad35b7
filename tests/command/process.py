"""The command as a user runs it: a process of its own."""

import subprocess
import sys
from pathlib import Path

FATHOM = Path(sys.executable).with_name("fathom")


def fathom(
    *arguments: object, stdin: bytes | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [FATHOM, *map(str, arguments)],
        input=stdin,
        cwd=cwd,
        capture_output=True,
        check=False,
    )


def good(*arguments: object, stdin: bytes | None = None, cwd: Path | None = None) -> str:
    """What it printed; it must have ended well."""
    done = fathom(*arguments, stdin=stdin, cwd=cwd)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def refused(*arguments: object, code: int = 1, cwd: Path | None = None) -> str:
    """What it said when it refused: sentences, never a traceback, and nothing on the output."""
    done = fathom(*arguments, cwd=cwd)
    assert done.returncode == code, (done.returncode, done.stderr.decode())
    assert done.stdout == b""
    told = done.stderr.decode()
    assert "Traceback" not in told
    assert told.strip()
    return told
