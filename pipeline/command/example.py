"""`fathom example`: files to try things on."""

from pathlib import Path

import click

from pipeline.command.output import say

EPILOG = """\b
Examples:
  fathom example data
  fathom evaluate --qrels data/labels/topicality.qrels data/runs/*"""


@click.command(epilog=EPILOG)
@click.argument("folder", type=click.Path(path_type=Path), default=Path("example"))
@click.option("--seed", default=2016, show_default=True, type=click.IntRange(0),
              help="Seed of the generated files.")  # fmt: skip
def command(folder: Path, seed: int) -> None:
    """Write the files of a made-up campaign, to try things on.

    The files are 14 runs of 4 teams, labels in three dimensions, topics, and web pages.
    """
    from pipeline.sources.demo import generate

    generate(folder, seed=seed)
    say(f"wrote runs, labels, topics and pages to {folder}/")
