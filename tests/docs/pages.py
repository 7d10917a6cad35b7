"""The pages of the site and the blocks in them, run as a reader would.

In a page, from top to bottom and in one folder of its own:

- `console`: lines after `$ ` are commands of the shell; what follows is what they print;
- `python`: run in one namespace; a `text` block right behind it is what it prints. A block
  with a peer that is not installed is left out, unless `CI=true`;
- any block with a title (`yaml title="mine.yaml"`) is a file with that name;
- `sh`: shown, not run (a cluster, a package index); its commands of ours must parse.

Where output is long, `...` stands for any of it, as in doctests. Without any lines behind it a
command must only end well.
"""

import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pipeline.measures import REGISTRY
from pipeline.measures.cwl.declare import FIGURES, MODELS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
PEERS = {"ranx", "trectools"}  # `make peers` installs them


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    kind: str
    title: str
    text: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2] or "", found[3], text.count("\n", 0, found.start()) + 1)
        for found in BLOCK.finditer(text)
    ]


def run(page: Path, folder: Path) -> int:
    """Run a page in a folder; how many things were run. What it declares is forgotten after."""
    registries = (REGISTRY, MODELS, *FIGURES.values())
    before = [set(registry) for registry in registries]
    try:
        return _run(page, folder)
    finally:
        for registry, names in zip(registries, before, strict=True):
            for name in set(registry) - names:
                registry.remove(name)


def _run(page: Path, folder: Path) -> int:
    names: dict[str, object] = {"__name__": "__main__"}
    found = blocks(page)
    done = 0
    for place, block in enumerate(found):
        where = f"{page.relative_to(ROOT)}, line {block.line}"
        if block.title:
            (folder / block.title).write_text(block.text, encoding="utf-8")
        elif block.kind == "console":
            for command, wanted in commands(block.text):
                printed = shell(command, folder, where)
                same(printed, wanted, f"{where}: {command}")
                done += 1
        elif block.kind == "python":
            if lacking(block.text):
                continue
            printed = python(block.text, names, folder, where)
            behind = found[place + 1] if place + 1 < len(found) else None
            if behind is not None and behind.kind == "text":
                same(printed, behind.text, where)
            done += 1
    return done


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command and what it is to print."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.split("\n")
        command = lines.pop(0)
        while command.endswith("\\"):
            command = command[:-1] + lines.pop(0).strip()
        yield command, "\n".join(lines)


def lacking(text: str) -> bool:
    """Whether a block needs a peer that is not installed; where CI runs, all of them are."""
    named = [peer for peer in PEERS if re.search(rf"\b{peer}\.|import {peer}\b", text)]
    return os.environ.get("CI") != "true" and not all(map(find_spec, named))


def shell(command: str, folder: Path, where: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "100"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{where}: {command}\n{done.stdout[-3000:]}"
    return done.stdout


def python(text: str, names: dict[str, object], folder: Path, where: str) -> str:
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        exec(compile(text, where, "exec"), names)
    return out.getvalue()


def same(printed: str, wanted: str, where: str) -> None:
    if wanted.strip() and not doctest.OutputChecker().check_output(wanted, printed, FLAGS):
        raise AssertionError(f"{where} prints\n{printed}\nbut the page says\n{wanted}")


def rewritten(page: Path, folder: Path) -> str:
    """The page with what its blocks print now in place of what it says, where that differs."""
    text = page.read_text(encoding="utf-8")
    names: dict[str, object] = {"__name__": "__main__"}
    pieces, at, printed = [], 0, None
    for found in BLOCK.finditer(text):
        kind, title, body = found[1], found[2], found[3]
        new = body
        if title:
            (folder / title).write_text(body, encoding="utf-8")
        elif kind == "console":
            new = "".join(
                f"$ {command}\n{_kept(shell(command, folder, str(page)), wanted)}"
                for command, wanted in commands(body)
            )
        elif kind == "python":
            printed = python(body, names, folder, str(page))
        elif kind == "text" and printed is not None:
            new = _kept(printed, body)
        if kind != "python":
            printed = None
        pieces += [text[at : found.start(3)], new]
        at = found.end(3)
    return "".join([*pieces, text[at:]])


def _kept(printed: str, wanted: str) -> str:
    fits = wanted.strip() and doctest.OutputChecker().check_output(wanted, printed, FLAGS)
    lines = (wanted if fits else printed).rstrip("\n")
    return f"{lines}\n" if lines else ""


if __name__ == "__main__":  # python -m tests.docs.pages docs/start.md: bring a page up to date
    import tempfile

    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as place:
            new = rewritten(Path(name).resolve(), Path(place))
        Path(name).write_text(new, encoding="utf-8")
