"""`fathom keep`: keep the current results of a campaign as a named version."""

from pathlib import Path

import click

from pipeline.command.output import say

EPILOG = """\b
Examples:
  fathom keep first-qrels mine.yaml     before the qrels change
  fathom run mine.yaml                  after, with report: {against: results/mine/kept/first-qrels}

Kept are the files that a comparison needs: labels, scores, means and significance tests. Existing
versions are never overwritten."""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.argument("configs", nargs=-1, required=True)
def command(name: str, configs: tuple[str, ...]) -> None:
    """Keep a campaign's results under a name, to see later what changed.

    NAME is a name of your choice. CONFIGS are the config files of the campaigns, or names of
    configs that come with Fathom. The version is in results/<campaign>/kept/NAME.
    """
    from pipeline.campaign import campaigns
    from pipeline.changes.versions import keep, not_keepable
    from pipeline.command.run import shipped
    from pipeline.errors import InputError
    from pipeline.results import Results
    from pipeline.storage import strict_yaml

    names = [one for path in configs for one in campaigns(strict_yaml.config(shipped(path)))]
    results = [Results(Path("results") / campaign) for campaign in names]
    if problems := [p for one in results for p in not_keepable(one, name)]:  # all or none
        raise InputError(*problems)
    for one in results:
        out = keep(one, name)
        say(f"kept {out}; to compare with it, set report: {{against: {out}}} and rerun")
