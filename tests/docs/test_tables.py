"""The reference of the config: every key in one place, with what its model declares."""

import re
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from pipeline.campaign import from_config
from pipeline.config.campaign import Policies
from pipeline.runs.fusion.declaration import METHODS
from pipeline.storage.markdown import table
from tests.docs.pages import DOCS, blocks

sys.path.insert(0, str(DOCS / "hooks"))
from tables import config_keys, key_entries, sections

MARKER = re.compile(r"^<!-- made: keys-([\w]+) -->$", re.MULTILINE)
REFERENCE = [DOCS / "reference/config.md", *sorted((DOCS / "reference/config").glob("*.md"))]


def documented(page: Path) -> list[str]:
    """The sections whose keys a page lists."""
    return MARKER.findall(page.read_text(encoding="utf-8"))


def test_every_section_is_on_one_page() -> None:
    assert sorted(name for page in REFERENCE for name in documented(page)) == sorted(sections())


def test_every_key_has_one_entry() -> None:
    entries = "\n".join(map(key_entries, sections()))
    headings = re.findall(r"^##+ `(.+)` \{#(\S+) .+\}$", entries, re.MULTILINE)
    assert sorted(key for key, _ in headings) == sorted(key for key, _ in config_keys())
    assert len({anchor for _, anchor in headings}) == len(headings) > 150


@pytest.mark.parametrize("page", REFERENCE, ids=lambda page: page.stem)
def test_the_example_of_a_page_is_a_config_with_its_keys(page: Path) -> None:
    examples = [block.text for block in blocks(page) if block.kind == "yaml"]
    config = yaml.safe_load(examples[0])
    from_config(config).checked()
    (campaign,) = config["campaigns"].values()
    assert [name for name in documented(page) if name not in {**config, **campaign}] == []


def entry(key: str) -> list[str]:
    """The paragraphs of a key's entry: heading, facts, meaning, choices."""
    text = key_entries(key.partition(".")[0])
    (found,) = (
        part for part in re.split("^##+ ", text, flags=re.M) if part.startswith(f"`{key}` ")
    )
    return found.strip().split("\n\n")


@pytest.mark.parametrize(
    ("key", "facts"),
    [
        ("runs.files", "text or list of texts, **required**"),
        ("policies.depth", "whole number, at least 1, default `1000`"),
        ("policies.order", "one of `score`, `score64`, `rank`, default `score`"),
        ("significance.alpha", "number, from 0.0001 to 0.5, default `0.05`"),
        ("fetch.limit", "number, above 0, default `10`"),
        ("dimensions.<dimension>.scale", "list of 2 numbers, optional"),
        ("dimensions.<dimension>.gains", "text or map, default `linear`"),
        ("reusability", "list of `team`, `run`, optional"),
        ("sweep", "true or false, default `true`"),
        ("fusion.<system>.method", "one of the choices below, **required**"),
    ],
)
def test_type_bounds_and_default_are_those_of_the_model(key: str, facts: str) -> None:
    assert entry(key)[1].splitlines() == [facts, "{: .facts }"]


def test_meaning_and_choices_are_those_of_the_declarations() -> None:
    order: Any = Policies.model_fields["order"]
    assert entry("policies.order")[2] == " ".join(order.description.split())
    choices = entry("fusion.<system>.method")[3].splitlines()
    assert [line.split("`")[1] for line in choices] == list(METHODS)
    assert all(METHODS[line.split("`")[1]].citation in line for line in choices)


def test_a_bar_does_not_end_a_cell() -> None:
    assert table(("a", "b"), [("x|y", "z")]) == "| a | b |\n| --- | --- |\n| x\\|y | z |\n"
