"""From the path patterns of a config to files on disk.

A pattern is a path or glob relative to the project's root, or `@source/...` inside a folder that a
job makes. The second kind cannot be expanded before that job ran, so the workflow depends on the
folder (`pipeline.campaign.paths`) and the script finds the files when it runs (`expand`).
"""

import glob
from collections.abc import Sequence
from pathlib import Path

from pipeline.errors import InputError, Problem


def split(pattern: str) -> tuple[str | None, str]:
    """Source name and the rest of the pattern; no source for a local one.

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
    """All files of the patterns, inside a job: `sources` holds the folders of the sources.

    In the order of the patterns, each sorted; a pattern that matches nothing is an error.
    """
    paths: dict[Path, None] = {}
    for pattern in patterns:
        source, rest = split(pattern)
        folder = Path(root) if source is None else Path(sources) / source
        names = matches(rest, root=folder, where="", shown=pattern)
        paths.update(dict.fromkeys(folder / name for name in names))
    return list(paths)


def matches(pattern: str, *, root: str | Path, where: str, shown: str = "") -> list[str]:
    """The files a pattern matches below `root`, sorted; never empty."""
    if (Path(root) / pattern).is_file():  # a name with brackets is a name before it is a glob
        return [pattern]
    # not Path.glob: it takes no absolute pattern and finds hidden files
    paths = glob.glob(pattern, root_dir=root, recursive=True)  # noqa: PTH207
    names = sorted(name for name in paths if (Path(root) / name).is_file())
    if names:
        return names
    subject = f"{where} '{shown or pattern}'".strip()
    if paths:
        fix = f"write '{paths[0].rstrip('/')}/*'"
        raise InputError(Problem("", f"{subject} is a folder, not a file", fix))
    below = "the project's root" if str(root) == "." else f"{root}"
    fix = f"correct the path, relative to {below}"
    raise InputError(Problem("", f"{subject} matches no file", fix))
