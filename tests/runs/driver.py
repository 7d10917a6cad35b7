"""The C reader under sanitizers: `fuzz_reader.c`, compiled and spoken to."""

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from pipeline.runs.reading import Rows, Summary

SOURCE = Path(__file__).with_name("fuzz_reader.c")
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
ORDERS = ("score32", "score64", "rank")
ERRORS = ("", "memory", "binary", "fields", "rank", "score", "too many")
NAMES = (
    "line", "at", "size", "fields", "lines", "rows", "topics", "duplicates", "duplicate_line",
    "bad_scores", "bad_score_line", "tied", "top10_differs", "tag_at", "tag_size",
)  # fmt: skip


def built(folder: Path) -> Path:
    """The program; where there is no compiler or it lacks sanitizers, the test is skipped."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        pytest.skip("no C compiler")
    program, empty = folder / "fuzz_reader", folder / "empty.c"
    empty.write_text("int main(void) { return 0; }\n")
    build = [compiler, "-std=gnu11", "-g", "-O1", *SANITIZERS, "-o", str(program)]
    if subprocess.run([*build, str(empty)], capture_output=True, check=False).returncode:
        pytest.skip("the C compiler has no sanitizers")
    subprocess.run([*build, str(SOURCE), "-lm"], check=True)
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
    return f"{command} {len(content)}\n".encode() + content


class Answers:
    """The answers one after the other."""

    def __init__(self, answers: bytes) -> None:
        self._answers, self._at = answers, 0

    def _take(self, count: int, kind: type) -> np.ndarray:
        values = np.frombuffer(self._answers, kind, count, self._at)
        self._at += values.nbytes
        return values

    def number(self) -> int:
        return int(self._take(1, np.int64)[0])

    def run(self) -> tuple[Rows, Summary]:
        error = ERRORS[self.number()]
        values = dict(zip(NAMES, self._take(len(NAMES), np.int64).tolist(), strict=True))
        rows, topics = values["rows"], values["topics"]
        columns = [self._take(rows, k) for k in (np.int32, np.int32, np.int32, np.float64)]
        columns += [self._take(topics, np.int32), self._take(topics, np.int64)]
        return Rows(*columns), Summary(error=error, **values)

    def ids(self) -> tuple[list[int], bytes]:
        starts = self._take(self.number() + 1, np.int64).tolist()
        return starts, self._take(starts[-1], np.uint8).tobytes()

    def over(self) -> bool:
        return self._at == len(self._answers)
