"""`evaluate`, `compare` and `explain`: judgements and runs in any form, scored."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pipeline.api import inputs
from pipeline.api.comparison import Comparison
from pipeline.api.explanation import EvaluationInputs, Explanation
from pipeline.api.result import Evaluation
from pipeline.config.policies import CHOICES, BadScores, Duplicates, Order, Unjudged
from pipeline.config.scale import Scale
from pipeline.errors import InputError, Problem, each
from pipeline.gains.build import build
from pipeline.gains.dimension import UNJUDGED
from pipeline.gains.gains import Gains
from pipeline.labels import judgements
from pipeline.labels.judgements import Judgements
from pipeline.labels.qrels import Qrels
from pipeline.labels.scales import StatedScale, resolve_scale
from pipeline.measures import REGISTRY, Measure, parse
from pipeline.measures.own import load_all
from pipeline.runs.reader import RunPolicies

USUAL = ("AP", "nDCG@10", "P@10", "RR", "Bpref", "RBP(p=0.8)")
NAMED = 3  # topics a note names
USUAL_PRODUCT = "understandability"  # the dimension that uRBP and its relatives multiply with

Scales = Mapping[str, Scale | StatedScale | str] | Scale | str


class Syntax(NamedTuple):
    """What messages tell a caller to write."""

    policy: str  # to set a policy, see RunPolicies
    scale: str  # to set a scale
    labels: str  # to give labels of a dimension


FUNCTION = Syntax(
    policy="set {key}='{value}'",
    scale="set scales to change it",
    labels="give them in qrels, as {{'topicality': ..., '{name}': ...}}",
)


def evaluate(
    qrels: Any,
    runs: Any,
    measures: Any = None,
    *,
    scales: Scales | None = None,
    order: Order = "score",
    depth: int = 1000,
    unjudged: Unjudged = "zero",
    duplicates: Duplicates = "error",
    bad_scores: BadScores = "error",
    measures_from: Iterable[str | Path] = (),
) -> Evaluation:
    """Score runs against judgements.

    The policies (order, depth, unjudged, duplicates, bad_scores) have the names, choices and
    defaults of a campaign's `policies`, so the scores are the same.

    Args:
        qrels: Judgements: a path, a glob, a list of them, `{topic: {document: label}}`, a DataFrame
            or named tuples. For several dimensions of relevance, a mapping from their names to
            any of these, topicality first.
        runs: Runs, in the same forms; to name them, a mapping from names to runs.
        measures: Measures as text, ir_measures objects, or own declared functions; a list or one.
            By default AP, nDCG@10, P@10, RR, Bpref and RBP(p=0.8).
        scales: The scale of each dimension: a `Scale`, or text such as
            `"0..3,high,threshold=2,gains=0:0+1:0.4+2:0.8+3:1"`. Parts that are not stated are
            inferred from the labels, and `.notes` of the result lists what was assumed.
        order: Rank order: `score` (compared as 32-bit floats, as trec_eval 9), `score64` (64-bit,
            as trec_eval 10) or `rank` (the rank column of the files).
        depth: Documents evaluated per run and topic.
        unjudged: An unjudged document has gain `zero`, or is removed from the ranking
            (`condensed`).
        duplicates: A document that occurs twice in a ranking is an `error`, or only its `first`
            (best ranked) occurrence counts.
        bad_scores: A NaN or infinite score is an `error`, or ranks `last` in its topic.
        measures_from: Python files that declare own measures.

    Returns:
        Scores by run, topic and measure, with bounds for unjudged documents.

    Raises:
        InputError: The inputs cannot be used; it holds all problems with them.

    >>> qrels = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"d": 1}}
    >>> run = {"1": {"a": 0.9, "b": 0.8, "c": 0.7}, "2": {"x": 1.0, "d": 0.5}}
    >>> result = evaluate(qrels, {"bm25": run}, ["nDCG@10", "P@2", "RR"])
    >>> for row in result.rows():
    ...     print(*row[:3], f"{row.value:.4f} ({row.lower:.4f} to {row.upper:.4f})")
    bm25 1 nDCG@10 0.7602 (0.7602 to 0.7602)
    bm25 2 nDCG@10 0.6309 (0.2398 to 1.0000)
    bm25 1 P@2 0.5000 (0.5000 to 0.5000)
    bm25 2 P@2 0.5000 (0.5000 to 1.0000)
    bm25 1 RR 1.0000 (1.0000 to 1.0000)
    bm25 2 RR 0.5000 (0.5000 to 1.0000)
    >>> print(*result.notes)
    topicality: labels 0, 1, 2; assumed scale 0 to 2, high is better, threshold 1; set scales to \
