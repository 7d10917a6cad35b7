"""`make bench`: every side-by-side benchmark, or those named on the command line."""

import sys
from importlib import import_module

ALL = ("engine", "campaign", "labels", "pages", "collection", "statistics")

for name in sys.argv[1:] or ALL:
    if name not in ALL:
        sys.exit(f"no benchmark is called '{name}'; there is {', '.join(ALL)}")
    import_module(f"benchmarks.{name}").main()
