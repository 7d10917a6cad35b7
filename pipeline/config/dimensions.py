"""The dimensions of relevance: with human labels, or estimated from the pages' readability."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StrictStr

from pipeline.config.base import (
    Choice,
    Either,
    Flag,
    Mistakes,
    Names,
    Number,
    OneFile,
    Patterns,
    Scaled,
    Section,
    Share,
    Unique,
)
from pipeline.config.base import Path as Keys
from pipeline.config.scale import Scale

Gains = Annotated[dict[float, Share], AfterValidator(lambda gains: dict(sorted(gains.items())))]
Key = Literal["topic", "document"]
Conflict = Literal["error", "first", "max", "mean"]
Thresholds = Annotated[tuple[Number, ...], Unique, Field(min_length=1)]


class Labels(Section):
    """Human labels of one dimension and their scale: what the steps read."""

    files: tuple[str, ...]  # patterns
    scale: Scale
    key: Key = "topic"
    conflict: Conflict = "error"
    subtopics: Flag = False
    intents: str | None = None

    def intents_file(self, find: Callable[[Sequence[str]], Sequence[Path]]) -> Path | None:
        """The file with the weights of subtopics, if there is one; `find` finds files."""
        return find([self.intents])[0] if self.intents else None

    def described(self) -> dict[str, Any]:
        """All of it in the words of the config, for the report."""
        scale = asdict(self.scale)
        ends = scale.pop("lowest"), scale.pop("highest")
        scale["gains"] = scale["gains"] or "linear"
        own = self.model_dump(include={"key", "conflict", "subtopics"})
        intents = {"intents": self.intents or "alike"} if self.subtopics else {}
        return {"files": self.files, "scale": ends, **scale, **own, **intents}


class Settings(Section):
    """Alternatives for the threshold sensitivity; None takes those of the scale."""

    thresholds: Thresholds | None = None
    """Thresholds to try. When null every label, or eleven steps of a long scale."""
    gains: Annotated[tuple[Gains, ...], Field(min_length=1)] | None = None
    """Gain mappings to try, for example `[{0: 0, 1: 0.5, 2: 1}]`; linear, binary and exponential
    when null."""


class Sweep(Settings):
    """One dimension to sweep: its scale, and what to try."""

    scale: Scale


class DimensionKeys(Section):
    """The keys of a dimension of some kind."""

    def dimensions(self, name: str) -> Iterator[tuple[str, Section]]:
        """The dimensions they stand for, by name, with what the step of each reads."""
        yield name, self

    def paths(self) -> Iterator[tuple[Keys, Sequence[str]]]:
        """The keys that hold patterns of files, with their values."""
        yield from ()


class Labelled(DimensionKeys):
    """A dimension with human labels, on a scale."""

    labels: Patterns
    """Files of human labels in qrels format: path, glob, or a list of them, plain or gzip."""
    scale: Scaled
    """Lowest and highest label, for example `[0, 2]`; required with `labels`. A label outside is an
    error."""
    better: Literal["high", "low"] = "high"
    """Better end of the scale."""
    threshold: Number
    """Worst label that still counts as relevant in binary measures; required with `labels`."""
    gains: Either[Literal["linear"], Gains] = Field("linear", json_schema_extra={"x-name": "label"})
    """Gains in [0, 1] for graded measures: `linear` from the worst to the best end of the scale, or
    a map with a gain for every label, for example `{0: 0, 1: 0.4, 2: 0.8, 3: 1}`."""
    cannot_judge: Annotated[tuple[Number, ...], Unique] = ()
    """Codes in the label file for "cannot judge"; such a document counts as unjudged."""
    key: Key = "topic"
    """Whether a label belongs to its `topic` and document, or to the `document` in all topics."""
    conflict: Conflict = "error"
    """Treatment of different labels for the same document and topic: an `error`, or take the
    `first` (in the order of the files), the `max` or the `mean`."""
    subtopics: Flag = False
    """Whether labels are by subtopic, as in TREC's diversity tasks: the second column of the file
    names the subtopic, and `0` means relevant to none. Other measures read a document's best
    label."""
    intents: OneFile | None = None
    """File with the columns topic, subtopic and weight P(s), with `subtopics`; the weights of a
    topic sum to 1. When null, all subtopics with a relevant document have the same weight."""
    sweep: Settings = Settings()
    """Thresholds and gain mappings that the threshold sensitivity of this dimension tries."""
    sets: Names = Field({}, json_schema_extra={"x-name": "set"})
    """Further judgement sets (assessors, crowd, language models) by name: path, glob, or a list of
    them. Fathom compares them with `labels` and with each other."""

    @property
    def reading(self) -> Labels:
        low, high = self.scale
        gains = None if isinstance(self.gains, str) else self.gains
        scale = Scale(low, high, self.better, self.threshold, gains, self.cannot_judge)
        own = self.model_dump(include={"key", "conflict", "subtopics", "intents"})
        return Labels(files=self.labels, scale=scale, **own)

    def dimensions(self, name: str) -> Iterator[tuple[str, Section]]:
        yield name, self.reading

    def paths(self) -> Iterator[tuple[Keys, Sequence[str]]]:
        yield ("labels",), self.labels
        if self.intents:
            yield ("intents",), (self.intents,)
        for name, patterns in self.sets.items():
            yield ("sets", name), patterns

    def problems(self) -> Mistakes:
        """Scale, threshold, codes and gains must fit each other."""
        if self.subtopics and self.key == "document":
            yield ("subtopics",), "are of a topic, but key is 'document'", "set key to topic"
        if self.intents and not self.subtopics:
            fix = "remove it, or add subtopics: true"
            yield ("intents",), "has no meaning without subtopics", fix
        if "labels" in self.sets:
            yield ("sets", "labels"), "is the name of the dimension's own labels", "choose another"
        low, high = self.scale
        if not low < high:
            fix = "write the lowest label, then the highest"
            yield ("scale",), f"[{low:g}, {high:g}] is not ascending", fix
            return
        yield from self._levels(low, high)
        if not isinstance(self.gains, str):
            yield from self._gains(("gains",), self.gains)
        for place, gains in enumerate(self.sweep.gains or ()):
            yield from self._gains(("sweep", "gains", place), gains)

    def _levels(self, low: float, high: float) -> Mistakes:
        scale = f"the scale [{low:g}, {high:g}]"
        threshold = self.threshold
        if not low <= threshold <= high:
            yield ("threshold",), f"{threshold:g} is outside {scale}", "choose a label of it"
        elif threshold == (low if self.better == "high" else high):
            what = f"{threshold:g} is the worst label of {scale}, so every label counts"
            yield ("threshold",), what, "choose the worst label that is still good"
        for code in self.cannot_judge:
            if code in (low, high):
                what = f"{code:g} is an end of {scale}"
                yield ("cannot_judge",), what, "let the scale end before it"
        for tried in self.sweep.thresholds or ():
            if not low <= tried <= high:
                yield ("sweep", "thresholds"), f"{tried:g} is outside {scale}", "remove it"

    def _gains(self, at: tuple[str | int, ...], gains: Mapping[float, float]) -> Mistakes:
        low, high = self.scale
        for label in gains:
            if not low <= label <= high:
                yield at, f"has the label {label:g}, outside the scale", "remove it"
        grades = range(math.ceil(low), math.floor(high) + 1)
        needed = (g for g in grades if g not in gains and g not in self.cannot_judge)
        missing = list(itertools.islice(needed, 4))
        if missing:
            names = ", ".join(map(str, missing[:3])) + (", ..." if len(missing) > 3 else "")
            yield at, f"has no gain for label {names} of [{low:g}, {high:g}]", "add it"
        for worse, better in itertools.pairwise(sorted(gains, reverse=self.better == "low")):
            if gains[worse] > gains[better]:
                what = f"gives label {worse:g} more than label {better:g}"
                yield at, f"{what}, although better is {self.better}", "swap them"
                return


class Estimate(Section):
    """From the pages' readability, through a user model."""

    index: Annotated[StrictStr, Choice("readability index")] = "fog"
    """Readability index of the page."""
    model: Annotated[StrictStr, Choice("user model")] = "step"
    """User model: the probability that a reader understands the page."""
    threshold: Either[Number, Thresholds]
    """Hardest index value that the reader still understands, for example 15 for FOG. A list such as
    `[10, 15, 20]` makes several dimensions, named `<dimension>_10` and so on."""


class Estimated(DimensionKeys):
    """A dimension without labels."""

    estimate: Estimate
    """Estimate the dimension from the readability of the pages, instead of labels."""

    def dimensions(self, name: str) -> Iterator[tuple[str, Section]]:
        """One for every threshold: `fog`, or `fog_15`, `fog_12_5`, `fog_minus_3`."""
        thresholds = self.estimate.threshold
        if not isinstance(thresholds, tuple):
            yield name, self.estimate
            return
        for threshold in thresholds:
            end = f"{threshold:g}".replace("-", "minus_").replace(".", "_")
            yield f"{name}_{end}", self.estimate.model_copy(update={"threshold": threshold})
