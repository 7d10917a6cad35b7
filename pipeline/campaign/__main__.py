"""`python -m pipeline.campaign FILE...`: what is wrong with configs, before Snakemake reads them.

Snakemake loads a config before any code of the workflow runs, and what it cannot load (another
encoding, a tab, an open quote) it tells with a traceback, or without the line. This tells it all.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.campaign import campaigns, resolve
from pipeline.errors import InputError
from pipeline.storage import strict_yaml


def main(paths: list[str]) -> int:
    """Check each config, then what they say together; the exit code says whether all is good."""
    given: dict[str, Any] = {}
    told: list[str] = []
    for path in map(Path, paths):
        try:
            given = _merged(given, strict_yaml.config(path))
        except InputError as error:
            told.append(str(error))
    if not told:
        try:
            for campaign in campaigns(given).values():
                resolve(campaign)
        except InputError as error:
            told.append(str(error))
    for sentence in told:
        print(f"fathom: {sentence}", file=sys.stderr)
    if not told:
        print(f"{', '.join(paths)}: good")
    return 1 if told else 0


def _merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Both, the other's values where they differ: as Snakemake makes one config of several."""
    both = dict(one)
    for key, value in other.items():
        here = both.get(key)
        if isinstance(here, Mapping) and isinstance(value, Mapping):
            both[key] = _merged(here, value)
        else:
            both[key] = value
    return both


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
