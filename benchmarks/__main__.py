"""`make bench`: every side-by-side benchmark, or those named on the command line.

`--record` appends what is printed to history.csv (`make bench-record`). `--of` takes another
checkout with a `.venv` of its own instead, or beside it if given several times: each benchmark is
then run in one checkout after the other, before the next benchmark.
"""

import argparse
from importlib import import_module
from pathlib import Path

from benchmarks import history

ALL = (
    "door", "engine", "campaign", "page", "labels", "pages", "collection", "statistics",
    "significance", "reusability", "simulation",
)  # fmt: skip


def main() -> None:
    """Run, print and perhaps record."""
    given = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    given.add_argument("names", nargs="*", metavar="benchmark", help=", ".join(ALL))
    given.add_argument("--quick", action="store_true", help="little of each: only whether it works")
    given.add_argument("--record", action="store_true", help="append the ratios to history.csv")
    given.add_argument("--of", action="append", type=Path, metavar="CHECKOUT", default=[])
    chosen = given.parse_args()
    for name in chosen.names or ALL:
        if name not in ALL:
            given.error(f"no benchmark is called '{name}'; there is {', '.join(ALL)}")
    if chosen.quick and (chosen.record or chosen.of):
        given.error("what --quick prints is no measurement; leave out --record and --of")
    for name in chosen.names or ALL:
        if chosen.record or chosen.of:
            for checkout in chosen.of or [history.HERE]:
                history.run(name, checkout=checkout.resolve(), record=chosen.record)
        else:
            import_module(f"benchmarks.{name}").main(quick=chosen.quick)


if __name__ == "__main__":
    main()
