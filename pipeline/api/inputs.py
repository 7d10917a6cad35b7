"""Whatever people hold runs and judgements in, as one of two things: files, or plain mappings.

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

from pipeline.errors import InputError
from pipeline.labels.qrels import Qrels, read_qrels
from pipeline.runs.mappings import Lists
from pipeline.runs.trec import run_name

TOPIC = ("query_id", "qid", "q_id", "topic", "topic_id", "query")  # PyTerrier's query is its text
DOCUMENT = ("doc_id", "docno", "docid", "document", "did")
LABEL = ("relevance", "label", "rel", "judgement", "judgment", "score")
SCORE = ("score", "sim")
RUN = ("system", "run", "run_id", "tag", "name")
STDIN = Path("/dev/stdin")

Source = Any  # one of the forms above


def files(text: str | PathLike[str], *, what: str) -> list[Path]:
    """The files a path or a glob names, in order of name; `-` is the standard input."""
    path = Path(text)
    if str(text) == "-":
        return [STDIN]
    if path.is_dir():
        raise InputError(f"{what} '{path}' is a folder; write '{path}/*' for the files in it")
    if path.exists():
        return [path]
    if not glob.has_magic(str(text)):
        raise InputError(f"{what} '{path}': there is no such file; check the path")
    # Path.glob takes no absolute pattern.
    found = sorted(Path(name) for name in glob.glob(str(text), recursive=True))  # noqa: PTH207
    found = [one for one in found if one.is_file()]
    if not found:
        raise InputError(f"{what} '{text}' matches no file; check the pattern")
    return found


# ---- judgements -----------------------------------------------------------------------------


def judged(qrels: Source) -> dict[str, list[Qrels]]:
    """Judgements by dimension; those of one dimension are of `topicality`."""
    if isinstance(qrels, Mapping) and not _is_lists(qrels):
        if not qrels:
            raise InputError("qrels: there are no judgements; give a file or {topic: {doc: label}}")
        for name in qrels:
            if not (isinstance(name, str) and name.isidentifier()):
                raise InputError(f"qrels: {name!r} is no name of a dimension; use letters and _")
        return {name: _qrels(one, what=f"qrels of {name}") for name, one in qrels.items()}
    return {"topicality": _qrels(qrels, what="qrels")}


def _qrels(source: Source, *, what: str) -> list[Qrels]:
    source = _opened(source, "qrels_data")
    if isinstance(source, str | PathLike):
        return [read_qrels(path) for path in files(source, what=what)]
    if isinstance(source, Mapping):
        rows = ((t, d, v) for t, inner in source.items() for d, v in _inner(inner, t, what).items())
        return [_lines(rows, what=what)]
    if _is_frame(source):
        return [_lines(_columns(source, (TOPIC, DOCUMENT, LABEL), what=what), what=what)]
    first, rest = _peeked(source, what=what)
    if isinstance(first, str | PathLike):
        return [read_qrels(path) for one in rest for path in files(one, what=what)]
    return [_lines(_tuples(first, rest, (TOPIC, DOCUMENT, LABEL), what=what), what=what)]


def _lines(rows: Iterable[Sequence[Any]], *, what: str) -> Qrels:
    """Rows of topic, document and label as the lines of a file."""
    topics, documents, labels = [], [], []
    for number, (topic, document, label) in enumerate(rows, start=1):
        try:
            value = float(label)
        except (TypeError, ValueError):
            value = np.nan
        if not np.isfinite(value):
            raise InputError(f"{what}, row {number}: the label {label!r} is not a number")
        topics.append(_id(topic, what=what, number=number))
        documents.append(_id(document, what=what, number=number))
        labels.append(value)
    if not topics:
        raise InputError(f"{what}: there are no judgements in it")
    lines = [*range(1, len(topics) + 1)]
    return Qrels(Path(what), topics, ["0"] * len(topics), documents, np.array(labels), lines)


# ---- runs -----------------------------------------------------------------------------------


def runs(given: Source) -> dict[str, Path | Lists]:
    """Runs by name, in the order they are given."""
    given = _opened(given, "run_data")
    if isinstance(given, Mapping) and not _is_lists(given):
        found: dict[str, Path | Lists] = {}
        for name, one in given.items():
            several = runs(one)
            if len(several) != 1:
                raise InputError(f"runs: '{name}' names {len(several)} runs; give one")
            found[str(name)] = next(iter(several.values()))
    elif isinstance(given, str | PathLike):
        found = _named(files(given, what="runs"))
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
        raise InputError("runs: there are none; give files or {topic: {document: score}}")
    return found


def _several(every: Iterable[Source]) -> dict[str, Path | Lists]:
    """Runs in a list: files by their names, others by their places."""
    found: dict[str, Path | Lists] = {}
    for number, one in enumerate(every, start=1):
        for own, run in runs(one).items():
            name = f"run{number}" if own == "run" else own
            if name in found and found[name] != run:
                raise InputError(
                    f"runs: two are called '{name}'; give them as {{'a': ..., 'b': ...}}"
                )
            found[name] = run
    return found


def _named(paths: Sequence[Path]) -> dict[str, Path | Lists]:
    found: dict[str, Path] = {}
    for path in paths:
        name = "stdin" if path == STDIN else run_name(path)
        if found.setdefault(name, path) != path:
            raise InputError(
                f"{found[name]} and {path} both give the run name '{name}'; "
                "rename one, or name them as in {'a': path, 'b': path}"
            )
    return dict(found)


def _lists(run: Mapping[Any, Any], *, what: str) -> Lists:
    """A run as dicts: as it is if it is made of them, else copied."""
    plain = type(run) is dict and all(
        type(topic) is str and type(inner) is dict for topic, inner in run.items()
    )
    if plain:
        return run  # type: ignore[return-value]
    return {
        _id(topic, what=what, number=0): dict(_inner(inner, topic, what))
        for topic, inner in run.items()
    }


def _by_run(table: Any) -> dict[str, Path | Lists]:
    """The runs of a table: by the column that names them, if there is one."""
    names = [str(name) for name in table.columns]
    column = next((name for name in RUN if name in names), None)
    rows = _columns(table, (TOPIC, DOCUMENT, SCORE), what="run")
    if column is None:
        return {"run": _grouped(rows, what="run")}
    every: dict[str, list[Sequence[Any]]] = {}
    for name, row in zip(_values(table, column), rows, strict=True):
        every.setdefault(str(name), []).append(row)
    return {name: _grouped(mine, what=f"run '{name}'") for name, mine in every.items()}


def _grouped(rows: Iterable[Sequence[Any]], *, what: str) -> Lists:
    lists: Lists = {}
    for number, (topic, document, score) in enumerate(rows, start=1):
        mine = lists.setdefault(_id(topic, what=what, number=number), {})
        name = _id(document, what=what, number=number)
        if name in mine:
            raise InputError(
                f"{what}, row {number}: document '{name}' is there twice in topic '{topic}'; "
                "remove one of the rows"
            )
        try:
            mine[name] = float(score)
        except (TypeError, ValueError):
            raise InputError(
                f"{what}, row {number}: the score {score!r} is not a number; correct it"
            ) from None
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
        raise InputError(f"{what}: topic {topic!r} holds {inner!r}, not {{document: value}}")
    return inner


def _id(value: object, *, what: str, number: int) -> str:
    """An id as text; tables may hold whole numbers."""
    if type(value) is str:
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise InputError(f"{what}, row {number}: {value!r} is no id; ids are strings")
    if float(value).is_integer():
        return str(int(value))
    raise InputError(f"{what}, row {number}: {value!r} is no id; ids are strings")


def _peeked(source: Source, *, what: str) -> tuple[Any, Iterator[Any]]:
    """The first of several things, and all of them."""
    try:
        every = iter(source)
    except TypeError:
        raise InputError(
            f"{what}: {type(source).__name__} is not understood; give a path, a glob, "
            "{topic: {document: value}}, a table or named tuples"
        ) from None
    first = next(every, None)
    if first is None:
        raise InputError(f"{what}: there is nothing in it; give a path, a mapping or a table")
    return first, chain([first], every)


def _tuples(
    first: Any, rest: Iterable[Any], wanted: Sequence[Sequence[str]], *, what: str
) -> Iterator[Sequence[Any]]:
    if not hasattr(first, "_fields"):
        raise InputError(
            f"{what}: {first!r} is not understood; give paths, or named tuples as ir_measures has"
        )
    names = [_chosen(first._fields, known, what=what) for known in wanted]
    return (tuple(getattr(row, name) for name in names) for row in rest)


def _columns(table: Any, wanted: Sequence[Sequence[str]], *, what: str) -> Iterator[Sequence[Any]]:
    names = [str(name) for name in table.columns]
    chosen = [_chosen(names, known, what=what) for known in wanted]
    return zip(*(_values(table, name) for name in chosen), strict=True)


def _values(table: Any, name: str) -> list[Any]:
    column = table[name]
    values: Callable[[], list[Any]] = getattr(column, "tolist", None) or column.to_list
    return values()


def _chosen(names: Sequence[str], known: Sequence[str], *, what: str) -> str:
    for name in known:
        if name in names:
            return name
    raise InputError(
        f"{what}: no column is called {' or '.join(known[:3])}; there is {', '.join(names)}"
    )
