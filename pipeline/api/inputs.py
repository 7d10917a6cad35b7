"""Runs and judgements in the forms that other tools use, as files or mappings.

Paths and globs; `{topic: {document: value}}` as pytrec_eval and ranx take them; tables with the
column names of ir_measures, trectools, PyTerrier or ranx (pandas or polars); ir_measures' named
tuples; and the run and qrels objects of trectools and ranx. None of these libraries is imported.
"""

import glob
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.errors import InputError, Problem
from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.runs.mappings import RunMapping
from pipeline.runs.reader import run_name

TOPIC = ("query_id", "qid", "q_id", "topic", "topic_id", "query")  # PyTerrier's query is its text
DOCUMENT = ("doc_id", "docno", "docid", "document", "did")
LABEL = ("relevance", "label", "rel", "judgement", "judgment", "score")
SCORE = ("score", "sim")
RUN = ("system", "run", "run_id", "tag", "name")
STDIN = Path("/dev/stdin")
FORMS = "give a path, a glob, {topic: {document: value}}, a table or named tuples"

Source = Any  # one of the forms above
Rows = Iterable[Sequence[Any]]


def files(text: str | PathLike[str], *, what: str) -> list[Path]:
    """The files that a path or a glob names, sorted by name; `-` is the standard input."""
    path, where = Path(text), f"{what} '{text}'"
    if str(text) == "-":
        return [STDIN]
    if path.is_dir():
        raise InputError(Problem(where, "is a folder", f"write '{path}/*' for the files in it"))
    if path.exists():
        return [path]
    if not glob.has_magic(str(text)):
        raise InputError(Problem(where, "there is no such file", "check the path"))
    # Path.glob takes no absolute pattern.
    matches = map(Path, glob.glob(str(text), recursive=True))  # noqa: PTH207
    paths = sorted(path for path in matches if path.is_file())
    if not paths:
        raise InputError(Problem(where, "matches no file", "check the pattern"))
    return paths


# ---- judgements -----------------------------------------------------------------------------


def read_judgements(qrels: Source) -> dict[str, list[Qrels]]:
    """Judgements by dimension; without names of dimensions, they are of `topicality`."""
    if not isinstance(qrels, Mapping) or _is_by_topic(qrels):
        return {"topicality": _qrels(qrels, what="qrels")}
    if not qrels:
        fix = "give a file or {topic: {document: label}}"
        raise InputError(Problem("qrels", "there are no judgements", fix))
    for name in qrels:
        if not (isinstance(name, str) and name.isidentifier()):
            what = f"{name!r} is not the name of a dimension"
            raise InputError(Problem("qrels", what, "use letters and _"))
    return {name: _qrels(source, what=f"qrels of {name}") for name, source in qrels.items()}


def _qrels(source: Source, *, what: str) -> list[Qrels]:
    source = _unwrapped(source, "qrels_data")
    if isinstance(source, str | PathLike):
        return [read_qrels(path) for path in files(source, what=what)]
    if isinstance(source, Mapping):
        inners = {topic: _inner(inner, topic, what) for topic, inner in source.items()}
        topics = [topic for topic, inner in inners.items() for _ in inner]
        documents = list(chain.from_iterable(inners.values()))
        labels = list(chain.from_iterable(inner.values() for inner in inners.values()))
        return [_lines(topics, documents, labels, what=what)]
    if _is_frame(source):
        return [_lines(*_columns(source, (TOPIC, DOCUMENT, LABEL), what=what), what=what)]
    first, items = _peek(source, what=what)
    if isinstance(first, str | PathLike):
        return [read_qrels(path) for pattern in items for path in files(pattern, what=what)]
    rows = _tuples(first, items, (TOPIC, DOCUMENT, LABEL), what=what)
    return [_lines(*zip(*rows, strict=True), what=what)]


