"""Measures that ir_measures computes: infAP, Compat and others.

A measure that ir_measures has and Fathom has not becomes a declared measure whose function passes
rankings and labels to ir_measures. Its bounds and its values under ties are unknown.
"""

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.gains.blocks import blocks
from pipeline.gains.dimension import STORED, UNJUDGED, Dimension
from pipeline.gains.gains import Gains, View
from pipeline.gains.places import ordinal
from pipeline.measures.declaration import COMBINATIONS, REGISTRY, Declaration
from pipeline.measures.measure import Single
from pipeline.storage.arrays import Floats, Ints

COMMON = {"on", "by", "rel", "gain"}


def delegate(
    tree: ast.expr, *, refusal: InputError, dimension: Callable[[object], str], first: str
) -> Single:
    """The measure of ir_measures, or `refusal` if it has none.

    A number out of Fathom's range or a missing cutoff is an error, which is not delegated.
    """
    if not _is_foreign(tree):
        raise refusal
    _, keywords = _call(tree)
    places = [keyword.value for keyword in keywords if keyword.arg == "on"]
    keywords[:] = [keyword for keyword in keywords if keyword.arg != "on"]
    declaration = _find_declaration(tree)
    if declaration is None:
        raise refusal
    if isinstance(declaration, Problem):
        raise InputError(declaration.at(refusal.problems[0].where))
    on = dimension(getattr(places[0], "id", None)) if places else first
    name = _canonical_name(declaration.name, on, first)
    return Single(declaration, name, {on: "grade"}, None, {})


def _call(tree: ast.expr) -> tuple[str, list[ast.keyword]]:
    """Name and keywords of a measure, without its cutoff."""
    call = tree.left if isinstance(tree, ast.BinOp) else tree
    if isinstance(call, ast.Call):
        return str(getattr(call.func, "id", "")), call.keywords
    return str(getattr(call, "id", "")), []


def _canonical_name(name: str, on: str, first: str) -> str:
    if on == first:
        return name
    head, at, cutoff = name.partition("@")
    inside = f"{head[:-1]}, on={on})" if head.endswith(")") else f"{head}(on={on})"
    return inside + at + cutoff


def _is_foreign(tree: ast.expr) -> bool:
    """Whether Fathom's measures lack the name, a parameter, a choice or a kind of value."""
    name, keywords = _call(tree)
    if not name or name in COMBINATIONS:
        return False
    if name not in REGISTRY:
        return name.removeprefix("u").removesuffix("gr") not in REGISTRY
    if isinstance(getattr(getattr(tree, "right", None), "value", None), float):
        return True
    params = REGISTRY[name].params
    for keyword in keywords:
        key, value = str(keyword.arg), getattr(keyword.value, "value", None)
        if key not in params and key not in COMMON:
            return True
        unknown = isinstance(value, str) and key in params and not params[key].allows(value)
        if unknown or isinstance(keyword.value, ast.Dict):
            return True
    return False


def _find_declaration(tree: ast.expr) -> Declaration | Problem | None:
    """The declaration of ir_measures' measure, None if it has none, or why it is unavailable."""
    import ir_measures  # the import takes half a second, so only delegated measures do it

    name, _ = _call(tree)
    is_own = name in REGISTRY
    try:
        measure: Any = ir_measures.parse_measure(ast.unparse(tree))
    except (ValueError, NameError, TypeError):
        return None
    try:
        measure.validate_params()
    except AssertionError as error:
        fix = "correct its parameters"
        return None if is_own else Problem("", f"ir_measures refuses it ({error})", fix)
    if not _is_foreign(ast.parse(str(measure), mode="eval").body):  # Fathom has it by another name
        what = f"no measure is called '{name}'"
        return None if is_own else Problem("", what, f"did you mean '{measure}'?")
    providers = [p for p in ir_measures.DefaultPipeline.providers if p.supports(measure)]
    available = [p for p in providers if p.is_available()]
    if not providers:
        what = "ir_measures has no tool that computes it with these parameters"
        return Problem("", what, "change its parameters")
    if not available:
        fix = "; or ".join(str(p.install_instructions() or p.NAME) for p in providers)
        return Problem("", f"ir_measures needs {providers[0].NAME}, which is not installed", fix)
    return _declaration(measure, available[0].NAME)


