"""Strict reading of YAML configs.

PyYAML takes the second of two equal keys, expands aliases without a limit, and reports where its
scanner stopped rather than the mistake. So the events are checked first.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from pipeline.errors import InputError, Problem, each
from pipeline.storage.text import cut, read_text

DEEPEST = 40  # levels of nested maps and lists; a config has ten
MOST = 100_000  # values, with aliases expanded
CONFIG_LINE = "key: value"
Keys = tuple[str | int, ...]  # from the top of a file to one of its values


def config(path: Path) -> dict[Any, Any]:
    """Read a config; its top level must be a map."""
    return located(path)[0]


def located(path: Path) -> tuple[dict[Any, Any], dict[Keys, int]]:
    """Read a config, with the line of every key and list item."""
    content, node = _read(path)
    if not isinstance(content, dict):
        what = "a config has keys at the top, for example 'campaigns:'"
        raise InputError(Problem(path, what, "start with such a key"))
    return content, dict(_lines(node))


def check(paths: Iterable[Path]) -> None:
    """Refuse configs with mistakes that Snakemake would silently accept; report all at once."""
    each(config, paths)


def _read(path: Path) -> tuple[Any, yaml.Node | None]:
    text = _text(path)
    try:
        _refuse_expansion(path, text)
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        if problems := list(_twice(path, node)):
            raise InputError(*problems)
        return (None if node is None else loader.construct_document(node)), node
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        problem = f"the character U+{error.character:04X} is not allowed in YAML"
        raise InputError(Problem(path, problem, "remove it", line=line)) from None
    except yaml.MarkedYAMLError as error:
        raise InputError(_problem(path, text, error)) from None
    except ValueError as error:  # for example a date with month 13, or a number of 5,000 digits
        problem = f"a value cannot be read ({str(error).partition(';')[0]})"
        raise InputError(Problem(path, problem, "put it in quotes")) from None


def _text(path: Path) -> str:
    if not path.exists():
        raise InputError(Problem(path, "there is no such config", "check the path"))
    if path.is_file():
        with path.open("rb") as file:
            if file.read(2) == b"\x1f\x8b":  # Snakemake cannot read it
                raise InputError(Problem(path, "the config is packed with gzip", "unpack it"))
    return read_text(path, what="config", line=CONFIG_LINE)


def _lines(node: yaml.Node | None, above: Keys = ()) -> Iterator[tuple[Keys, int]]:
    children: list[tuple[str | int, yaml.Node, yaml.Node]] = []
    if isinstance(node, yaml.MappingNode):
        children = [(str(key.value), key, value) for key, value in node.value]
    elif isinstance(node, yaml.SequenceNode):
        children = [(place, item, item) for place, item in enumerate(node.value)]
    for key, start, child in children:
        yield (*above, key), start.start_mark.line + 1
        yield from _lines(child, (*above, key))


def _refuse_expansion(path: Path, text: str) -> None:
    """Refuse YAML that nests too deep, contains itself, or expands to too many values."""
    sizes: dict[str, int | None] = {}  # values below each anchor; None until it is complete
    open_nodes: list[tuple[str | None, int]] = []  # anchor, number of values before it
    count = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_nodes.pop()
            if anchor is not None:
                sizes[anchor] = count - before
        elif isinstance(event, yaml.AliasEvent):
            size = sizes.get(str(event.anchor), 0)  # an undefined one fails in the composer
            if size is None:
                what = f"the alias *{event.anchor} is inside &{event.anchor}, which contains itself"
                raise InputError(Problem(path, what, "write the value out", line=line))
            count += size
        elif isinstance(event, yaml.NodeEvent):
            count += 1
            if isinstance(event, yaml.CollectionStartEvent):
                open_nodes.append((event.anchor, count - 1))
                if event.anchor is not None:
                    sizes[event.anchor] = None
            elif event.anchor is not None:
                sizes[event.anchor] = 1
        if len(open_nodes) > DEEPEST:
            what = f"maps and lists nest more than {DEEPEST} deep"
            fix = "a config has at most ten levels, so look for an extra bracket"
            raise InputError(Problem(path, what, fix, line=line))
        if count > MOST:
            what = f"more than {MOST} values, counting the expanded aliases (*)"
            raise InputError(Problem(path, what, "replace the aliases by values", line=line))


def _twice(path: Path, node: yaml.Node | None) -> Iterator[Problem]:
    """Problems of duplicate keys, of which PyYAML would silently take the last, and of sets."""
    waiting = [node]
    visited: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in visited:
            continue
        visited.add(id(node))
        if node.tag == "tag:yaml.org,2002:set":
            fix = "write a list instead"
            yield Problem(path, "a set is not allowed", fix, line=node.start_mark.line + 1)
        if isinstance(node, yaml.SequenceNode):
            waiting += reversed(node.value)
        if not isinstance(node, yaml.MappingNode):
            continue
        lines: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            line = key.start_mark.line + 1
            if not isinstance(key, yaml.ScalarNode):
                problem = "a list or map cannot be a key"
                raise InputError(Problem(path, problem, "write a word before the colon", line=line))
            name = (key.tag, key.value)
            if name in lines:
                what = f"duplicate key '{cut(key.value)}', already in line {lines[name]}"
                yield Problem(path, what, "keep one of them", line=line)
            lines.setdefault(name, line)
        waiting += [value for _, value in reversed(node.value)]


def _problem(path: Path, text: str, error: yaml.MarkedYAMLError) -> Problem:
    """The problem behind an error of PyYAML, at the line where the user can fix it."""
    mark = error.problem_mark or error.context_mark
    problem, context = str(error.problem or error.context), str(error.context or "")
    line = mark.line + 1 if mark else 1
    opened = error.context_mark.line + 1 if error.context_mark else line
    start = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
    indent = start[: len(start) - len(start.lstrip())]
    what, fix = f"not YAML ({problem})", "correct the indent or put text in quotes"
    if "quoted scalar" in context and error.context_mark is not None:
        if "end of stream" in problem or "document separator" in problem:
            line, what, fix = opened, "the quote that opens here is never closed", "close it"
        else:
            what = f"{problem} in double quotes"
            fix = "write \\\\ for a backslash, or use single quotes"
    elif "\t" in indent or "'\\t'" in problem:
        what, fix = "a tab where YAML allows only spaces", "indent with spaces"
    elif (quoted := _long_quote(text, line)) is not None:
        what = f"the quote that opens here is closed only in line {line}"
        line, fix = quoted, "close it at the end of the text"
    elif "undefined alias" in problem:
        what, fix = problem, "define it with & before using it with *"
    elif "mapping values are not allowed" in problem:
        what = "a second ': ' in one value, or wrong indentation"
        fix = "put the text in quotes, or start a new line"
    elif "flow" in context and error.context_mark is not None:
        what, fix = f"the bracket that opens here is not closed before line {line}", "close it"
        line = opened
    return Problem(path, what, fix, line=line)


def _long_quote(text: str, line: int) -> int | None:
    """The line where a quoted text of several lines opens that closes in `line`."""
    with suppress(yaml.YAMLError):
        for token in yaml.scan(text, yaml.SafeLoader):
            start, end = int(token.start_mark.line) + 1, int(token.end_mark.line) + 1
            if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"'):
                if start < end == line:
                    return start
            elif start > line:
                break
    return None
