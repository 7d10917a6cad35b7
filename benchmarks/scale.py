"""How the cost of a campaign grows: `python -m benchmarks.scale runs topics`, or all factors.

Each point is a whole campaign, generated, from run files to its report. What a job cost is what its
own process says (see `pipeline.storage.step`): processor seconds, which do not depend on what else
the machine does, and peak memory. Generating the input is not counted. What was measured is kept in
scale.csv, a row a rule of a point; the page of the docs is made from it.
"""

import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from benchmarks.generated import Size, write
from pipeline.storage.markdown import table

HERE = Path(__file__).resolve().parent
MEASURED = HERE / "scale.csv"
BASE = Size()
# Each factor with the values it takes; all else as in BASE.
FACTORS: Mapping[str, Sequence[int]] = {
    "runs": (10, 30, 100, 300, 1000),
    "topics": (50, 500, 5000),
    "depth": (100, 1000, 5000),
    "measures": (10, 30, 100, 300),
    "dimensions": (1, 3, 10),
    "pages": (1000, 5000, 20_000, 100_000),
    "shards": (1, 8),
}
SMALL = {"topics": {"runs": 10}, "depth": {"runs": 10}, "shards": {"pages": 5000}}
SPLITS = ("shards",)  # the same work in more jobs
NOT_COUNTED = "fetch"  # makes the pages


@dataclass(frozen=True, kw_only=True)
class Row:
    """What one rule cost in the campaign of one point."""

    factor: str
    value: int
    rule: str
    jobs: int
    cpu: float
    memory: int  # MB, of its largest job


@dataclass(frozen=True, kw_only=True)
class Point:
    """A whole campaign of one value of a factor."""

    value: int
    jobs: int
    cpu: float
    memory: int
    largest: str  # the rule with the most memory
    most: Sequence[tuple[str, float]]  # rules with their share of the time, most first


def measure(factor: str, value: int) -> list[Row]:
    """Make the campaign, run it, and take what its jobs used."""
    size = replace(BASE, **{**SMALL.get(factor, {}), factor: value})
    with tempfile.TemporaryDirectory(prefix="scale-") as name:
        folder = Path(name)
        config = write(folder, size)
        done = subprocess.run(
            [sys.executable, "-m", "snakemake", "--cores", "2", "--quiet", "rules", "--snakefile",
             str(HERE.parent / "Snakefile"), "--configfile", str(config)],
            cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"{factor} {value}: the campaign failed\n{done.stdout[-4000:]}")
        return rows(folder / "results/grown/benchmarks", factor=factor, value=value)


def rows(benchmarks: Path, *, factor: str, value: int) -> list[Row]:
    """What the jobs of a campaign used, rule by rule."""
    used: dict[str, list[dict[str, float]]] = {}
    for path in sorted(benchmarks.rglob("*.json")):
        rule = path.relative_to(benchmarks).parts[0].removesuffix(".json")
        if rule != NOT_COUNTED:
            used.setdefault(rule, []).append(json.loads(path.read_text()))
    return [
        Row(
            factor=factor, value=value, rule=rule, jobs=len(mine),
            cpu=round(sum(one["cpu"] for one in mine), 2),
            memory=round(max(one["memory"] for one in mine) / 1e6),
        )
        for rule, mine in used.items()
    ]  # fmt: skip


def read(path: Path = MEASURED) -> list[Row]:
    """What was measured before."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [
            Row(
                factor=row["factor"], value=int(row["value"]), rule=row["rule"],
                jobs=int(row["jobs"]), cpu=float(row["cpu"]), memory=int(row["memory"]),
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def keep(found: Iterable[Row], path: Path = MEASURED) -> None:
    """Put a point's rows in the place of those that were there for it."""
    new = list(found)
    done = {(row.factor, row.value) for row in new}
    order = list(FACTORS)
    every = [row for row in read(path) if (row.factor, row.value) not in done] + new
    every.sort(key=lambda row: (order.index(row.factor), row.value, row.rule))
    with path.open("w", newline="", encoding="utf-8") as file:
        sheet = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        sheet.writeheader()
        sheet.writerows(asdict(row) for row in every)


def points(measured: Iterable[Row], factor: str) -> list[Point]:
    """The campaigns of one factor, as wholes."""
    by_value: dict[int, list[Row]] = {}
    for row in measured:
        if row.factor == factor:
            by_value.setdefault(row.value, []).append(row)
    made = []
    for value, mine in sorted(by_value.items()):
        cpu = sum(row.cpu for row in mine)
        largest = max(mine, key=lambda row: row.memory)
        most = sorted(((row.cpu / cpu, row.rule) for row in mine), reverse=True)[:3]
        made.append(
            Point(
                value=value,
                jobs=sum(row.jobs for row in mine),
                cpu=round(cpu, 1),
                memory=largest.memory,
                largest=largest.rule,
                most=[(rule, share) for share, rule in most],
            )
        )
    return made