@cache  # ir_measures compares and hashes measures by what they print
def _declaration(measure: Any, provider: str) -> Declaration:
    name = str(measure)

    def value(view: View) -> Floats:
        key = ("delegated", name, *view.readings)  # the bounds need it, too
        return view.gains.compute_once(key, lambda: _value(view, measure))

    return Declaration(
        name=name,
        function=value,
        title=f"{name}, computed by ir_measures",
        formula=f"as {provider} computes it for ir_measures, from the labels as written",
        citation="MacAvaney, Macdonald & Ounis, Streamlining Evaluation with ir-measures, "
        "ECIR 2022",
        module=__name__,
        gain="grade",
        unretrieved=float(measure.DEFAULT),
        range=(-np.inf, np.inf),
        rises=False,
        aggregate="sum" if type(measure.aggregator()).__name__ == "SumAgg" else "mean",
        bounds="unknown",
    )


def _value(view: View, measure: Any) -> Floats:
    """[row]: values from ir_measures, or from faster code; equal rankings are computed once.

    Rankings are equal if they have the same labels in the same order, on topics that have equally
    many documents with each label.
    """
    (name,) = view.readings
    dimension = view.gains.dimensions[name]
    judged = _judged(dimension, len(view.gains.topics))
    labels = _labels(dimension, name)
    first, number = _distinct(dimension.codes, view.gains, judged)
    lists = view.gains.rows(first)
    if measure.NAME != "Compat":
        return _delegated(lists, lists.dimensions[name], judged, labels, measure)[number]
    parts = (
        _compatibility(block.dimensions[name].codes, block.length, judged[block.topic], labels,
                       p=float(measure["p"]), normalize=bool(measure["normalize"]))
        for block in blocks(lists)
    )  # fmt: skip
    return np.concatenate([*parts])[number]


def _distinct(codes: Ints, gains: Gains, judged: Ints) -> tuple[Ints, Ints]:
    """The first row of each distinct ranking, and the number of each row's distinct ranking."""
    topic_class = np.unique(judged, axis=0, return_inverse=True)[1].reshape(-1)
    rows = zip(topic_class[gains.topic].tolist(), gains.length.tolist(), codes, strict=True)
    lists = [(topic, row[:length].tobytes()) for topic, length, row in rows]
    numbers = {entry: number for number, entry in enumerate(dict.fromkeys(lists))}
    number = np.array([numbers[entry] for entry in lists], np.int64)
    return np.unique(number, return_index=True)[1], number


def _compatibility(
    codes: Ints, length: Ints, judged: Ints, labels: Ints, *, p: float, normalize: bool
) -> Floats:
    """[row]: rank-biased overlap with the closest ideal ranking (Clarke et al., TOIS 2021).

    `judged` [row, level] is the number of documents of the row's topic with each level. The ideal
    has the documents with a label above 0 by label; of equal ones, those in the ranking come first,
    in its order. ir_measures needs 2 ms per ranking; tests compare the values.
    """
    ideal = judged[:, labels > 0].sum(axis=1)
    depth = np.maximum(length, ideal)
    last = int(depth.max(initial=0))
    weights = p ** np.arange(last)
    total = np.concatenate(([0.0], np.cumsum(weights)))
    # A document in both top sets from depth d on adds p^(i-1) / i for every i from d to the end.
    shared = np.concatenate(([0.0], np.cumsum(weights / np.arange(1, last + 1))))
    score, placed = np.zeros(len(codes)), np.zeros(len(codes), np.int64)
    for label in np.unique(labels[labels > 0])[::-1]:
        levels = np.flatnonzero(labels == label)
        in_list = np.isin(codes, levels) & (np.arange(codes.shape[1]) < length[:, None])
        count = judged[:, levels].sum(axis=1)
        nth = np.cumsum(in_list, axis=1) - 1
        row, rank = np.nonzero(in_list & (nth < count[:, None]))
        depth_ = np.maximum(rank, placed[row] + nth[row, rank])
        score += np.bincount(row, shared[depth[row]] - shared[depth_], minlength=len(codes))
        placed += count
    best = total[ideal] + ideal * (shared[depth] - shared[ideal]) if normalize else total[depth]
    return np.where((best > 0) & (length > 0), score / np.where(best > 0, best, 1.0), 0.0)