def _lines(
    topics: Sequence[Any], documents: Sequence[Any], labels: Sequence[Any], *, what: str
) -> Qrels:
    """Columns of topics, documents and labels as the lines of a label file."""
    if not topics:
        raise InputError(Problem(what, "there are no judgements", FORMS))
    rows = [*range(1, len(topics) + 1)]
    if not set(map(type, labels)) <= {int, float}:
        pairs = zip(rows, labels, strict=True)
        labels = [_number(label, f"{what}, row {row}", "label") for row, label in pairs]
    values = np.array(labels, float)
    for place in np.flatnonzero(~np.isfinite(values))[:1].tolist():
        problem = f"the label {labels[place]!r} is not a number"
        raise InputError(Problem(f"{what}, row {rows[place]}", problem, "correct it"))
    topics, documents = _ids(topics, what), _ids(documents, what)
    return Qrels(Path(what), topics, ["0"] * len(rows), documents, values, rows)


def _ids(values: Sequence[Any], what: str) -> list[str]:
    """Ids as strings, which most already are."""
    if set(map(type, values)) == {str}:
        return list(values)
    return [_id(value, f"{what}, row {row}") for row, value in enumerate(values, start=1)]


# ---- runs -----------------------------------------------------------------------------------


def runs(source: Source) -> dict[str, Path | RunMapping]:
    """Runs by name, in the order of the source."""
    source = _unwrapped(source, "run_data")
    if isinstance(source, Mapping) and not _is_by_topic(source):
        named = {str(name): _only(name, runs(run)) for name, run in source.items()}
    elif isinstance(source, str | PathLike):
        paths = files(source, what="runs")
        name = "stdin" if paths[0] == STDIN else run_name(paths[0])
        named = {name: paths[0]} if len(paths) == 1 else _name_runs(paths)
    elif isinstance(source, Mapping):
        named = {"run": _as_dicts(source, what="run")}
    elif _is_frame(source):
        named = _by_run(source)
    else:
        first, items = _peek(source, what="runs")
        if hasattr(first, "_fields"):
            rows = _tuples(first, items, (TOPIC, DOCUMENT, SCORE), what="run")
            named = {"run": _group(rows, what="run")}
        else:
            named = _name_runs(items)
    if not named:
        raise InputError(Problem("runs", "there are none", FORMS))
    return named


def _only(name: object, named: Mapping[str, Path | RunMapping]) -> Path | RunMapping:
    if len(named) != 1:
        raise InputError(Problem("runs", f"'{name}' names {len(named)} runs", "give one"))
    return next(iter(named.values()))


def _name_runs(sources: Iterable[Source]) -> dict[str, Path | RunMapping]:
    """Runs in a list: files by their names, others by their positions."""
    named: dict[str, Path | RunMapping] = {}
    for number, source in enumerate(sources, start=1):
        for source_name, run in runs(source).items():
            name = f"run{number}" if source_name == "run" else source_name
            if name in named and named[name] != run:
                paths = f", {named[name]} and {run}" if isinstance(run, Path) else ""
                fix = "rename one, or give them as {'a': ..., 'b': ...}"
                raise InputError(Problem("runs", f"two are called '{name}'{paths}", fix))
            named[name] = run
    return named


def _as_dicts(run: Mapping[Any, Any], *, what: str) -> RunMapping:
    """A run as dicts; copied only if it is not made of them."""
    if type(run) is dict and all(type(t) is str and type(i) is dict for t, i in run.items()):
        return run
    return {_id(topic, what): dict(_inner(inner, topic, what)) for topic, inner in run.items()}


def _by_run(table: Any) -> dict[str, Path | RunMapping]:
    """The runs of a table, by the column that names them, if there is one."""
    names = [str(name) for name in table.columns]
    column = next((name for name in RUN if name in names), None)
    rows = zip(*_columns(table, (TOPIC, DOCUMENT, SCORE), what="run"), strict=True)
    if column is None:
        return {"run": _group(rows, what="run")}
    rows_of: dict[str, list[Sequence[Any]]] = {}
    for name, row in zip(_values(table, column), rows, strict=True):
        rows_of.setdefault(str(name), []).append(row)
    return {name: _group(rows, what=f"run '{name}'") for name, rows in rows_of.items()}