def exponent(values: Sequence[float], costs: Sequence[float]) -> float:
    """The slope of a line through the logarithms, by least squares: 1 is linear."""
    x, y = [math.log(one) for one in values], [math.log(one) for one in costs]
    middle = sum(x) / len(x), sum(y) / len(y)
    over = sum((a - middle[0]) * (b - middle[1]) for a, b in zip(x, y, strict=True))
    return over / sum((a - middle[0]) ** 2 for a in x)


def growth(measured: Sequence[Row]) -> str:
    """The table of the docs: each factor, its points, and how cost and memory grow with it."""
    lines = []
    for factor in FACTORS:
        found = points(measured, factor)
        for one in found:
            fits = one is found[-1] and len(found) > 1 and factor not in SPLITS
            lines.append(
                (
                    factor if one is found[0] else "",
                    f"{one.value:,}",
                    f"{one.jobs}",
                    f"{one.cpu:,.1f}",
                    f"{one.memory:,} ({one.largest})",
                    ", ".join(f"{rule} {share:.0%}" for rule, share in one.most),
                    *((_fitted(found, "cpu"), _fitted(found, "memory")) if fits else ("", "")),
                )
            )
    head = ("factor", "value", "jobs", "processor s", "MB, largest job", "most of the time in",
            "exponent of time", "of memory")  # fmt: skip
    return table(head, lines)


def missing(measured: Sequence[Row]) -> str:
    """The points that were asked for and are not in the table, as a sentence; none, none."""
    parts = []
    for factor, values in FACTORS.items():
        known = {one.value for one in points(measured, factor)}
        if left := [f"{value:,}" for value in values if value not in known]:
            parts.append(f"{factor} {' and '.join(left)}")
    return f"Not measured yet: {'; '.join(parts)}." if parts else ""


def _fitted(found: Sequence[Point], key: str) -> str:
    """The exponent over all points, and that of the two largest."""
    known = [(float(one.value), float(getattr(one, key))) for one in found]
    every, last = (exponent(*zip(*some, strict=True)) for some in (known, known[-2:]))
    return f"{every:.2f} ({last:.2f})"


def sizing(measured: Sequence[Row]) -> str:
    """What to ask a cluster for: a thousand runs as measured, a million pages extrapolated."""
    lines = []
    for factor, wanted, what in (
        ("runs", 1000, "1,000 runs x 50 topics x 10 measures, depth 100"),
        ("pages", 1_000_000, "1,000,000 pages (on top of 20 runs x 50 topics)"),
    ):
        found = points(measured, factor)
        reached = bool(found) and found[-1].value >= wanted
        if not reached and len(found) < 2:
            continue  # there is no line through one point
        last = found[-1]
        cpu = last.cpu if reached else _beyond([(p.value, p.cpu) for p in found], wanted)
        memory = last.memory if reached else _beyond([(p.value, p.memory) for p in found], wanted)
        lines.append(
            (
                what,
                "measured" if reached else f"extrapolated from {last.value:,}",
                f"{cpu:,.0f} s" if cpu < 7200 else f"{cpu / 3600:,.1f} h",
                f"{memory:,.0f} MB",
                f"{cpu / 3600 / 16 * 60:,.1f} min" if cpu > 960 else f"{cpu / 16:,.0f} s",
            )
        )
    head = ("campaign", "how it is known", "processor time", "largest job", "at best, on 16 cores")
    return table(head, lines)


def _beyond(known: Sequence[tuple[float, float]], wanted: float) -> float:
    """A straight line through the two largest points, further on; it falls for nothing."""
    (a, low), (b, high) = known[-2:]
    return high + max(0.0, (high - low) / (b - a)) * (wanted - b)


def main() -> None:
    """Measure the factors named, point by point, and keep each at once."""
    given = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    given.add_argument("factors", nargs="*", metavar="factor[=value]", help=", ".join(FACTORS))
    chosen = given.parse_args().factors or list(FACTORS)
    for told in chosen:
        factor, _, value = told.partition("=")
        if factor not in FACTORS:
            given.error(f"no factor is called '{factor}'; there is {', '.join(FACTORS)}")
        for one in [int(value)] if value else FACTORS[factor]:
            found = measure(factor, one)
            keep(found)
            (point,) = points(found, factor)
            print(json.dumps({"factor": factor, **asdict(point)}), flush=True)


if __name__ == "__main__":
    main()
