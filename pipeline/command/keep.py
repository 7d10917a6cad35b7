"""`fathom keep`: the present state of a campaign's results, under a name."""

from pathlib import Path

import click

from pipeline.command.output import say

EPILOG = """\b
Examples:
  fathom keep first-qrels mine.yaml     before the qrels change
  fathom run mine.yaml                  after, with report: {against: results/mine/kept/first-qrels}

What is kept is what a comparison needs: labels, scores, means and tests. Nothing is overwritten."""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.argument("configs", nargs=-1, required=True)
def command(name: str, configs: tuple[str, ...]) -> None:
    """Keep a campaign's results under a name, to see later what changed.

    NAME is of your choosing; CONFIGS are the config files of the campaigns, or names of those that
    come with Fathom. The state is in results/<campaign>/kept/NAME.
    """
    from pipeline.campaign import campaigns
    from pipeline.changes.versions import keep, not_keepable
    from pipeline.command.run import shipped
    from pipeline.errors import InputError
    from pipeline.results import Results
    from pipeline.storage import strict_yaml

    found = [one for path in configs for one in campaigns(strict_yaml.config(shipped(path)))]
    results = [Results(Path("results") / campaign) for campaign in found]
    if problems := [p for one in results for p in not_keepable(one, name)]:  # all or none
        raise InputError(*problems)
    for one in results:
        out = keep(one, name)
        say(f"kept {out}; to see what changed since, set report: {{against: {out}}} and run again")
