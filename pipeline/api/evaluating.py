"""`evaluate`: judgements and runs in whatever form, figures out."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.api import inputs
from pipeline.api.explanation import Material
from pipeline.api.result import Evaluation
from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem, each
from pipeline.gains.build import build
from pipeline.gains.dimension import UNJUDGED
from pipeline.gains.gains import Gains
from pipeline.labels import judgements
from pipeline.labels.guess import Said, settled
from pipeline.labels.judgements import Judgements
from pipeline.labels.qrels import Qrels
from pipeline.measures import REGISTRY, Measure, parse
from pipeline.measures.own import load_all
from pipeline.runs.reader import ORDERS, Policies

USUAL = ("AP", "nDCG@10", "P@10", "RR", "Bpref", "RBP(p=0.8)")
CHOICES = {
    "order": tuple(ORDERS),
    "unjudged": ("zero", "condensed"),
    "duplicates": ("error", "first"),
    "bad_scores": ("error", "last"),
}
NAMED = 3  # topics a sentence names

Scales = Mapping[str, Scale | Said | str]


def evaluate(
    qrels: Any,
    runs: Any,
    measures: Any = None,
    *,
    scales: Scales | Scale | str | None = None,
    order: str = "score",
    depth: int = 1000,
    unjudged: str = "zero",
    duplicates: str = "error",
    bad_scores: str = "error",
    measures_from: Iterable[str | Path] = (),
) -> Evaluation:
    """Score runs against judgements.

    `qrels` and `runs` are paths, globs, lists of them, `{topic: {document: value}}`, tables or
    named tuples (see `pipeline.api.inputs`); several dimensions of relevance are a mapping of their
    names, the first being topicality, and several runs may be one of theirs. `measures` are texts,
    ir_measures objects or own declared functions; the usual ones where none are given. Scales that
    are not given are guessed from the labels, which `.notes` says. The other arguments are the
    policies of a campaign, with its defaults, so the figures are the same.

    >>> qrels = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"d": 1}}
    >>> run = {"1": {"a": 0.9, "b": 0.8, "c": 0.7}, "2": {"x": 1.0, "d": 0.5}}
    >>> result = evaluate(qrels, {"mine": run}, ["nDCG@10", "P@2", "RR"])
    >>> for row in result.rows():
    ...     print(*row[:3], f"{row.value:.4f} ({row.lower:.4f} to {row.upper:.4f})")
    mine 1 nDCG@10 0.7602 (0.7602 to 0.7602)
    mine 2 nDCG@10 0.6309 (0.2398 to 1.0000)
    mine 1 P@2 0.5000 (0.5000 to 0.5000)
    mine 2 P@2 0.5000 (0.5000 to 1.0000)
    mine 1 RR 1.0000 (1.0000 to 1.0000)
    mine 2 RR 0.5000 (0.5000 to 1.0000)
    >>> result.notes
    ('topicality: labels 0, 1, 2: read as 0 to 2, high is good, 1 and more count',)
    >>> evaluate(qrels, run, "nDGC@10")
    Traceback (most recent call last):
    pipeline.errors.InputError: measure 'nDGC@10': no measure is called 'nDGC'; did you mean 'nDCG'?
    """
    policies = {"order": order, "unjudged": unjudged, "duplicates": duplicates}
    for key, value in {**policies, "bad_scores": bad_scores}.items():
        if value not in CHOICES[key]:
            what = f"'{value}' is not a choice"
            raise InputError(Problem(key, what, f"use one of {', '.join(CHOICES[key])}"))
    load_all(measures_from)
    labels, notes = labelled(inputs.judged(qrels), scales)
    wanted = chosen(USUAL if measures is None else measures, dimensions=list(labels))
    named = inputs.runs(runs)
    reading = Policies(order=order, depth=depth, duplicates=duplicates, bad_scores=bad_scores)
    if not next(iter(labels.values())).topics:
        raise InputError(Problem("qrels", "labels of the first dimension have no topics"))
    scores = any(measure.scored for measure in wanted)
    gains = build(named, labels, reading, scores=scores)
    refuse_strangers(gains)
    notes += unanswered(gains)
    if unjudged == "condensed":
        gains = gains.condensed(next(iter(labels)))
    return Evaluation(Material(gains, named, labels, reading), wanted, tuple(notes))


def labelled(
    found: Mapping[str, Sequence[Qrels]], scales: Scales | Scale | str | None
) -> tuple[dict[str, Judgements], list[str]]:
    """The judgements of each dimension on its scale, and what was guessed."""
    first = next(iter(found))
    given = scales if isinstance(scales, Mapping) else {} if scales is None else {first: scales}
    for name in given:
        if name not in found:
            what = f"there is no dimension '{name}'"
            raise InputError(Problem("scales", what, f"name one of {', '.join(found)}"))
    labels: dict[str, Judgements] = {}
    notes: list[str] = []
    for name, lines in found.items():
        every = np.concatenate([one.label for one in lines])
        guess, said = settled(given.get(name), every, name=name)
        if guess.said:
            notes.append(f"{name}: {guess.said}")
        labels[name] = judgements.settled(
            lines, scale=guess.scale, key=said.key, conflict=said.conflict
        )
    return labels, notes


def chosen(given: Any, *, dimensions: Sequence[str]) -> list[Measure]:
    """The measures that were asked for, each once; all problems with them at once."""
    several = given if isinstance(given, list | tuple | set | frozenset) else [given]
    if not several:
        problem = Problem("measures", "there are none", "name some, for example 'nDCG@10'")
        raise InputError(problem)
    measures = each(lambda measure: parse(_text(measure), dimensions=dimensions), several)
    return list({measure.name: measure for measure in measures}.values())


def _text(given: Any) -> str:
    """A measure as text: as it is, as ir_measures prints it, or the name of a declared function."""
    for declaration in () if isinstance(given, str) else REGISTRY.values():
        if declaration.function is given:
            return declaration.name
    if callable(given) and not hasattr(given, "NAME"):
        name = getattr(given, "__name__", repr(given))
        what, fix = f"the function {name} is not declared", f"put @measure('{name}', ...) above it"
        raise InputError(Problem("measures", what, fix))
    return str(given)


def refuse_strangers(gains: Gains) -> None:
    """Refuse labels that meet no retrieved document: every figure would be 0 without a word."""
    if not gains.length.any():
        what = (
            f"none of them answers any of the {len(gains.topics)} topics of the qrels, for example "
            f"'{gains.topics[0]}'"
        )
        raise InputError(Problem("runs", what, "correct the topic ids"))
    for name, dimension in gains.dimensions.items():
        if len(dimension.judged_level) and not (dimension.codes > UNJUDGED).any():
            what = (
                f"none of its {len(dimension.judged_level)} labels, for example that of document "
                f"'{dimension.judged_document[0]}', is of a document that a run retrieves in its "
                "topic"
            )
            raise InputError(Problem(f"dimension '{name}'", what, "correct the ids of its labels"))


def unanswered(gains: Gains) -> list[str]:
    """Which runs leave topics out, which then score 0."""
    notes = []
    empty = gains.length.reshape(len(gains.runs), -1) == 0
    for run, none in zip(gains.runs, empty, strict=True):
        if missing := [gains.topics[place] for place in np.flatnonzero(none).tolist()]:
            more = ", ..." if len(missing) > NAMED else ""
            notes.append(
                f"{run}: no documents for {len(missing)} of {len(none)} topics "
                f"({', '.join(missing[:NAMED])}{more}), which count with what each measure "
                "gives an unanswered topic"
            )
    return notes


def compare(
    qrels: Any, runs: Any, measures: Any = None, *, alpha: float = 0.05, **policies: Any
) -> Any:
    """Whether runs differ, and by how much: `evaluate(...).compare()`; see both."""
    return evaluate(qrels, runs, measures, **policies).compare(alpha=alpha)


def explain(
    qrels: Any, runs: Any, *, run: str, topic: str, measure: Any, against: str | None = None,
    **policies: Any,
) -> Any:  # fmt: skip
    """How a ranking comes to its score: `evaluate(...).explain(...)`; see both."""
    found = evaluate(qrels, runs, [measure], **policies)
    return found.explain(run, topic, found.measures[0], against=against)
