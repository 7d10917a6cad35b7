"""YAML from outside, checked before anything is made of it.

PyYAML takes the second of two equal keys, follows aliases however many copies they stand for, and
says where its scanner gave up rather than what is wrong. So the events are looked at first.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from pipeline.errors import InputError
from pipeline.storage.text import cut, read_text

DEEPEST = 40  # maps and lists inside each other; a config has ten
MOST = 100_000  # values, each alias counting as all it stands for
CONFIG_LINE = "key: value"


def read(path: Path) -> Any:
    """What a YAML file says, or one InputError with what is wrong."""
    text = _text(path)
    try:
        _refuse_expansion(path, text)
        node = yaml.compose(text, yaml.SafeLoader)
        told = list(_twice(path, node))
        if told:
            raise InputError("\n".join(told))
        return yaml.safe_load(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise InputError(
            f"{path}, line {line}: the character U+{error.character:04X} has no place in YAML; "
            "remove it"
        ) from None
    except yaml.MarkedYAMLError as error:
        raise InputError(_sentence(path, text, error)) from None
    except ValueError as error:  # a date with a 13th month, a number of 5,000 digits
        reason = str(error).partition(";")[0]
        raise InputError(f"{path}: a value cannot be read ({reason}); put it in quotes") from None


def _text(path: Path) -> str:
    if not path.exists():
        raise InputError(f"{path}: there is no such config; check the path after --configfile")
    if path.is_file():
        with path.open("rb") as file:
            if file.read(2) == b"\x1f\x8b":  # we could, but Snakemake reads none
                raise InputError(f"{path}: the config is packed with gzip; unpack it")
    return read_text(path, what="config", line=CONFIG_LINE)


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}, line {error.lineno}: not JSON ({error.msg}); correct it, or write YAML and "
            "call the file .yaml"
        ) from None
    except (RecursionError, ValueError):  # of digits without end
        raise InputError(
            f"{path}: nests without end, or holds a number that does; correct it"
        ) from None


def config(path: Path) -> dict[Any, Any]:
    """A config: a map at the top. Snakemake reads JSON too, whatever it is called."""
    given = _json(path) if path.suffix == ".json" else read(path)
    if not isinstance(given, dict):
        raise InputError(f"{path}: a config has keys at the top, as 'campaigns:'; begin with that")
    return given


def check(paths: Iterable[Path]) -> None:
    """Refuse configs that another reader would take in silence; all that is wrong at once."""
    told = []
    for path in paths:
        try:
            config(path)
        except InputError as error:
            told.append(str(error))
    if told:
        raise InputError("\n".join(told))


def check_command(arguments: Sequence[str]) -> None:
    """End with a sentence if a command names configs (`--configfile`) that are no good."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--configfile", "--configfiles", nargs="+", type=Path, default=[])
    try:
        check(parser.parse_known_args(arguments)[0].configfile)
    except InputError as error:
        sys.exit(f"fathom: {error}")


def _refuse_expansion(path: Path, text: str) -> None:
    """Refuse what nests too deep, contains itself, or grows without end."""
    sizes: dict[str, int | None] = {}  # of each anchor; None while it is open
    open_nodes: list[tuple[str | None, int]] = []  # anchor, values before it
    count = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.CollectionEndEvent):
            anchor, before = open_nodes.pop()
            if anchor is not None:
                sizes[anchor] = count - before
        elif isinstance(event, yaml.AliasEvent):
            size = sizes.get(str(event.anchor), 0)  # an unknown one is told when it is composed
            if size is None:
                raise InputError(
                    f"{path}, line {line}: *{event.anchor} stands inside &{event.anchor}, "
                    "so it would contain itself; write the value out"
                )
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
            raise InputError(
                f"{path}, line {line}: maps and lists nest more than {DEEPEST} deep; "
                "a config has ten levels, so look for a bracket too many"
            )
        if count > MOST:
            raise InputError(
                f"{path}, line {line}: more than {MOST} values, with what the aliases (*) stand "
                "for; write out what is meant"
            )


def _twice(path: Path, node: yaml.Node | None) -> Iterator[str]:
    """Keys that a map has twice, of which YAML would silently take the last."""
    waiting = [node]
    seen: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += reversed(node.value)
        if not isinstance(node, yaml.MappingNode):
            continue
        lines: dict[tuple[str, str], int] = {}
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise InputError(
                    f"{path}, line {key.start_mark.line + 1}: a list or map as a key; "
                    "write a word before the colon"
                )
            line = key.start_mark.line + 1
            name = (key.tag, key.value)
            if name in lines:
                yield (
                    f"{path}, line {line}: the key '{cut(key.value)}' is already in line "
                    f"{lines[name]}; keep one of them"
                )
            lines.setdefault(name, line)
        waiting += [value for _, value in reversed(node.value)]


def _sentence(path: Path, text: str, error: yaml.MarkedYAMLError) -> str:
    """What is wrong, in the place where it can be put right."""
    mark = error.problem_mark or error.context_mark
    problem = str(error.problem or error.context)
    line = mark.line + 1 if mark else 1
    context = str(error.context or "")
    if "quoted scalar" in context and error.context_mark is not None:
        opened = error.context_mark.line + 1
        if "end of stream" in problem or "document separator" in problem:
            return f"{path}, line {opened}: the quote that opens here is never closed; close it"
        return (
            f"{path}, line {line}: {problem} in double quotes; write \\\\ for a backslash, "
            "or use single quotes"
        )
    start = text.split("\n")[line - 1] if line <= text.count("\n") + 1 else ""
    if "\t" in start[: len(start) - len(start.lstrip())] or "'\\t'" in problem:
        return f"{path}, line {line}: a tab where YAML takes only spaces; put spaces in its place"
    quoted = _long_quote(text, line)
    if quoted is not None:
        return (
            f"{path}, line {quoted}: the quote that opens here is closed only in line {line}; "
            "close it where the text ends"
        )
    if "undefined alias" in problem:
        return f"{path}, line {line}: {problem}; name a value with & before it is used with *"
    if "mapping values are not allowed" in problem:
        return (
            f"{path}, line {line}: a second ': ' in one value, or a wrong indent; put the text in "
            "quotes, or start a new line"
        )
    if "flow" in context and error.context_mark is not None:
        opened = error.context_mark.line + 1
        return (
            f"{path}, line {opened}: the bracket that opens here is not closed before line {line}; "
            "close it"
        )
    return f"{path}, line {line}: not YAML ({problem}); correct the indent or put text in quotes"


def _long_quote(text: str, line: int) -> int | None:
    """The line where a quoted text opens that runs over line ends and closes in `line`."""
    try:
        for token in yaml.scan(text, yaml.SafeLoader):
            start, end = int(token.start_mark.line) + 1, int(token.end_mark.line) + 1
            if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"'):
                if start < end == line:
                    return start
            elif start > line:
                break
    except yaml.YAMLError:
        pass
    return None
