"""What evaluate, compare and explain share: options, and the call of the function."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pipeline.command.files import dimension, found, label_files, split_labels
from pipeline.command.output import say

if TYPE_CHECKING:
    from pipeline.api.result import Evaluation

F = TypeVar("F", bound=Callable[..., Any])


def policy_options(function: F) -> F:
    """`-m`, and the habits the figures follow."""
    for option in reversed(
        [
            click.option("--measure", "-m", "measures", multiple=True, metavar="MEASURE",
                         help="As nDCG@10 or 'RBP(p=0.8)'; the usual ones by default."),
            click.option("--measures-from", multiple=True, type=click.Path(path_type=Path),
                         help="A Python file with measures of your own."),
            click.option("--order", default="score", show_default=True,
                         type=click.Choice(["score", "score64", "rank"]),
                         help="By score (as trec_eval 9, or 10), or by the rank column."),
            click.option("--depth", default=1000, show_default=True, type=click.IntRange(1),
                         help="Documents kept a topic."),
            click.option("--unjudged", default="zero", show_default=True,
                         type=click.Choice(["zero", "condensed"]),
                         help="No gain, or left out of the list."),
            click.option("--duplicates", default="error", show_default=True,
                         type=click.Choice(["error", "first"]),
                         help="A document twice in one topic."),
            click.option("--bad-scores", default="error", show_default=True,
                         type=click.Choice(["error", "last"]),
                         help="A NaN or infinite score."),
        ]
    ):  # fmt: skip
        function = option(function)
    return function


def evaluated(
    runs: tuple[str, ...],
    *,
    qrels: str,
    further: tuple[str, ...],
    measures: tuple[str, ...],
    usual: tuple[str, ...] | None = None,
    **policies: Any,
) -> "Evaluation":
    """The function's result; what it guessed is said."""
    from pipeline.api import evaluate

    named = {"topicality": qrels}
    for text in further:
        name, file = dimension(text)
        if name in named:
            raise click.UsageError(f"--labels names '{name}' twice")
        named[name] = file
    files, scales = {}, {}
    for name, text in named.items():
        file, said = split_labels(text)
        files[name] = [str(path) for path in label_files(file)]
        if said:
            scales[name] = said
    with found(runs) as paths:
        result = evaluate(
            files,
            [str(path) for path in paths],
            list(measures) or (usual and list(usual)) or _usual(list(files)),
            scales=scales,
            **policies,
        )
    for note in result.notes:
        say(note)
    return result


def _usual(dimensions: list[str]) -> list[str]:
    """The usual figures, and with further dimensions those over and across them."""
    from pipeline.api import USUAL

    names = list(USUAL)
    for other in dimensions[1:]:
        names += [f"uRBP(p=0.8, by={other})", f"RBP(p=0.8, on={other})"]
    if len(dimensions) > 1:
        names.append(f"H(RBP(p=0.8), {', '.join(f'{one}=1' for one in dimensions)})")
    return names
