"""What each baseline searches for: a topic's query, or the parts of it that the baseline names."""

from collections.abc import Mapping
from pathlib import Path

from pipeline.errors import InputError
from pipeline.labels.topics import Topics, read_counted, read_parts
from pipeline.pages.baselines.settings import Baseline


def queries(
    systems: Mapping[str, Baseline], *, counted: Path, file: Path, topics: Topics
) -> dict[str, dict[str, str]]:
    """The queries of each baseline by topic, of those in `counted`; `file` has their parts."""
    usual = {topic.id: topic.text for topic in read_counted(counted)}
    found = {}
    for name, given in systems.items():
        if not given.fields:
            found[name] = usual
            continue
        try:
            parts = read_parts(file, parts=given.fields, match=topics.match, replace=topics.replace)
        except InputError as error:
            raise InputError(f"baselines.{name}.fields: {error}") from None
        found[name] = {topic: parts.get(topic, "") for topic in usual}
    return found
