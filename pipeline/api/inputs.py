"""Runs and judgements in any form people hold them in, as one of two things: files, or mappings.

Paths and globs; `{topic: {document: value}}` as pytrec_eval and ranx take them; tables with the
column names of ir_measures, trectools, PyTerrier or ranx (pandas or polars); ir_measures' named
tuples; and the run and qrels objects of trectools and ranx. No library is imported for any of them.
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
from pipeline.runs.mappings import Mapped
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
    """The files a path or a glob names, in order of name; `-` is the standard input."""
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
    every = map(Path, glob.glob(str(text), recursive=True))  # noqa: PTH207
    found = sorted(path for path in every if path.is_file())
    if not found:
        raise InputError(Problem(where, "matches no file", "check the pattern"))
    return found


# ---- judgements -----------------------------------------------------------------------------


def judged(qrels: Source) -> dict[str, list[Qrels]]:
    """Judgements by dimension; those of one dimension are of `topicality`."""
    if not isinstance(qrels, Mapping) or _is_lists(qrels):
        return {"topicality": _qrels(qrels, what="qrels")}
    if not qrels:
        fix = "give a file or {topic: {document: label}}"
        raise InputError(Problem("qrels", "there are no judgements", fix))
    for name in qrels:
        if not (isinstance(name, str) and name.isidentifier()):
            what = f"{name!r} is not a name of a dimension"
            raise InputError(Problem("qrels", what, "use letters and _"))
    return {name: _qrels(one, what=f"qrels of {name}") for name, one in qrels.items()}


def _qrels(source: Source, *, what: str) -> list[Qrels]:
    source = _opened(source, "qrels_data")
    if isinstance(source, str | PathLike):
        return [read_qrels(path) for path in files(source, what=what)]
    if isinstance(source, Mapping):
        topics: list[Any] = []
        documents: list[Any] = []
        labels: list[Any] = []
        for topic, inner in source.items():
            topics += [topic] * len(_inner(inner, topic, what))
            documents += inner
            labels += inner.values()
        return [_lines(topics, documents, labels, what=what)]
    if _is_frame(source):
        return [_lines(*_columns(source, (TOPIC, DOCUMENT, LABEL), what=what), what=what)]
    first, rest = _peeked(source, what=what)
    if isinstance(first, str | PathLike):
        return [read_qrels(path) for one in rest for path in files(one, what=what)]
    rows = _tuples(first, rest, (TOPIC, DOCUMENT, LABEL), what=what)
    return [_lines(*zip(*rows, strict=True), what=what)]


def _lines(
    topics: Sequence[Any], documents: Sequence[Any], labels: Sequence[Any], *, what: str
) -> Qrels:
    """Columns of topic, document and label as the lines of a file."""
    if not topics:
        raise InputError(Problem(what, "there are no judgements in it", FORMS))
    rows = [*range(1, len(topics) + 1)]
    if not set(map(type, labels)) <= {int, float}:
        pairs = zip(rows, labels, strict=True)
        labels = [_number(label, f"{what}, row {row}", "label") for row, label in pairs]
    values = np.array(labels, float)
    for at in np.flatnonzero(~np.isfinite(values))[:1].tolist():
        problem = f"the label {labels[at]!r} is not a number"
        raise InputError(Problem(f"{what}, row {rows[at]}", problem, "correct it"))
    topics, documents = _ids(topics, what), _ids(documents, what)
    return Qrels(Path(what), topics, ["0"] * len(rows), documents, values, rows)


def _ids(values: Sequence[Any], what: str) -> list[str]:
    """Ids as texts, which most are."""
    if set(map(type, values)) == {str}:
        return list(values)
    return [_id(value, f"{what}, row {row}") for row, value in enumerate(values, start=1)]


# ---- runs -----------------------------------------------------------------------------------


def runs(given: Source) -> dict[str, Path | Mapped]:
    """Runs by name, in the order they are given."""
    given = _opened(given, "run_data")
    if isinstance(given, Mapping) and not _is_lists(given):
        found = {str(name): _only(name, runs(one)) for name, one in given.items()}
    elif isinstance(given, str | PathLike):
        paths = files(given, what="runs")
        found = {_name(paths[0]): paths[0]} if len(paths) == 1 else _several(paths)
    elif isinstance(given, Mapping):
        found = {"run": _lists(given, what="run")}
    elif _is_frame(given):
        found = _by_run(given)
    else:
        first, rest = _peeked(given, what="runs")
        if hasattr(first, "_fields"):
            rows = _tuples(first, rest, (TOPIC, DOCUMENT, SCORE), what="run")
            found = {"run": _grouped(rows, what="run")}
        else:
            found = _several(rest)
    if not found:
        raise InputError(Problem("runs", "there are none", FORMS))
    return found


def _name(path: Path) -> str:
    return "stdin" if path == STDIN else run_name(path)


def _only(name: object, several: Mapping[str, Path | Mapped]) -> Path | Mapped:
    if len(several) != 1:
        raise InputError(Problem("runs", f"'{name}' names {len(several)} runs", "give one"))
    return next(iter(several.values()))


def _several(every: Iterable[Source]) -> dict[str, Path | Mapped]:
    """Runs in a list: files by their names, others by their places."""
    found: dict[str, Path | Mapped] = {}
    for number, one in enumerate(every, start=1):
        for own, run in runs(one).items():
            name = f"run{number}" if own == "run" else own
            if name in found and found[name] != run:
                both = f", {found[name]} and {run}" if isinstance(run, Path) else ""
                fix = "rename one, or give them as {'a': ..., 'b': ...}"
                raise InputError(Problem("runs", f"two are called '{name}'{both}", fix))
            found[name] = run
    return found


def _lists(run: Mapping[Any, Any], *, what: str) -> Mapped:
    """A run as dicts: as it is if it is made of them, else copied."""
    if type(run) is dict and all(type(t) is str and type(i) is dict for t, i in run.items()):
        return run
    return {_id(topic, what): dict(_inner(inner, topic, what)) for topic, inner in run.items()}


def _by_run(table: Any) -> dict[str, Path | Mapped]:
    """The runs of a table: by the column that names them, if there is one."""
    names = [str(name) for name in table.columns]
    column = next((name for name in RUN if name in names), None)
    rows = zip(*_columns(table, (TOPIC, DOCUMENT, SCORE), what="run"), strict=True)
    if column is None:
        return {"run": _grouped(rows, what="run")}
    every: dict[str, list[Sequence[Any]]] = {}
    for name, row in zip(_values(table, column), rows, strict=True):
        every.setdefault(str(name), []).append(row)
    return {name: _grouped(own, what=f"run '{name}'") for name, own in every.items()}


def _grouped(rows: Rows, *, what: str) -> Mapped:
    lists: Mapped = {}
    for number, (topic, document, score) in enumerate(rows, start=1):
        where = f"{what}, row {number}"
        ranking = lists.setdefault(_id(topic, where), {})
        name = _id(document, where)
        if name in ranking:
            problem = f"document '{name}' is there twice in topic '{topic}'"
            raise InputError(Problem(where, problem, "remove one of the rows"))
        ranking[name] = _number(score, where, "score")
    return lists


# ---- forms ----------------------------------------------------------------------------------


def _opened(source: Source, attribute: str) -> Source:
    """What an object of trectools (its table) or ranx (its mapping) holds; others as they are."""
    if hasattr(source, attribute):
        return getattr(source, attribute)
    if type(source).__module__.split(".")[0] == "ranx" and hasattr(source, "to_dict"):
        return source.to_dict()
    return source


def _is_frame(source: Source) -> bool:
    return hasattr(source, "columns") and hasattr(source, "__getitem__")


def _is_lists(source: Mapping[Any, Any]) -> bool:
    """Whether a mapping is {topic: {document: value}}, and not of names to sources."""
    inner = [one for one in source.values() if not (isinstance(one, Mapping) and not one)]
    if not inner:
        return bool(source)
    first = inner[0]
    return isinstance(first, Mapping) and not isinstance(
        next(iter(first.values())), Mapping | str | PathLike
    )


def _inner(inner: Any, topic: object, what: str) -> Mapping[str, Any]:
    if not isinstance(inner, Mapping):
        problem = f"topic {topic!r} holds {inner!r}, not {{document: value}}"
        raise InputError(Problem(what, problem, "correct it"))
    return inner


def _id(value: object, where: str) -> str:
    """An id as text; tables may hold whole numbers."""
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


def _peeked(source: Source, *, what: str) -> tuple[Any, Iterator[Any]]:
    """The first of several things, and all of them."""
    try:
        every = iter(source)
    except TypeError:
        problem = Problem(what, f"{type(source).__name__} is not understood", FORMS)
        raise InputError(problem) from None
    first = next(every, None)
    if first is None:
        raise InputError(Problem(what, "there is nothing in it", FORMS))
    return first, chain([first], every)


def _tuples(first: Any, rest: Iterable[Any], wanted: Sequence[Sequence[str]], *, what: str) -> Rows:
    if not hasattr(first, "_fields"):
        fix = "give paths, or named tuples as ir_measures has"
        raise InputError(Problem(what, f"{first!r} is not understood", fix))
    names = [_chosen(first._fields, known, what=what) for known in wanted]
    return (tuple(getattr(row, name) for name in names) for row in rest)


def _columns(table: Any, wanted: Sequence[Sequence[str]], *, what: str) -> list[list[Any]]:
    names = [str(name) for name in table.columns]
    return [_values(table, _chosen(names, known, what=what)) for known in wanted]


def _values(table: Any, name: str) -> list[Any]:
    column = table[name]
    values: Callable[[], list[Any]] = getattr(column, "tolist", None) or column.to_list
    return values()


def _chosen(names: Sequence[str], known: Sequence[str], *, what: str) -> str:
    for name in known:
        if name in names:
            return name
    problem = f"no column is called {' or '.join(known[:3])}"
    raise InputError(Problem(what, problem, f"rename one of {', '.join(names)}"))
