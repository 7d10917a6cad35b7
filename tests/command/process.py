"""The command as a user runs it: in this process, or, where that matters, in one of its own."""

import contextlib
import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FATHOM = Path(sys.executable).with_name("fathom")


class Done(NamedTuple):
    """How a command ended, as `subprocess` has it."""

    returncode: int
    stdout: bytes
    stderr: bytes


def process(*arguments: object, stdin: bytes | None = None, cwd: Path | None = None) -> Done:
    """The installed command, in a process of its own."""
    done = subprocess.run(
        [FATHOM, *map(str, arguments)], input=stdin, cwd=cwd, capture_output=True, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


def fathom(*arguments: object, stdin: bytes | None = None, cwd: Path | None = None) -> Done:
    """The command's function, which spares the start of a process."""
    from pipeline.command.main import main

    if arguments[:1] == ("trec_eval",):  # which sets signals, and leaves memory uncollected
        return process(*arguments, stdin=stdin, cwd=cwd)
    with _streams(stdin) as (out, err), contextlib.chdir(cwd or "."):
        code = main([*map(str, arguments)])
        sys.stdout.flush()
        sys.stderr.flush()
        return Done(code, out.getvalue(), err.getvalue())


@contextlib.contextmanager
def _streams(stdin: bytes | None) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin or b""))
    sys.stdout = io.TextIOWrapper(out, write_through=True)
    sys.stderr = io.TextIOWrapper(err, write_through=True)
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


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
