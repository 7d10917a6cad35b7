"""Measures outside the engine's family, computed by ir_measures: infAP, Compat, alpha_nDCG, ...

A measure our grammar does not know, but ir_measures does, becomes a declared measure whose function
hands lists and labels to ir_measures. Its arithmetic is not ours to look into, so its bounds are
unknown, and so is what ties could make of it.
"""

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.errors import InputError, Problem
from pipeline.gains.dimension import STORED, UNJUDGED, Dimension
from pipeline.gains.gains import Gains, View
from pipeline.measures.compatibility import compatibility
from pipeline.measures.declaration import COMBINATIONS, REGISTRY, Declaration
from pipeline.measures.measure import Single
from pipeline.storage.arrays import Floats, Ints

COMMON = {"on", "by", "rel", "gain"}


def instead(
    tree: ast.expr, *, refusal: InputError, dimension: Callable[[object], str], first: str
) -> Single:
    """The measure as ir_measures knows it, or our own refusal if there is nothing to delegate.

    A number out of our range, or a missing cutoff, is a mistake and no reason to ask elsewhere.
    """
    call = tree.left if isinstance(tree, ast.BinOp) else tree
    if not isinstance(call, ast.Call | ast.Name) or not _foreign(tree):
        raise refusal
    places = [k.value for k in call.keywords if k.arg == "on"] if isinstance(call, ast.Call) else []
    if isinstance(call, ast.Call):
        call.keywords = [keyword for keyword in call.keywords if keyword.arg != "on"]
    declaration = _declared(ast.unparse(tree), _name(tree) in REGISTRY)
    if declaration is None:
        raise refusal
    if isinstance(declaration, Problem):
        raise InputError(declaration.at(refusal.problems[0].where))
    on = dimension(getattr(places[0], "id", None)) if places else first
    return Single(declaration, _named(declaration.name, on, first), {on: "grade"}, None, {})


def _name(tree: ast.expr) -> str:
    call = tree.left if isinstance(tree, ast.BinOp) else tree
    return str(getattr(call.func if isinstance(call, ast.Call) else call, "id", ""))


def _named(name: str, on: str, first: str) -> str:
    if on == first:
        return name
    head, at, cutoff = name.partition("@")
    inside = f"{head[:-1]}, on={on})" if head.endswith(")") else f"{head}(on={on})"
    return inside + at + cutoff


def _foreign(tree: ast.expr) -> bool:
    """Whether a measure has a name, a parameter, a word or a kind of value that ours have not."""
    name = _name(tree)
    if not name or name in COMBINATIONS:
        return False
    if name not in REGISTRY:
        return name.removeprefix("u").removesuffix("gr") not in REGISTRY
    if isinstance(tree, ast.BinOp):
        if isinstance(getattr(tree.right, "value", None), float):
            return True
        tree = tree.left
    params = REGISTRY[name].params
    for keyword in tree.keywords if isinstance(tree, ast.Call) else []:
        given, word = str(keyword.arg), getattr(keyword.value, "value", None)
        if given not in params and given not in COMMON:
            return True
        odd = isinstance(word, str) and given in params and not params[given].allows(word)
        if odd or isinstance(keyword.value, ast.Dict):
            return True
    return False


