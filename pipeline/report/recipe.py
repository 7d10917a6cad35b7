"""The campaign's own part of the config, kept beside its results so that they can be made again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.storage.atomic import atomic


def write(given: Mapping[str, Any], *, campaign: str, out: Path) -> None:
    """Write the config of one campaign as it was given."""
    import yaml

    text = yaml.safe_dump({"campaigns": {campaign: _plain(given)}}, sort_keys=False, width=100)
    with atomic(out) as draft:
        draft.write_text(f"# {command(campaign)}\n{text}", encoding="utf-8", newline="\n")


def command(campaign: str) -> str:
    """The command that makes a campaign's results again, in the folder they were made in."""
    return f"fathom run results/{campaign}/config.yaml"


def _plain(value: Any) -> Any:
    """Values as YAML writes them, whatever kind of mapping the config came in."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
