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
from pipeline.config.policies import CHOICES, DEFAULTS
from pipeline.errors import InputError, Problem

if TYPE_CHECKING:
    from pipeline.api.result import Evaluation
    from pipeline.config.dimensions import Labels

SCALE = re.compile(r"[^/:]*\.\.[^/:]*|high|low|[a-z_]+=[^,=/]+")  # the first part of a scale
WRITE_SCALE = "write FILE:SCALE to change it"
F = TypeVar("F", bound=Callable[..., Any])


def options(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several options of click as one decorator, in their order."""
    return lambda function: reduce(lambda f, decorate: decorate(f), reversed(decorators), function)


PATH, POSITIVE = click.Path(path_type=Path), click.IntRange(1)
option = partial(click.option, show_default=True)
runs_argument = click.argument("runs", nargs=-1, required=True)


def labels_options(*, required: bool = True) -> Callable[[F], F]:
    """`--qrels`, the first dimension, and `--labels` for further ones."""
    return options(
        option("--qrels", required=required, metavar="FILE[:SCALE]",
               help="Topicality labels; each line is 'topic 0 document label'. SCALE is like "
               "0..3,high,threshold=2,gains=0:0+1:0.4+2:0.8+3:1,cannot_judge=-1; parts that you "
               "leave out are inferred from the labels."),
        option("--labels", "-l", "further", multiple=True, metavar="NAME=FILE[:SCALE]",
               help="Labels of a further dimension, for example "
               "understandability=qread.txt:0..3,threshold=2."),
    )  # fmt: skip


def policy(name: str, text: str) -> Callable[[F], F]:
    """The option of a policy, with its choices and default."""
    choices, default = click.Choice(CHOICES[name]), getattr(DEFAULTS, name)
    return option(f"--{name.replace('_', '-')}", default=default, type=choices, help=text)


policy_options = options(
    option("--measure", "-m", "measures", multiple=True, metavar="MEASURE",
           help="For example nDCG@10 or 'RBP(p=0.8)'; may be repeated. There are defaults."),
    option("--measures-from", multiple=True, type=PATH,
           help="A Python file with measures of your own."),
    policy("order", "Rank by score (compared as 32-bit floats, as trec_eval 9), score64 (64-bit, "
           "as trec_eval 10), or the rank column."),
    option("--depth", default=DEFAULTS.depth, type=POSITIVE,
           help="Documents evaluated per run and topic."),
    policy("unjudged", "Unjudged documents: no gain, or removed from the ranking."),
    policy("duplicates", "Duplicate documents in a topic: an error, or keep the first."),
    policy("bad_scores", "NaN or infinite scores: an error, or rank last."),
)  # fmt: skip


def evaluated(
    runs: tuple[str, ...],
    *,
    qrels: str,
    further: tuple[str, ...],
    measures: tuple[str, ...],
    measures_from: tuple[Path, ...],
    unjudged: str,
    usual: tuple[str, ...] | None = None,
    **policies: Any,
) -> "Evaluation":
    """Evaluate the runs, and print the assumptions."""
    from pipeline.api.evaluating import USUAL, Syntax, score
    from pipeline.runs.reader import RunPolicies

    files, scales = {}, {}
    for name, text in label_texts(qrels, further).items():
        file, scale = split_labels(text)
        files[name] = [str(path) for path in label_files(file)]
        if scale:
            scales[name] = scale
    defaults = list(USUAL)
    for name in list(files)[1:]:
        defaults += [f"uRBP(p=0.8, by={name})", f"RBP(p=0.8, on={name})"]
    if len(files) > 1:
        defaults.append(f"H(RBP(p=0.8), {', '.join(f'{name}=1' for name in files)})")
    syntax = Syntax(
        policy="use --{option} {value}", scale=WRITE_SCALE,
        labels="give them with --labels {name}=FILE",
    )  # fmt: skip
    with run_files(runs) as paths:
        result = score(
            files, run_names(paths), list(measures or usual or defaults), scales=scales,
            policies=RunPolicies(**policies, setting=syntax.policy), unjudged=unjudged,
            measures_from=measures_from, syntax=syntax,
        )  # fmt: skip
    for note in result.notes:
        say(note)
    return result


@contextmanager
def run_files(arguments: Sequence[str], *, what: str = "run") -> Iterator[list[Path]]:
    """The files that arguments name: a folder means all files in it, `-` the standard input.

    A pipe may have a path, for example that of `<(zcat run.gz)`. Its content is copied here, since
    it can be read only once.
    """
    from pipeline.sources.paths import matches

    files: list[Path] = []
    with tempfile.TemporaryDirectory() as folder:
        piped: dict[str, str] = {}
        for name in arguments:
            path, is_stdin = Path(name), name == "-"
            if is_stdin or path.is_fifo():
                copy = Path(folder) / ("stdin" if is_stdin else path.name)
                if str(copy) not in piped:
                    copy.write_bytes(sys.stdin.buffer.read() if is_stdin else path.read_bytes())
                piped[str(copy)] = "standard input" if is_stdin else name
                files.append(copy)
            elif path.is_dir():
                inside = sorted(p for p in path.iterdir() if p.is_file() and p.name[:1] != ".")
                if not inside:
                    fix = f"name one with {what}s"
                    raise InputError(Problem(path, "the folder has no files", fix))
                files += inside
            else:
                try:
                    files += map(Path, matches(name, root=".", where=""))
                except InputError:
                    problem = Problem(name, f"there is no such {what} file", "check the path")
                    raise InputError(problem) from None
        try:
            yield list(dict.fromkeys(files))
        except InputError as error:  # name a pipe as the user did, not its copy
            problems = (p.at(piped.get(str(p.where), p.where)) for p in error.problems)
            raise InputError(*problems) from None


@contextmanager
def as_options() -> Iterator[None]:
    """Report problems of a function's arguments as problems of the options they came from."""
    try:
        yield
    except InputError as error:
        params = click.get_current_context().command.params
        is_option = {p: isinstance(p, click.Option) for p in params}
        names = {str(p.name): p.opts[0] if is_option[p] else p.human_readable_name for p in params}
        problems = (p.at(names.get(str(p.where), p.where)) for p in error.problems)
        raise InputError(*problems) from None


def run_names(files: Sequence[Path]) -> dict[str, str]:
    """The path of each run by its name; runs of the same name are named by their paths.

    >>> run_names([Path("a/run.gz"), Path("b/run"), Path("b/other")])
    {'a/run.gz': 'a/run.gz', 'b/run': 'b/run', 'other': 'b/other'}
    """
    names = [path.name.removesuffix(".gz") for path in files]
    return {
        str(path) if names.count(name) > 1 else name: str(path)
        for name, path in zip(names, files, strict=True)
    }


def split_labels(text: str) -> tuple[str, str]:
    """Split FILE[:SCALE].

    >>> split_labels("q.txt:0..3,low,gains=0:0+3:1")
    ('q.txt', '0..3,low,gains=0:0+3:1')
    >>> split_labels("c:/q.txt")
    ('c:/q.txt', '')
    """
    parts = text.split(":")
    splits = [(":".join(parts[:n]), ":".join(parts[n:])) for n in range(1, len(parts))]
    for path, scale in splits:
        if SCALE.fullmatch(scale.split(",")[0].strip()):
            return path, scale
    if not Path(text).exists():  # a file with a malformed scale, which `parse_scale` refuses
        return next((split for split in splits if Path(split[0]).is_file()), (text, ""))
    return text, ""


def label_texts(qrels: str | None, further: Sequence[str]) -> dict[str, str]:
    """FILE[:SCALE] of each dimension, topicality first."""
    texts = {"topicality": qrels} if qrels else {}
    for text in further:
        name, equals, file = text.partition("=")
        if not equals or not re.fullmatch(r"[A-Za-z][\w-]*", name) or not file:
            fix = "write it like understandability=qread.txt"
            raise InputError(Problem(f"--labels '{text}'", "is not NAME=FILE", fix))
        if name in texts:
            problem = Problem("--labels", f"'{name}' is named twice", "give each dimension once")
            raise InputError(problem)
        texts[name] = file
    return texts


def read_labels(name: str, text: str, *, like: Sequence[str] = ()) -> "Labels":
    """Read FILE[:SCALE], and print the assumptions.

    The scale is inferred from these labels and those of the files in `like`.
    """
    from pipeline.api.steps import labels_of

    file, scale = split_labels(text)
    others = [path for other in like for path in label_files(split_labels(other)[0])]
    labels, note = labels_of(name, label_files(file), scale=scale or None, like=others)
    if note:
        say(f"{note}; {WRITE_SCALE}")
    return labels


def label_files(pattern: str) -> list[Path]:
    """The label files that an argument names."""
    if pattern == "-" or Path(pattern).is_fifo():
        raise InputError(Problem(pattern, "labels cannot be read from a pipe", "name a file"))
    with run_files([pattern], what="label") as files:
        return files
