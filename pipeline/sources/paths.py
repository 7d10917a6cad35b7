"""Expansion of the path patterns of a config to files.

A pattern is a path or glob relative to the project's root, or `@source/...` inside the folder of a
source. The latter cannot be expanded before the job that builds the folder has run. So the workflow
depends on the folder (`pipeline.campaign.paths`), and the script expands the pattern (`expand`).
"""

import glob
from collections.abc import Sequence
from pathlib import Path

from pipeline.errors import InputError, Problem


def split(pattern: str) -> tuple[str | None, str]:
    """Source name (None for a local path) and the rest of the pattern.

    >>> split("@demo/runs/*.gz")
    ('demo', 'runs/*.gz')
    >>> split("data/runs/*.gz")
    (None, 'data/runs/*.gz')
    """
    if not pattern.startswith("@"):
        return None, pattern
    source, _, rest = pattern[1:].partition("/")
    return source, rest


def expand(patterns: Sequence[str], *, sources: str | Path, root: str | Path = ".") -> list[Path]:
    """All files of the patterns, inside a job; `sources` contains the folders of the sources.

    They are in the order of the patterns, each sorted. A pattern without a match is an error.
    """
    paths: dict[Path, None] = {}
    for pattern in patterns:
        source, rest = split(pattern)
        folder = Path(root) if source is None else Path(sources) / source
        names = matches(rest, root=folder, where="", label=pattern)
        paths.update(dict.fromkeys(folder / name for name in names))
    return list(paths)


def matches(pattern: str, *, root: str | Path, where: str, label: str = "") -> list[str]:
    """The files that a pattern matches below `root`, sorted; never empty."""
    if (Path(root) / pattern).is_file():  # an existing file name with brackets is not a glob
        return [pattern]
    # Not Path.glob, which refuses absolute patterns and matches hidden files.
    paths = glob.glob(pattern, root_dir=root, recursive=True)  # noqa: PTH207
    names = sorted(name for name in paths if (Path(root) / name).is_file())
    if names:
        return names
    subject = f"{where} '{label or pattern}'".strip()
    if paths:
        fix = f"write '{paths[0].rstrip('/')}/*'"
        raise InputError(Problem("", f"{subject} is a folder, not a file", fix))
    below = "the project's root" if str(root) == "." else f"{root}"
    fix = f"correct the path, relative to {below}"
    raise InputError(Problem("", f"{subject} matches no file", fix))
