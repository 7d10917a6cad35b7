"""`python -m pipeline.campaign FILE...`: what is wrong with configs, before Snakemake reads them.

Snakemake loads a config before any code of the workflow runs, and what it cannot load (another
encoding, a tab, an open quote) it tells with a traceback, or without the line. This tells it all.
"""

import sys
from pathlib import Path

from pipeline.campaign import campaigns, resolve
from pipeline.errors import InputError
from pipeline.storage import strict_yaml


def main(paths: list[str]) -> int:
    """Check each config by itself; the exit code says whether all are good."""
    bad = 0
    for path in map(Path, paths):
        try:
            for campaign in campaigns(strict_yaml.config(path)).values():
                resolve(campaign)
        except InputError as error:
            bad += 1
            print(f"fathom: {error}", file=sys.stderr)
        else:
            print(f"{path}: good")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
