"""The files a command is given: paths, folders, patterns, and `-` for the standard input."""

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pipeline.errors import InputError

if TYPE_CHECKING:
    from pipeline.labels.reading import Labels

WORD = re.compile(r"[^/.]*\.\.[^/]*|high|low|[a-z_]+=[^,=]+")
F = TypeVar("F", bound=Callable[..., Any])


def runs_argument(function: F) -> F:
    """The run files."""
    return click.argument("runs", nargs=-1, required=True)(function)


def labels_options(*, required: bool = True) -> Callable[[F], F]:
    """`--qrels`, the first dimension, and `--labels` for further ones."""

    def added(function: F) -> F:
        function = click.option(
            "--labels", "-l", "further", multiple=True, metavar="NAME=FILE[:SCALE]",
            help="Labels of a further dimension, as understandability=qread.txt:0..3,threshold=2.",
        )(function)  # fmt: skip
        return click.option(
            "--qrels", required=required, metavar="FILE[:SCALE]",
            help="Labels of topicality, as lines of 'topic 0 document label'.",
        )(function)  # fmt: skip

    return added


@contextmanager
def found(given: Sequence[str], *, what: str = "run") -> Iterator[list[Path]]:
    """The files that arguments name: a folder is all files in it, `-` what comes in by pipe."""
    from pipeline.sources.paths import matches

    files: list[Path] = []
    with tempfile.TemporaryDirectory() as folder:
        for one in given:
            path = Path(one)
            if one == "-":
                files.append(Path(folder) / "stdin")
                files[-1].write_bytes(sys.stdin.buffer.read())
            elif path.is_dir():
                inside = sorted(p for p in path.iterdir() if p.is_file() and p.name[:1] != ".")
                if not inside:
                    raise InputError(f"{path}: the folder has no files; name one with {what}s")
                files += inside
            else:
                try:
                    files += [Path(name) for name in matches(one, root=".", where="")]
                except InputError:
                    raise InputError(
                        f"{one}: there is no such {what} file; check the path"
                    ) from None
        yield list(dict.fromkeys(files))


def split_labels(text: str) -> tuple[str, dict[str, Any]]:
    """A label file, and what is said of its scale behind the last colon.

    >>> split_labels("q.txt:0..3,low,threshold=2")
    ('q.txt', {'scale': (0.0, 3.0), 'better': 'low', 'threshold': 2.0})
    >>> split_labels("c:/q.txt")
    ('c:/q.txt', {})
    """
    path, colon, tail = text.rpartition(":")
    words = tail.split(",")
    if not colon or not WORD.fullmatch(words[0].strip()):
        return text, {}
    said: dict[str, Any] = {}
    for word in (word.strip() for word in words):
        key, equals, value = word.partition("=")
        if ".." in word and not equals:
            low, _, high = word.partition("..")
            said["scale"] = (_number(low, text), _number(high, text))
        elif word in ("high", "low"):
            said["better"] = word
        elif key == "threshold" and equals:
            said["threshold"] = _number(value, text)
        elif key == "cannot_judge" and equals:
            said["cannot_judge"] = tuple(_number(code, text) for code in value.split("+"))
        elif key == "key" and value in ("topic", "document"):
            said["key"] = value
        elif key == "conflict" and value in ("error", "first", "max", "mean"):
            said["conflict"] = value
        else:
            raise InputError(
                f"'{text}': '{word}' is no part of a scale; write as 0..3,high,threshold=2,"
                "cannot_judge=-1,key=document,conflict=first"
            )
    return path, said


def _number(text: str, whole: str) -> float:
    from pipeline.storage.text import number

    value = number(text)
    if value != value:
        raise InputError(f"'{whole}': '{text}' is not a number; correct the scale")
    return value


def dimension(text: str) -> tuple[str, str]:
    """Name and file of a further dimension."""
    name, equals, file = text.partition("=")
    if not equals or not re.fullmatch(r"[A-Za-z][\w-]*", name) or not file:
        raise InputError(f"--labels '{text}' must be NAME=FILE, as understandability=qread.txt")
    return name, file


def labels(qrels: str | None, further: Sequence[str]) -> dict[str, "Labels"]:
    """The labels of each dimension, the first being topicality; what was guessed is said."""
    named = [("topicality", qrels)] if qrels else []
    named += [dimension(text) for text in further]
    names = [name for name, _ in named]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"--labels names '{name}' twice; give each dimension once")
    return {name: read_labels(name, text) for name, text in named}


def read_labels(name: str, text: str) -> "Labels":
    """One dimension's labels as asked for; what was guessed is said."""
    from pipeline.command.output import say
    from pipeline.labels.guess import guess, labels_in
    from pipeline.labels.reading import Labels

    given, said = split_labels(text)
    with found([given], what="label") as files:
        if given == "-":
            raise InputError("labels are read from files, not from a pipe; name one")
        scale = guess(
            labels_in(files),
            ends=said.get("scale"),
            better=said.get("better"),
            threshold=said.get("threshold"),
            cannot_judge=said.get("cannot_judge"),
        )
    if scale.said:
        say(f"{name}: {scale.said}")
    return Labels(
        files=tuple(map(str, files)),
        scale=scale.scale,
        key=said.get("key", "topic"),
        conflict=said.get("conflict", "error"),
    )
