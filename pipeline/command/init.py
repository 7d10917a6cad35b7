"""`fathom init`: a first config for the files in a folder."""

from pathlib import Path

import click

from pipeline.command.output import say

EPILOG = """\b
Examples:
  fathom init                      the files below this folder, into fathom.yaml
  fathom init data -o mine.yaml
  fathom init data -o -            to the standard output

Paths in the config are relative to the current folder: run it from here. Existing files are never
overwritten."""


@click.command(epilog=EPILOG)
@click.argument("folder", type=click.Path(path_type=Path), default=Path())
@click.option(
    "--output", "-o", default="fathom.yaml", show_default=True, help="The config file to write."
)
@click.option("--name", help="Name of the campaign; by default that of the folder.")
def command(folder: Path, output: str, name: str | None) -> None:
    """Write a campaign's config for the files in a folder.

    Runs, labels, topics and pages are recognised by their content. Scales, teams and topic ids are
    inferred, and every assumption is printed.
    """
    import yaml

    from pipeline.campaign import campaigns, resolve
    from pipeline.campaign.draft import draft
    from pipeline.command.run import workflow
    from pipeline.errors import InputError, Problem

    out = Path(output)
    if output != "-" and out.exists():
        raise InputError(Problem(out, "the file exists", "name another with --output"))
    made = draft(folder, name=name, schema=workflow() / "config/schema.json")
    for one in campaigns(yaml.safe_load(made.text)).values():
        resolve(one)
    for sentence in made.guessed:
        say(sentence)
    if output == "-":
        click.echo(made.text, nl=False)
        return
    try:
        with out.open("x", encoding="utf-8") as file:
            file.write(made.text)
    except OSError as error:
        what = f"cannot be written ({error.strerror})"
        raise InputError(Problem(out, what, "name another with --output")) from None
    say(f"wrote {out}; check it with 'fathom check {out}', then run 'fathom run {out}'")