def _delegated(
    gains: Gains, dimension: Dimension, counts: Ints, labels: Ints, measure: Any
) -> Floats:
    """[row]: values from ir_measures, with document ids made of labels and scores of ranks.

    The n-th document with a label has the id of the n-th judged document with that label, so real
    ids are not needed.
    """
    import ir_measures

    qrels = {
        str(topic): {
            f"{level}-{n}": int(labels[level])
            for level in np.flatnonzero(row).tolist()
            for n in range(row[level])
        }
        for topic, row in enumerate(counts)
        if row.any()
    }
    evaluator = ir_measures.evaluator([measure], qrels)
    values = np.zeros(len(gains.topic))
    for run in _runs(gains, dimension):
        run = {topic: result for topic, result in run.items() if topic in qrels}
        rankings = {topic: documents for topic, (_, documents) in run.items()}
        for result in _evaluate(evaluator, measure, rankings) if rankings else ():
            if result.query_id in run:
                values[run[result.query_id][0]] = result.value
    return np.nan_to_num(values, nan=0.0)  # undefined values count as 0


def _evaluate(evaluator: Any, measure: Any, lists: dict[str, Any]) -> list[Any]:
    try:
        return list(evaluator.iter_calc(lists))
    except Exception as error:  # any exception of a tool behind ir_measures
        reason = str(error) or type(error).__name__
        what = f"ir_measures cannot compute it on these rankings and labels ({reason})"
        raise InputError(Problem(f"measure '{measure}'", what, "remove the measure")) from error


def _judged(dimension: Dimension, topics: int) -> Ints:
    """[topic, level]: the number of documents with the level."""
    levels = len(dimension.worth)
    if (dimension.judged_topic < 0).all():  # the labels hold in every topic
        return np.tile(np.bincount(dimension.judged_level, minlength=levels), (topics, 1))
    flat = dimension.judged_topic * levels + dimension.judged_level
    return np.bincount(flat, minlength=topics * levels).reshape(topics, levels)


def _labels(dimension: Dimension, name: str) -> Ints:
    """The whole number for each level in ir_measures: the label, reversed if low is better."""
    _, highest, sign = dimension.scale.tolist()
    label = dimension.worth[:, STORED.index("label")]
    label = np.where(np.arange(len(label)) > UNJUDGED, label if sign > 0 else highest - label, 0)
    fractions = label[label != np.round(label)]
    if len(fractions):
        what = f"has the label {fractions[0]:g}, but measures of ir_measures need whole numbers"
        fix = "use one of Fathom's own measures (`fathom measures`) for this dimension"
        raise InputError(Problem(f"dimension '{name}'", what, fix))
    return label.astype(np.int64)


def _runs(gains: Gains, dimension: Dimension) -> list[dict[str, tuple[int, Any]]]:
    """Rows as runs: topic -> (row, documents with scores); each topic occurs once per run."""
    codes, levels = dimension.codes.astype(np.int64), len(dimension.worth)
    flat = (np.arange(len(codes))[:, None] * levels + codes).reshape(-1)
    order = np.argsort(flat, kind="stable")
    nth = np.empty_like(flat)
    nth[order] = ordinal(flat[order]) - 1
    nth = nth.reshape(codes.shape)
    depth = codes.shape[1]
    ids = np.array([[f"{lv}-{n}" for n in range(depth)] for lv in range(levels)], "O")
    scores = np.arange(depth, 0, -1, dtype=float).tolist()  # Compat needs scores above 0
    runs: list[dict[str, tuple[int, Any]]] = []
    rows_of = [0] * len(gains.topics)
    for row in np.flatnonzero(gains.length):
        topic, length = gains.topic[row], gains.length[row]
        names = ids[codes[row, :length], nth[row, :length]].tolist()
        if rows_of[topic] == len(runs):
            runs.append({})
        runs[rows_of[topic]][str(topic)] = (row, dict(zip(names, scores, strict=False)))
        rows_of[topic] += 1
    return runs
