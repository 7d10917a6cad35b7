"""C under address and undefined-behaviour sanitizers: programs made for a test, and spoken to."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def built(source: Path, folder: Path) -> Path:
    """The program; where there is no compiler or it lacks sanitizers, the test is skipped."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        pytest.skip("no C compiler")
    program, empty = folder / source.stem, folder / "empty.c"
    empty.write_text("int main(void) { return 0; }\n")
    build = [compiler, "-std=gnu11", "-g", "-O1", *SANITIZERS, "-o", str(program)]
    if subprocess.run([*build, str(empty)], capture_output=True, check=False).returncode:
        pytest.skip("the C compiler has no sanitizers")
    subprocess.run([*build, str(source), "-lm"], check=True)
    return program


def ask(program: Path, commands: bytes) -> bytes:
    """All answers; what a sanitizer finds, or a check of the program's own, is an error."""
    # Leaks are counted by the program: LeakSanitizer needs ptrace, which not every place allows.
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1"}
    done = subprocess.run([program], input=commands, capture_output=True, env=environment)
    if done.returncode:
        raise AssertionError(done.stderr.decode("utf-8", "replace"))
    return done.stdout


def with_content(command: str, content: bytes) -> bytes:
    """A command that bytes follow."""
    return f"{command} {len(content)}\n".encode() + content