def _group(rows: Rows, *, what: str) -> RunMapping:
    run: RunMapping = {}
    for number, (topic, document, score) in enumerate(rows, start=1):
        where = f"{what}, row {number}"
        ranking = run.setdefault(_id(topic, where), {})
        name = _id(document, where)
        if name in ranking:
            problem = f"document '{name}' occurs twice in topic '{topic}'"
            raise InputError(Problem(where, problem, "remove one of the rows"))
        ranking[name] = _number(score, where, "score")
    return run


# ---- forms ----------------------------------------------------------------------------------


def _unwrapped(source: Source, attribute: str) -> Source:
    """The table of a trectools object or the mapping of a ranx object; others as they are."""
    if hasattr(source, attribute):
        return getattr(source, attribute)
    if type(source).__module__.split(".")[0] == "ranx" and hasattr(source, "to_dict"):
        return source.to_dict()
    return source


def _is_frame(source: Source) -> bool:
    return hasattr(source, "columns") and hasattr(source, "__getitem__")


def _is_by_topic(source: Mapping[Any, Any]) -> bool:
    """Whether a mapping is {topic: {document: value}}, not {name: source}."""
    values = [value for value in source.values() if not isinstance(value, Mapping) or value]
    if not values:
        return bool(source)
    first = values[0]
    return isinstance(first, Mapping) and not isinstance(
        next(iter(first.values())), Mapping | str | PathLike
    )


def _inner(inner: Any, topic: object, what: str) -> Mapping[str, Any]:
    if not isinstance(inner, Mapping):
        problem = f"topic {topic!r} has {inner!r} instead of {{document: value}}"
        raise InputError(Problem(what, problem, "correct it"))
    return inner


def _id(value: object, where: str) -> str:
    """An id as a string; tables may hold whole numbers."""
    if isinstance(value, str):
        return value if type(value) is str else str(value)
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if number and float(value).is_integer():  # type: ignore[arg-type]
        return str(int(value))  # type: ignore[call-overload]
    raise InputError(Problem(where, f"{value!r} is not an id", "ids are strings"))


def _number(value: Any, where: str, kind: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        problem = Problem(where, f"the {kind} {value!r} is not a number", "correct it")
        raise InputError(problem) from None


def _peek(source: Source, *, what: str) -> tuple[Any, Iterator[Any]]:
    """The first item of a source, and all its items."""
    try:
        items = iter(source)
    except TypeError:
        raise InputError(Problem(what, f"{type(source).__name__} cannot be read", FORMS)) from None
    first = next(items, None)
    if first is None:
        raise InputError(Problem(what, "is empty", FORMS))
    return first, chain([first], items)


def _tuples(
    first: Any, items: Iterable[Any], columns: Sequence[Sequence[str]], *, what: str
) -> Rows:
    if not hasattr(first, "_fields"):
        fix = "give paths, or named tuples like those of ir_measures"
        raise InputError(Problem(what, f"{first!r} cannot be read", fix))
    names = [_column(first._fields, choices, what=what) for choices in columns]
    return (tuple(getattr(row, name) for name in names) for row in items)


def _columns(table: Any, columns: Sequence[Sequence[str]], *, what: str) -> list[list[Any]]:
    names = [str(name) for name in table.columns]
    return [_values(table, _column(names, choices, what=what)) for choices in columns]


def _values(table: Any, name: str) -> list[Any]:
    column = table[name]
    values: Callable[[], list[Any]] = getattr(column, "tolist", None) or column.to_list
    return values()


def _column(names: Sequence[str], choices: Sequence[str], *, what: str) -> str:
    for name in choices:
        if name in names:
            return name
    problem = f"no column is called {' or '.join(choices[:3])}"
    raise InputError(Problem(what, problem, f"rename one of {', '.join(names)}"))
