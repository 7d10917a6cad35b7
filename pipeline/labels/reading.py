"""How the labels of a dimension are read: from which files, on which scale, by which key."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pipeline.labels.scale import Scale


@dataclass(frozen=True, kw_only=True)
class Labels:
    """Human labels of one dimension and how they become gains."""

    files: tuple[str, ...]  # patterns
    scale: Scale
    key: Literal["topic", "document"]
    conflict: Literal["error", "first", "max", "mean"]
    subtopics: bool = False  # whether the files' second column names a subtopic
    intents: str | None = None  # the file that says how probable each subtopic is

    def intents_file(self, find: Callable[[Sequence[str]], Sequence[Path]]) -> Path | None:
        """The file with the weights of subtopics, if there is one; `find` finds files."""
        return find([self.intents])[0] if self.intents else None

    def described(self) -> Mapping[str, Any]:
        """All of it in the words of the config, for the report."""
        scale = self.scale
        return {
            "files": self.files,
            "scale": (scale.lowest, scale.highest),
            "better": scale.better,
            "threshold": scale.threshold,
            "gains": "linear" if scale.gains is None else scale.gains,
            "cannot_judge": scale.cannot_judge,
            "key": self.key,
            "conflict": self.conflict,
            "subtopics": self.subtopics,
            **({"intents": self.intents or "alike"} if self.subtopics else {}),
        }
