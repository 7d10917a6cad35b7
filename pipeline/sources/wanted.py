"""Which files of a repository a source wants: globs over a list of names, on disk or in git.

Python's own glob reads folders, and a commit is none; so one matcher serves both, with glob's
meaning: `*` stays inside a folder, `**` crosses folders, hidden names must be named. A path that
names a folder means everything in it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence


def matching(names: Iterable[str], patterns: Sequence[str]) -> Mapping[str, list[str]]:
    """The names each pattern matches, sorted.

    >>> dict(matching(["runs/a.dat", "runs/x/b.dat"], ["runs/*.dat", "runs"]))
    {'runs/*.dat': ['runs/a.dat'], 'runs': ['runs/a.dat', 'runs/x/b.dat']}
    """
    known = sorted(names)
    found: dict[str, list[str]] = {}
    for pattern in patterns:
        if pattern in known:  # a name with brackets is a name before it is a glob
            found[pattern] = [pattern]
            continue
        below = pattern.rstrip("/") + "/"
        expression = re.compile(_expression(pattern))
        found[pattern] = [
            name for name in known if name.startswith(below) or expression.fullmatch(name)
        ]
    return found


def _expression(pattern: str) -> str:
    parts = pattern.rstrip("/").split("/")
    text = ""
    for place, part in enumerate(parts):
        last = place == len(parts) - 1
        if part == "**":
            text += r"(?:(?!\.)[^/]+/)*" + (r"(?!\.)[^/]+" if last else "")
            continue
        text += ("" if part.startswith(".") else r"(?!\.)") + _segment(part) + ("" if last else "/")
    return text


def _segment(part: str) -> str:
    """One name of a path: `*`, `?`, `[abc]` and `[!abc]`."""
    text, rest = "", part
    while rest:
        group = re.match(r"\[(!?)(\]?[^\]]*)\]", rest)
        if group:
            kept = group[2].replace("\\", r"\\").replace("[", r"\[").replace("^", r"\^")
            text += f"(?!/)[{'^' if group[1] else ''}{kept}]" if kept else re.escape(group[0])
            rest = rest[group.end() :]
            continue
        text += {"*": "[^/]*", "?": "[^/]"}.get(rest[0]) or re.escape(rest[0])
        rest = rest[1:]
    return text
