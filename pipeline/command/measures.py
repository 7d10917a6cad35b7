"""`fathom measures`: the table of measures, searched, or one of them explained."""

from collections.abc import Iterator

import click

from pipeline.command.output import Output, Table, output_options
from pipeline.errors import InputError, Problem

EPILOG = """\b
Examples:
  fathom measures                     all of them
  fathom measures precision rank      measures that match both words
  fathom measures 'uRBP(p=0.8)'       what this measure computes
  fathom measures -f markdown         as a table for a page"""


@click.command(epilog=EPILOG)
@click.argument("words", nargs=-1)
@output_options
def command(words: tuple[str, ...], out: Output) -> None:
    """List the measures, or say what one computes.

    WORDS are searched in names, titles, formulas and sources. A single word that is a measure, such
    as nDCG@10, is explained instead.
    """
    if len(words) == 1 and out == Output() and (found := _explained(words[0])):
        click.echo(found)
        return
    rows = [row for row in _rows() if all(word.lower() in " ".join(row).lower() for word in words)]
    if not rows:
        from pipeline.measures import REGISTRY

        what = f"no measure matches '{' '.join(words)}'"
        raise InputError(Problem("WORDS", what, f"did you mean '{REGISTRY.known(words[0])}'?"))
    columns = ("measure", "what", "formula", "parameters", "source")
    out.show(Table(columns, rows))


def _rows() -> Iterator[tuple[str, ...]]:
    from pipeline.measures import COMBINATIONS, REGISTRY

    for one in sorted(REGISTRY.values(), key=lambda one: (one.name.lower(), one.name)):
        cutoff = {"none": "", "optional": "[@k]", "required": "@k"}[one.cutoff]
        parameters = ", ".join(f"{key}={param.default}" for key, param in one.params.items())
        yield one.name + cutoff, one.title, one.formula, parameters, one.citation
    for two in sorted(COMBINATIONS.values(), key=lambda two: two.name.lower()):
        yield f"{two.name}(M, ...)", two.title, two.formula, "weights", two.citation


def _explained(text: str) -> str:
    """What a measure computes, if the text is one."""
    from pipeline.measures import parse
    from pipeline.measures.measure import Combined, Single
    from pipeline.measures.table import READING, parameter

    try:
        # Any dimension may be meant, so those the text names are taken to exist.
        found = parse(text, dimensions=_named(text))
    except InputError:
        if set("(@") & set(text):  # no word to search for, but a measure, and wrong
            raise
        return ""
    part = found if isinstance(found, Single) else found.parts[0]
    base = part.declaration
    if isinstance(found, Combined):
        what = f"{found.combination.title} of {base.title}"
    else:
        what = base.title if isinstance(found, Single) else f"{base.title}, intent-aware"
    lines = [
        f"{found.name}: {what}",
        f"  formula     {found.formula}",
        f"  labels      {READING[base.gain]}",
        f"  dimensions  {', '.join(found.dimensions)}",
    ]
    for key, param in base.params.items():
        lines.append(f"  parameter   {parameter(key, param).replace('`', '')}")
    return "\n".join([*lines, f"  source      {found.citation}"])


def _named(text: str) -> list[str]:
    """The usual dimensions, and whatever words of the text could be one."""
    import re

    usual = ("topicality", "understandability", "trustworthiness")
    return [*dict.fromkeys([*usual, *re.findall(r"[a-z_]{4,}", text)])]
