"""Timing contenders in turn, so that whatever else the machine does hits all of them alike."""

import resource
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"


def rounds_of(quick: bool) -> int:
    """How often contenders take turns; once only shows that they work."""
    return 1 if quick else 3


def processor_time() -> float:
    """Seconds of processors that this process took, and those it started which have ended."""
    own, others = (resource.getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def interleaved(
    contenders: Mapping[str, Callable[[], object]],
    *,
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, list[float]]:
    """Seconds of each contender by the clock, in `rounds` turns."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, call in contenders.items():
            start = clock()
            call()
            seconds[name].append(clock() - start)
    return seconds


def show(title: str, seconds: Mapping[str, list[float]], *, base: str) -> None:
    """Median seconds, spread, and the ratio to `base`, turn by turn."""
    print(f"\n{title}")
    for name, mine in seconds.items():
        ratio = statistics.median(a / b for a, b in zip(mine, seconds[base], strict=True))
        middle = statistics.median(mine)
        print(
            f"  {name:<44}{middle:9.3f} s  ({min(mine):.2f}-{max(mine):.2f}){ratio:9.2f} x {base}"
        )