def _tree(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _declared(text: str, ours: bool) -> Declaration | Problem | None:
    """ir_measures' measure as a declaration; None if it knows none, or why it cannot be had."""
    import ir_measures  # half a second that only delegated measures pay

    try:
        measure: Any = ir_measures.parse_measure(text)
    except (ValueError, NameError, TypeError):
        return None
    try:
        measure.validate_params()
    except AssertionError as error:
        return None if ours else Problem("", f"ir_measures does not take it ({error})")
    if not _foreign(_tree(str(measure))):  # another name for one of ours
        what = f"no measure is called '{_name(_tree(text))}'"
        return None if ours else Problem("", what, f"did you mean '{measure}'?")
    able = [p for p in ir_measures.DefaultPipeline.providers if p.supports(measure)]
    ready = [p for p in able if p.is_available()]
    if not able:
        what = "ir_measures knows it, but has nothing that computes it with these parameters"
        return Problem("", what)
    if not ready:
        how = "; or ".join(str(p.install_instructions() or p.NAME) for p in able)
        return Problem("", f"ir_measures needs {able[0].NAME}, which is not installed", how)
    return _declaration(measure, ready[0].NAME)


@cache  # ir_measures compares and hashes measures by what they print
def _declaration(measure: Any, provider: str) -> Declaration:
    name = str(measure)

    def value(view: View) -> Floats:
        key = ("delegated", name, *view.wanted)
        if key not in view.gains.cache:  # the bounds ask for it again
            view.gains.cache[key] = _value(view, measure)
        return np.asarray(view.gains.cache[key])

    return Declaration(
        name=name,
        function=value,
        title=f"{name}, computed by ir_measures",
        formula=f"as {provider} computes it for ir_measures, from the labels as written",
        citation="MacAvaney, Macdonald & Ounis, Streamlining Evaluation with ir-measures, "
        "ECIR 2022",
        module=__name__,
        params={},
        gain="grade",
        unretrieved=float(measure.DEFAULT),
        range=(-np.inf, np.inf),
        rises=False,
        aggregate="sum" if type(measure.aggregator()).__name__ == "SumAgg" else "mean",
        bounds="unknown",
    )


def _value(view: View, measure: Any) -> Floats:
    """What ir_measures says of every list, or our own faster code; of equal lists once.

    A measure depends on documents only through their labels and order, so lists are equal if
    they have the same labels in the same order, and topics if as many were judged to have each.
    """
    ((place, _),) = view.wanted.items()
    gains, dimension = view.gains, view.gains.dimensions[place]
    judged = _judged(dimension, len(gains.topics))
    labels = _labels(dimension, place)
    first, number = _distinct(dimension.codes, gains, judged)
    lists = gains.rows(first)
    codes = lists.dimensions[place].codes
    if measure.NAME == "Compat":
        found = compatibility(
            codes.astype(np.int64),
            lists.length,
            judged[lists.topic],
            labels=np.array(labels),
            p=float(measure["p"]),
            normalize=bool(measure["normalize"]),
        )
    else:
        found = _delegated(lists, lists.dimensions[place], judged, labels, measure)
    return found[number]


def _distinct(codes: Ints, gains: Gains, judged: Ints) -> tuple[Ints, Ints]:
    """The first row of each distinct list, and the number of each row's list among them."""
    alike: dict[bytes, int] = {}
    topics = [alike.setdefault(row.tobytes(), len(alike)) for row in judged]
    known: dict[tuple[int, bytes], int] = {}
    first: list[int] = []
    number = np.empty(len(codes), np.int64)
    rows = zip(gains.topic.tolist(), gains.length.tolist(), strict=True)
    for row, (topic, length) in enumerate(rows):
        key = (topics[topic], codes[row, :length].tobytes())
        number[row] = known.setdefault(key, len(known))
        if len(known) > len(first):
            first.append(row)
    return np.array(first, np.int64), number


def _delegated(
    gains: Gains, dimension: Dimension, counts: Ints, labels: list[int], measure: Any
) -> Floats:
    """Every list as ir_measures sees it: ids stand for labels, scores for our order.

    The n-th document with a label takes the id of the n-th judged one with that label, so no real
    id is needed.
    """
    import ir_measures

    qrels = {
        str(topic + 1): {
            f"{level}-{n}": labels[level]
            for level in np.flatnonzero(row).tolist()
            for n in range(row[level])
        }
        for topic, row in enumerate(counts)
        if row.any()
    }
    evaluator = ir_measures.evaluator([measure], qrels)
    values = np.zeros(len(gains.topic))
    for run in _runs(gains, dimension, int(counts.max(initial=0))):
        rows = {topic: row for topic, (row, _) in run.items() if topic in qrels}
        lists = {topic: run[topic][1] for topic in rows}
        for found in _asked(evaluator, measure, lists) if lists else ():
            if found.query_id in rows:
                values[rows[found.query_id]] = found.value
    return np.nan_to_num(values, nan=0.0)  # what is undefined, as for a topic without labels


def _asked(evaluator: Any, measure: Any, lists: dict[str, Any]) -> list[Any]:
    try:
        return list(evaluator.iter_calc(lists))
    except Exception as error:  # whatever a tool behind ir_measures may fail on
        reason = str(error) or type(error).__name__
        what = f"ir_measures cannot compute it on these rankings and labels ({reason})"
        raise InputError(Problem(f"measure '{measure}'", what, "leave it out")) from error


def _judged(dimension: Dimension, topics: int) -> NDArray[np.int64]:
    """[topic, level]: how many documents were judged so."""
    levels = len(dimension.worth)
    if (dimension.judged_topic < 0).all() and len(dimension.judged_topic):
        return np.tile(np.bincount(dimension.judged_level, minlength=levels), (topics, 1))
    flat = dimension.judged_topic * levels + dimension.judged_level
    return np.bincount(flat, minlength=topics * levels).reshape(topics, levels)


def _labels(dimension: Dimension, name: str) -> list[int]:
    """The whole number each level is to ir_measures: the label, turned round if low is better."""
    _, highest, sign = dimension.scale.tolist()
    label = dimension.worth[:, STORED.index("label")].copy()
    label[: UNJUDGED + 1] = 0
    label = label if sign > 0 else np.where(np.arange(len(label)) > UNJUDGED, highest - label, 0)
    odd = label[label != np.round(label)]
    if len(odd):
        what = f"has the label {odd[0]:g}, but measures of ir_measures need whole numbers"
        fix = "use one of Fathom's own measures there"
        raise InputError(Problem(f"dimension '{name}'", what, fix))
    return [int(value) for value in label.tolist()]


def _runs(gains: Gains, dimension: Dimension, most: int) -> list[dict[str, tuple[int, Any]]]:
    """Rows as runs: topic -> row and its documents with scores; each topic once a run."""
    codes = dimension.codes.astype(np.int64)
    order = np.argsort(codes, axis=1, kind="stable")
    sorted_codes = np.take_along_axis(codes, order, axis=1)
    place = np.arange(codes.shape[1])
    new = np.ones(codes.shape, bool)
    new[:, 1:] = sorted_codes[:, 1:] != sorted_codes[:, :-1]
    start = np.maximum.accumulate(np.where(new, place, 0), axis=1)
    nth = np.empty_like(codes)
    np.put_along_axis(nth, order, place - start, axis=1)
    width = max(codes.shape[1], most)
    ids = np.array([[f"{lv}-{n}" for n in range(width)] for lv in range(len(dimension.worth))], "O")
    scores = np.arange(codes.shape[1], 0, -1, dtype=float).tolist()  # Compat wants them above 0
    runs: list[dict[str, tuple[int, Any]]] = []
    seen = [0] * len(gains.topics)
    for row, (topic, length) in enumerate(
        zip(gains.topic.tolist(), gains.length.tolist(), strict=True)
    ):
        if not length:
            continue
        names = ids[codes[row, :length], nth[row, :length]].tolist()
        if seen[topic] == len(runs):
            runs.append({})
        runs[seen[topic]][str(topic + 1)] = (row, dict(zip(names, scores, strict=False)))
        seen[topic] += 1
    return runs
