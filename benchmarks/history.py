"""What benchmarks printed, kept: a row a contender, with its date and the commit it was.

A row compares within one interleaved run (`ratio` is to `base`), so rows of different dates and
machines compare by their ratios. What a checkout prints is read, rather than what it measures
asked for: so an older checkout can be recorded by its own benchmarks.
"""

import csv
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
HISTORY = HERE / "benchmarks/history.csv"

# As `timing.show` prints it, with or without the spread.
ROW = re.compile(r"  (\S.*?)\s+([\d.]+) s\s+(?:\([\d.]+-[\d.]+\)\s*)?([\d.]+) x (\S.*)")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One contender of one benchmark on one day."""

    date: str
    commit: str  # with a + where files differ from it
    cores: int
    benchmark: str
    compared: str  # what all contenders did
    contender: str
    seconds: float  # the median of the rounds
    base: str  # the contender it is compared with
    ratio: float  # its seconds to those of the base


def rows(lines: Iterable[str], *, benchmark: str, commit: str, day: date) -> Iterator[Row]:
    """The rows among the lines a benchmark printed; a line that is not indented is a title."""
    title = ""
    for line in lines:
        found = ROW.fullmatch(line.rstrip())
        if found:
            contender, seconds, ratio, base = found.groups()
            yield Row(
                date=day.isoformat(), commit=commit, cores=os.cpu_count() or 1,
                benchmark=benchmark, compared=title, contender=contender,
                seconds=float(seconds), base=base, ratio=float(ratio),
            )  # fmt: skip
        elif line.strip() and not line.startswith(" "):
            title = line.strip()


def append(found: Iterable[Row], *, to: Path) -> int:
    """Add rows at the end of the table, which begins with its header; how many."""
    new = not to.exists()
    count = 0
    with to.open("a", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        if new:
            table.writeheader()
        for count, row in enumerate(found, start=1):  # noqa: B007
            table.writerow(asdict(row))
    return count


def run(benchmark: str, *, checkout: Path, record: bool) -> None:
    """Run a benchmark of a checkout by the Python of its `.venv`, and record what it prints."""
    own = checkout / ".venv/bin/python"
    python = sys.executable if checkout == HERE else str(own)
    commit = _commit(checkout)
    print(f"\n== {benchmark} at {commit} ==", flush=True)
    lines = []
    with subprocess.Popen(
        [python, "-u", "-m", "benchmarks", benchmark], cwd=checkout, stdout=subprocess.PIPE,
        text=True, encoding="utf-8",
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if process.returncode:
        sys.exit(f"the benchmark '{benchmark}' of {checkout} ended with {process.returncode}")
    if record:
        found = rows(lines, benchmark=benchmark, commit=commit, day=date.today())
        print(f"{append(found, to=HISTORY)} rows were added to {HISTORY.name}")


def _commit(checkout: Path) -> str:
    def git(*command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["git", *command], cwd=checkout, capture_output=True, text=True, check=False
        )

    head = git("rev-parse", "--short=10", "HEAD").stdout.strip() or "unknown"
    return head + ("+" if git("diff", "--quiet", "HEAD").returncode else "")
