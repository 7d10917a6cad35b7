"""The campaign's own part of the config, kept beside its results to rebuild them from."""

from collections.abc import Mapping
from typing import Any


def recipe(campaign: str, given: Mapping[str, Any]) -> str:
    """The config of one campaign, as it was given, as YAML."""
    import yaml

    text = yaml.safe_dump({"campaigns": {campaign: given}}, sort_keys=False, width=100)
    return f"# {command(campaign)}\n{text}"


def command(campaign: str) -> str:
    """The command that rebuilds a campaign's results, in the folder they were built in."""
    return f"fathom run results/{campaign}/config.yaml"
