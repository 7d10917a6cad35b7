"""Arguments and options that commands share: run files, labels, scales, measures, policies."""

import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pipeline.command.output import say
from pipeline.errors import InputError, Problem

if TYPE_CHECKING:
    from pipeline.api.result import Evaluation
    from pipeline.config.dimensions import Labels

WORD = re.compile(r"[^/.]*\.\.[^/]*|high|low|[a-z_]+=[^,=]+")
F = TypeVar("F", bound=Callable[..., Any])


def options(*several: Callable[[F], F]) -> Callable[[F], F]:
    """Several options of click as one decorator, in their order."""
    return lambda function: reduce(lambda made, option: option(made), reversed(several), function)


PATH, POSITIVE = click.Path(path_type=Path), click.IntRange(1)
option = partial(click.option, show_default=True)
runs_argument = click.argument("runs", nargs=-1, required=True)


def labels_options(*, required: bool = True) -> Callable[[F], F]:
    """`--qrels`, the first dimension, and `--labels` for further ones."""
    return options(
        option("--qrels", required=required, metavar="FILE[:SCALE]",
               help="Topicality labels; each line is 'topic 0 document label'."),
        option("--labels", "-l", "further", multiple=True, metavar="NAME=FILE[:SCALE]",
               help="Labels of a further dimension, for example "
               "understandability=qread.txt:0..3,threshold=2."),
    )  # fmt: skip


policy_options = options(
    option("--measure", "-m", "measures", multiple=True, metavar="MEASURE",
           help="For example nDCG@10 or 'RBP(p=0.8)'; may be repeated. There are defaults."),
    option("--measures-from", multiple=True, type=PATH,
           help="A Python file with measures of your own."),
    option("--order", default="score", type=click.Choice(["score", "score64", "rank"]),
           help="Rank by score (trec_eval 9), score64 (trec_eval 10), or the rank column."),
    option("--depth", default=1000, type=POSITIVE, help="Documents evaluated per topic."),
    option("--unjudged", default="zero", type=click.Choice(["zero", "condensed"]),
           help="Unjudged documents: no gain, or removed from the ranking."),
    option("--duplicates", default="error", type=click.Choice(["error", "first"]),
           help="Duplicate documents in a topic: an error, or keep the first."),
    option("--bad-scores", default="error", type=click.Choice(["error", "last"]),
           help="NaN or infinite scores: an error, or rank last."),
)  # fmt: skip


def evaluated(
    runs: tuple[str, ...],
    *,
    qrels: str,
    further: tuple[str, ...],
    measures: tuple[str, ...],
    usual: tuple[str, ...] | None = None,
    **policies: Any,
) -> "Evaluation":
    """Evaluate the runs, and print what was assumed."""
    from pipeline.api import USUAL, evaluate

    files, scales = {}, {}
    for name, text in label_texts(qrels, further).items():
        file, scale = split_labels(text)
        files[name] = [str(path) for path in label_files(file)]
        if scale:
            scales[name] = scale
    others = list(files)[1:]
    wanted = measures or usual or (
        *USUAL,
        *(m for other in others for m in (f"uRBP(p=0.8, by={other})", f"RBP(p=0.8, on={other})")),
        *([f"H(RBP(p=0.8), {', '.join(f'{one}=1' for one in files)})"] if others else []),
    )  # fmt: skip
    with found(runs) as paths:
        result = evaluate(files, run_names(paths), list(wanted), scales=scales, **policies)
    for note in result.notes:
        say(note)
    return result


@contextmanager
def found(given: Sequence[str], *, what: str = "run") -> Iterator[list[Path]]:
    """The files that arguments name: a folder is all files in it, `-` the standard input.

    A pipe may have a path, too, as a shell makes of `<(zcat run.gz)`. It is read once, here.
    """
    from pipeline.sources.paths import matches

    files: list[Path] = []
    with tempfile.TemporaryDirectory() as folder:
        piped: dict[str, str] = {}
        for one in given:
            path = Path(one)
            if one == "-" or path.is_fifo():
                copy = Path(folder) / ("stdin" if one == "-" else path.name)
                if str(copy) not in piped:
                    copy.write_bytes(sys.stdin.buffer.read() if one == "-" else path.read_bytes())
                piped[str(copy)] = "standard input" if one == "-" else one
                files.append(copy)
            elif path.is_dir():
                inside = sorted(p for p in path.iterdir() if p.is_file() and p.name[:1] != ".")
                if not inside:
                    fix = f"name one with {what}s"
                    raise InputError(Problem(path, "the folder has no files", fix))
                files += inside
            else:
                try:
                    files += [Path(name) for name in matches(one, root=".", where="")]
                except InputError:
                    problem = Problem(one, f"there is no such {what} file", "check the path")
                    raise InputError(problem) from None
        try:
            yield list(dict.fromkeys(files))
        except InputError as error:  # a pipe's copy goes by the name the user gave
            problems = (p.at(piped.get(str(p.where), p.where)) for p in error.problems)
            raise InputError(*problems) from None


@contextmanager
def as_options() -> Iterator[None]:
    """Report problems of a function's arguments as problems of the options they came from."""
    try:
        yield
    except InputError as error:
        given = click.get_current_context().command.params
        option = {str(one.name): one.opts[0] for one in given if isinstance(one, click.Option)}
        named = (one.at(option.get(str(one.where), one.where)) for one in error.problems)
        raise InputError(*named) from None


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


# ---- labels ---------------------------------------------------------------------------------


def split_labels(text: str) -> tuple[str, str]:
    """A label file, and its scale behind the last colon.

    >>> split_labels("q.txt:0..3,low,threshold=2")
    ('q.txt', '0..3,low,threshold=2')
    >>> split_labels("c:/q.txt")
    ('c:/q.txt', '')
    """
    path, colon, tail = text.rpartition(":")
    if not colon or not WORD.fullmatch(tail.split(",")[0].strip()):
        return text, ""
    return path, tail


def label_texts(qrels: str | None, further: Sequence[str]) -> dict[str, str]:
    """FILE[:SCALE] of each dimension, the first being topicality."""
    named = {"topicality": qrels} if qrels else {}
    for text in further:
        name, equals, file = text.partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z][\w-]*", name) or not file:
            fix = "write it like understandability=qread.txt"
            raise InputError(Problem(f"--labels '{text}'", "is not NAME=FILE", fix))
        if name in named:
            problem = Problem("--labels", f"'{name}' is named twice", "give each dimension once")
            raise InputError(problem)
        named[name] = file
    return named


def read_labels(name: str, text: str, *, like: Sequence[str] = ()) -> "Labels":
    """Read FILE[:SCALE], and print what was assumed.

    The scale is inferred from these labels together with those of the files in `like`.
    """
    from pipeline.api.steps import labels_of

    file, scale = split_labels(text)
    others = [path for one in like for path in label_files(split_labels(one)[0])]
    labels, note = labels_of(name, label_files(file), scale=scale or None, like=others)
    if note:
        say(note)
    return labels


def label_files(given: str) -> list[Path]:
    """The label files that an argument names."""
    if given == "-" or Path(given).is_fifo():
        raise InputError(Problem(given, "labels cannot be read from a pipe", "name a file"))
    with found([given], what="label") as files:
        return files
