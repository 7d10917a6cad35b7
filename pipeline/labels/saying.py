"""A scale as people say it in one line, as `0..3,high,threshold=2`; any part may be missing."""

from dataclasses import dataclass

from pipeline.errors import InputError
from pipeline.labels.guess import Guess, guess
from pipeline.labels.scale import Scale
from pipeline.storage.arrays import Floats
from pipeline.storage.text import number

FORM = "0..3,high,threshold=2,cannot_judge=-1"
KEYS = {"key": ("topic", "document"), "conflict": ("error", "first", "max", "mean")}


@dataclass(frozen=True, kw_only=True)
class Said:
    """What somebody said of a dimension's labels; the rest is left to be guessed."""

    ends: tuple[float, float] | None = None
    better: str | None = None
    threshold: float | None = None
    cannot_judge: tuple[float, ...] | None = None
    key: str = "topic"
    conflict: str = "error"

    def scale(self, labels: Floats) -> Guess:
        """The scale, what is missing guessed from the labels and said."""
        return guess(
            labels,
            ends=self.ends,
            better=self.better,
            threshold=self.threshold,
            cannot_judge=self.cannot_judge,
        )


def parse_scale(text: str, *, where: str) -> Said:
    """Read a scale in one line; `where` names it in a message.

    >>> said = parse_scale("0..3,high,threshold=2", where="understandability")
    >>> said.ends, said.better, said.threshold
    ((0.0, 3.0), 'high', 2.0)
    >>> parse_scale("low,cannot_judge=-1+-2,key=document", where="x").cannot_judge
    (-1.0, -2.0)
    >>> parse_scale("0-3", where="x")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    pipeline.errors.InputError: x: '0-3' is no part of a scale; write it like 0..3,high,...
    """
    said: dict[str, object] = {}
    for word in filter(None, (one.strip() for one in text.split(","))):
        key, equals, value = word.partition("=")
        if word in ("high", "low"):
            said["better"] = word
        elif ".." in word and not equals:
            low, _, high = word.partition("..")
            said["ends"] = (_number(low, word, where), _number(high, word, where))
        elif equals and key == "threshold":
            said["threshold"] = _number(value, word, where)
        elif equals and key == "cannot_judge":
            said["cannot_judge"] = tuple(_number(one, word, where) for one in value.split("+"))
        elif equals and value in KEYS.get(key, ()):
            said[key] = value
        else:
            raise InputError(f"{where}: '{word}' is no part of a scale; write it like {FORM}")
    ends = said.get("ends")
    if isinstance(ends, tuple) and not ends[0] < ends[1]:
        raise InputError(f"{where}: the scale {ends[0]:g}..{ends[1]:g} must go up; turn it round")
    return Said(**said)  # type: ignore[arg-type]


def settled(given: Scale | Said | str | None, labels: Floats, *, name: str) -> tuple[Guess, Said]:
    """The scale of a dimension from what was given of it, and how its labels are keyed."""
    if isinstance(given, Scale):
        return Guess(given, ""), Said()
    said = parse_scale(given, where=f"scale of {name}") if isinstance(given, str) else given
    said = said or Said()
    return said.scale(labels), said


def _number(text: str, word: str, where: str) -> float:
    found = number(text.strip())
    if found != found:
        raise InputError(f"{where}: '{text}' in '{word}' is not a number; write it like {FORM}")
    return found