change it
    >>> evaluate(qrels, run, "nDGC@10")
    Traceback (most recent call last):
    pipeline.errors.InputError: measure 'nDGC@10': no measure is called 'nDGC'; did you mean 'nDCG'?
    """
    settings = {"order": order, "duplicates": duplicates, "bad_scores": bad_scores}
    for key, value in {**settings, "unjudged": unjudged}.items():
        if value not in CHOICES[key]:
            what = f"'{value}' is not a choice"
            raise InputError(Problem(key, what, f"use one of {', '.join(CHOICES[key])}"))
    policies = RunPolicies(**settings, depth=depth, setting=FUNCTION.policy)
    return score(
        qrels, runs, measures, scales=scales, policies=policies, unjudged=unjudged,
        measures_from=measures_from,
    )  # fmt: skip


def score(
    qrels: Any,
    runs: Any,
    measures: Any,
    *,
    scales: Scales | None,
    policies: RunPolicies,
    unjudged: str,
    measures_from: Iterable[str | Path],
    syntax: Syntax = FUNCTION,
) -> Evaluation:
    """As `evaluate`, for callers whose messages have another syntax."""
    load_all(measures_from)
    labels, notes = _judgements(inputs.read_judgements(qrels), scales, syntax)
    selected = _measures(USUAL if measures is None else measures, list(labels), syntax)
    sources = inputs.runs(runs)
    if not next(iter(labels.values())).topics:
        raise InputError(Problem("qrels", "labels of the first dimension have no topics"))
    gains = build(sources, labels, policies, scores=any(measure.scored for measure in selected))
    _refuse_unmatched_ids(gains)
    notes += _unanswered(gains)
    if unjudged == "condensed":
        gains = gains.condensed(next(iter(labels)))
    return Evaluation(EvaluationInputs(gains, sources, labels, policies), selected, tuple(notes))


def compare(
    qrels: Any,
    runs: Any,
    measures: Any = None,
    *,
    alpha: float = 0.05,
    permutations: int = 10_000,
    samples: int = 10_000,
    seed: int = 1,
    scales: Scales | None = None,
    order: Order = "score",
    depth: int = 1000,
    unjudged: Unjudged = "zero",
    duplicates: Duplicates = "error",
    bad_scores: BadScores = "error",
    measures_from: Iterable[str | Path] = (),
) -> Comparison:
    """Test which runs differ significantly: `evaluate(...).compare(...)`.

    Args:
        qrels: Judgements, as `evaluate` takes them.
        runs: Two runs or more, as `evaluate` takes them.
        measures: Measures, as `evaluate` takes them.
        alpha: Significance level; confidence intervals have level 1 - alpha.
        permutations: Permutations of the randomised Tukey HSD test, and the fewest sign flips of
            the paired permutation test.
        samples: Bootstrap samples of topics, for intervals of the means.
        seed: Seed of permutations and samples.
        scales: As `evaluate`.
        order: As `evaluate`.
        depth: As `evaluate`.
        unjudged: As `evaluate`.
        duplicates: As `evaluate`.
        bad_scores: As `evaluate`.
        measures_from: As `evaluate`.

    Returns:
        Pairs of runs under each measure: differences, confidence intervals, effect sizes, p values
        and significance groups.
    """
    return evaluate(
        qrels, runs, measures, scales=scales, order=order, depth=depth, unjudged=unjudged,
        duplicates=duplicates, bad_scores=bad_scores, measures_from=measures_from,
    ).compare(alpha=alpha, permutations=permutations, samples=samples, seed=seed)  # fmt: skip


def explain(
    qrels: Any,
    runs: Any,
    *,
    run: str,
    topic: str,
    measure: Any,
    against: str | None = None,
    scales: Scales | None = None,
    order: Order = "score",
    depth: int = 1000,
    unjudged: Unjudged = "zero",
    duplicates: Duplicates = "error",
    bad_scores: BadScores = "error",
    measures_from: Iterable[str | Path] = (),
) -> Explanation:
    """Show where a score comes from, document by document: `evaluate(...).explain(...)`.

    Args:
        qrels: Judgements, as `evaluate` takes them.
        runs: Runs, as `evaluate` takes them.
        run: Name of the run to explain.
        topic: Id of the topic.
        measure: One measure, as `evaluate` takes it.
        against: Name of another run to compare with.
        scales: As `evaluate`.
        order: As `evaluate`.
        depth: As `evaluate`.
        unjudged: As `evaluate`.
        duplicates: As `evaluate`.
        bad_scores: As `evaluate`.
        measures_from: As `evaluate`.

    Returns:
        The label, gain, weight and contribution of each document of the ranking.
    """
    evaluation = evaluate(
        qrels, runs, [measure], scales=scales, order=order, depth=depth, unjudged=unjudged,
        duplicates=duplicates, bad_scores=bad_scores, measures_from=measures_from,
    )  # fmt: skip
    return evaluation.explain(run, topic, evaluation.measures[0], against=against)


def _judgements(
    qrels: Mapping[str, Sequence[Qrels]], scales: Scales | None, syntax: Syntax
) -> tuple[dict[str, Judgements], list[str]]:
    """The judgements of each dimension on its scale, and notes about assumed scales."""
    first = next(iter(qrels))
    stated = scales if isinstance(scales, Mapping) else {} if scales is None else {first: scales}
    for name in stated:
        if name not in qrels:
            what = f"there is no dimension '{name}'"
            raise InputError(Problem("scales", what, f"name one of {', '.join(qrels)}"))
    labels: dict[str, Judgements] = {}
    notes: list[str] = []
    for name, files in qrels.items():
        values = np.concatenate([file.label for file in files])
        inferred, keys = resolve_scale(stated.get(name), values, name=name)
        if inferred.note:
            notes.append(f"{name}: {inferred.note}; {syntax.scale}")
        labels[name] = judgements.from_qrels(
            files, scale=inferred.scale, key=keys.key, conflict=keys.conflict
        )
    return labels, notes


def _measures(measures: Any, dimensions: Sequence[str], syntax: Syntax) -> list[Measure]:
    """The measures, each once; the problems of all are raised together."""
    listed = list(measures) if isinstance(measures, list | tuple | set | frozenset) else [measures]
    if not listed:
        raise InputError(Problem("measures", "there are none", "name some, for example 'nDCG@10'"))

    def read(measure: Any) -> Measure:
        text = _text(measure)
        try:
            return parse(text, dimensions=dimensions)
        except InputError as error:
            try:
                parse(text, dimensions=[*dimensions, USUAL_PRODUCT])
            except InputError:
                raise error from None
            what, fix = f"there are no labels of {USUAL_PRODUCT}", syntax.labels
            problem = Problem(f"measure '{text}'", what, fix.format(name=USUAL_PRODUCT))
            raise InputError(problem) from None

    return list({measure.name: measure for measure in each(read, listed)}.values())


def _text(measure: Any) -> str:
    """A measure as text: as it is, as ir_measures prints it, or the name of a declared function."""
    for declaration in () if isinstance(measure, str) else REGISTRY.values():
        if declaration.function is measure:
            return declaration.name
    if callable(measure) and not hasattr(measure, "NAME"):
        name = getattr(measure, "__name__", repr(measure))
        what, fix = f"the function {name} is not declared", f"put @measure('{name}', ...) above it"
        raise InputError(Problem("measures", what, fix))
    return str(measure)


def _refuse_unmatched_ids(gains: Gains) -> None:
    """Refuse labels of which none is of a retrieved document: every score would be 0."""
    if not gains.length.any():
        what = f"no run answers any of the {len(gains.topics)} topics of the qrels, for example "
        what += f"'{gains.topics[0]}'"
        raise InputError(Problem("runs", what, "correct the topic ids"))
    for name, dimension in gains.dimensions.items():
        if len(dimension.judged_level) and not (dimension.codes > UNJUDGED).any():
            what = f"its {len(dimension.judged_level)} labels, for example that of document "
            what += f"'{dimension.judged_document[0]}', include no document that a run retrieves "
            what += "for its topic"
            raise InputError(Problem(f"dimension '{name}'", what, "correct the ids of its labels"))


def _unanswered(gains: Gains) -> list[str]:
    """Notes about runs that have no documents for some topics."""
    notes = []
    empty = gains.length.reshape(len(gains.runs), -1) == 0
    for run, row in zip(gains.runs, empty, strict=True):
        if missing := [gains.topics[place] for place in np.flatnonzero(row).tolist()]:
            names = ", ".join(missing[:NAMED]) + (", ..." if len(missing) > NAMED else "")
            notes.append(
                f"{run}: no documents for {len(missing)} of {len(row)} topics ({names}); the means "
                "include these topics, with the score that each measure gives an empty ranking"
            )
    return notes
