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
    """The files that arguments name: a folder is all files in it, `-` what comes in by pipe.

    A pipe may have a path, too, as what a shell makes of `<(zcat run.gz)`. It is read once, here.
    """
    from pipeline.sources.paths import matches

    files: list[Path] = []
    with tempfile.TemporaryDirectory() as folder:
        piped: dict[Path, str] = {}
        for one in given:
            path = Path(one)
            if one == "-" or path.is_fifo():
                files.append(Path(folder) / ("stdin" if one == "-" else path.name))
                if files[-1] not in piped:
                    content = sys.stdin.buffer.read() if one == "-" else path.read_bytes()
                    files[-1].write_bytes(content)
                piped[files[-1]] = "standard input" if one == "-" else one
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
        try:
            yield list(dict.fromkeys(files))
        except InputError as error:  # what came by pipe has no path a reader would know
            told = str(error)
            for path, shown in piped.items():
                told = told.replace(str(path), shown)
            raise InputError(told) from None


def run_names(files: Sequence[Path]) -> dict[str, str]:
    """Run name to path; runs of one name, in several folders, go by their paths.

    >>> run_names([Path("a/run.gz"), Path("b/run"), Path("b/other")])
    {'a/run.gz': 'a/run.gz', 'b/run': 'b/run', 'other': 'b/other'}
    """
    names = [path.name.removesuffix(".gz") for path in files]
    return {
        str(path) if names.count(name) > 1 else name: str(path)
        for name, path in zip(names, files, strict=True)
    }


def split_labels(text: str) -> tuple[str, str]:
    """A label file, and what is said of its scale behind the last colon.

    >>> split_labels("q.txt:0..3,low,threshold=2")
    ('q.txt', '0..3,low,threshold=2')
    >>> split_labels("c:/q.txt")
    ('c:/q.txt', '')
    """
    path, colon, tail = text.rpartition(":")
    if not colon or not WORD.fullmatch(tail.split(",")[0].strip()):
        return text, ""
    return path, tail


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


def read_labels(name: str, text: str, *, like: Sequence[str] = ()) -> "Labels":
    """One dimension's labels as asked for; what was guessed is said.

    Labels that are `like` others, sets of one dimension, are read on the scale of all of them.
    """
    from pipeline.command.output import say
    from pipeline.labels.guess import labels_in
    from pipeline.labels.reading import Labels
    from pipeline.labels.saying import settled

    given, said = split_labels(text)
    paths = label_files(given)
    beside = [path for one in like for path in label_files(split_labels(one)[0])]
    scale, how = settled(said or None, labels_in([*paths, *beside]), name=name)
    if scale.said:
        say(f"{name}: {scale.said}")
    return Labels(
        files=tuple(map(str, paths)),
        scale=scale.scale,
        key=how.key,  # type: ignore[arg-type]
        conflict=how.conflict,  # type: ignore[arg-type]
    )


def label_files(given: str) -> list[Path]:
    """The label files that an argument names."""
    if given == "-" or Path(given).is_fifo():
        raise InputError("labels are read from files, not from a pipe; name one")
    with found([given], what="label") as files:
        return files
