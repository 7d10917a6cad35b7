"""Where each key of a config stands: its line, by the key as sentences write it."""

from pathlib import Path

import yaml

from pipeline.campaign.problems import Path as Keys
from pipeline.campaign.schema import dotted
from pipeline.storage.text import read_text


def lines_of(config: Path) -> dict[str, int]:
    """The line of every key and list item of a config that was read before without a mistake."""
    text = read_text(config, what="config", line="key: value")
    found: dict[str, int] = {}
    waiting: list[tuple[Keys, yaml.Node | None]] = [((), yaml.compose(text, yaml.SafeLoader))]
    while waiting:
        path, node = waiting.pop()
        children: list[tuple[str | int, int, yaml.Node]] = []
        if isinstance(node, yaml.MappingNode):
            children = [(str(k.value), k.start_mark.line, value) for k, value in node.value]
        elif isinstance(node, yaml.SequenceNode):
            children = [(at, one.start_mark.line, one) for at, one in enumerate(node.value)]
        for key, line, child in children:
            found[dotted((*path, key))] = line + 1
            waiting.append(((*path, key), child))
    return found
