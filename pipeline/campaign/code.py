"""What a job's result can depend on in the code: the import graph of its script.

Snakemake notices an edited script, not an edited import. So the graph is derived from the sources,
parsed and never executed, and a list of its files with their digests is an input of the rule:

- every import counts, also inside functions (not those for type checkers only), and with a module
  the `__init__` of each package above it;
- a text that names a module or package of the library is one more import: this is how a worker is
  started, and how a registry finds what was declared (all modules of its packages);
- a text that names a file or folder beside the module is a data file: template, style, word list;
- a compiled module stands for its C source.

Measures are finer than that: all of them are in one registry, but a value depends only on the
modules of the measure it is a value of. So the registry's packages are not followed, and the
measures of the job are followed instead. So it is with papers.
"""

import ast
import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

import pipeline
from pipeline.storage.atomic import atomic

LIBRARY = "pipeline"
MEASURES = (
    "pipeline.measures.standard",
    "pipeline.measures.diversity",
    "pipeline.measures.combinations",
    "pipeline.measures.cwl.models",
    "pipeline.measures.delegated",
)
PAPERS = ("pipeline.papers.reruns",)


class Graph:
    """The import graph of the library in one folder, read as needed and kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder  # of the package
        self._edges: dict[tuple[Path, bool], frozenset[Path]] = {}
        self._digests: dict[Path, str] = {}
        self._names: dict[Path, frozenset[str]] = {}
        self._modules: dict[tuple[str, bool], tuple[Path, ...]] = {}

    def behind(
        self, script: Path, *, measures: Iterable[str] | None = (), eager: bool = False
    ) -> frozenset[Path]:
        """The files of the library that a script's result can depend on.

        `measures` are the modules of the measures it computes; None is all there are. `eager`
        is only what is loaded whenever the script runs: the imports outside functions.
        """
        own = self.measures if measures is None else self.files(measures)
        found: set[Path] = set()
        waiting = [script]
        while waiting:
            path = waiting.pop()
            for then in self.edges(path, eager=eager) - found:
                # A measure is followed if it is the job's own, or another one uses its functions.
                foreign = then in self.measures and then not in own
                if not foreign or path in self.measures:
                    found.add(then)
                    waiting.append(then)
        return frozenset(found)

    def manifest(
        self,
        script: Path,
        *,
        measures: Iterable[str] | None,
        out: Path,
        own: Iterable[str] = (),
    ) -> None:
        """Write what a script depends on, a line a file: its digest and its place.

        `own` are files outside the library that declare measures the script computes.

        The manifest is an input of the rule. It is written only when it changes, so both its
        content and its time say when the code did, also where Snakemake's own notes are gone.
        """
        behind = sorted(self.behind(script, measures=measures))
        lines = [f"{self._digest(script)}  scripts/{script.name}"]
        lines += [
            f"{self._digest(path)}  {path.relative_to(self.folder.parent)}" for path in behind
        ]
        if self.folder / "measures" / "own.py" in behind:  # it loads them
            lines += [f"{self._digest(Path(path))}  {path}" for path in own]
        text = "".join(f"{line}\n" for line in lines)
        if not out.is_file() or out.read_text(encoding="utf-8") != text:
            with atomic(out) as draft:
                draft.write_text(text, encoding="utf-8", newline="\n")

    def files(self, modules: Iterable[str]) -> frozenset[Path]:
        """The files of modules by name; those outside the library have none here."""
        return frozenset(path for name in modules for path in self._named(name, whole=True))

    def edges(self, path: Path, *, eager: bool = False) -> frozenset[Path]:
        """The files a source file depends on at first hand."""
        key = (path, eager)
        if key not in self._edges:
            self._edges[key] = frozenset(self._found(path, eager=eager)) - {path}
        return self._edges[key]

    @cached_property
    def measures(self) -> frozenset[Path]:
        """The files that belong to single measures, and to single papers."""
        every = (path for name in MEASURES + PAPERS for path in self._named(name, whole=True))
        return frozenset(path for path in every if path.name != "__init__.py")

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            self._digests[path] = hashlib.sha256(path.read_bytes()).hexdigest()
        return self._digests[path]

    def _found(self, path: Path, *, eager: bool) -> Iterator[Path]:
        if path.suffix != ".py":
            return
        tree = ast.parse(path.read_bytes())
        for node in _nodes(tree, eager=eager):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield from self._named(alias.name)
            elif isinstance(node, ast.ImportFrom):
                base = self._base(path, node)
                yield from self._named(base)
                for alias in node.names:
                    yield from self._named(f"{base}.{alias.name}")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and not eager:
                yield from self._named(node.value, whole=True)
                yield from self._data(path, node.value)

    def _base(self, path: Path, node: ast.ImportFrom) -> str:
        """The module an import is from, also where it is relative."""
        if not node.level:
            return node.module or ""
        parts = path.relative_to(self.folder.parent).parts[: -node.level]
        return ".".join([*parts, *([node.module] if node.module else [])])

    def _named(self, name: str, *, whole: bool = False) -> tuple[Path, ...]:
        """The files behind a module's name; of a package all its modules, if it is meant whole."""
        if not name.startswith(LIBRARY):  # as most texts and many imports
            return ()
        key = (name, whole)
        if key not in self._modules:  # many modules import the same ones
            self._modules[key] = tuple(self._sought(name, whole=whole))
        return self._modules[key]

    def _sought(self, name: str, *, whole: bool) -> Iterator[Path]:
        first, *rest = name.split(".")
        if first != LIBRARY or not all(part.isidentifier() for part in rest):
            return
        at, above = self.folder, [self.folder / "__init__.py"]
        for part in rest:
            at = at / part
            above.append(at / "__init__.py")
        if not rest or (at / "__init__.py").is_file():
            yield from above
            if whole and rest:
                yield from sorted(at.glob("*.py"))
            return
        for suffix in (".py", ".c"):
            if at.with_suffix(suffix).is_file():
                yield from above[:-1]
                yield at.with_suffix(suffix)
                return

    def _data(self, path: Path, text: str) -> Iterator[Path]:
        """The data files that a text in a module names, beside the module."""
        if text.split("/")[0] not in self._beside(path.parent):
            return
        named = path.parent / text
        if named.is_file() and named.suffix not in (".py", ".pyc"):
            yield named
        elif named.is_dir() and not (named / "__init__.py").is_file():
            every = (p for p in sorted(named.rglob("*")) if p.is_file())
            yield from (p for p in every if "__pycache__" not in p.parts)

    def _beside(self, folder: Path) -> frozenset[str]:
        """The names in a folder of the library: most texts in a module are none of them."""
        if folder not in self._names:
            inside = folder.is_relative_to(self.folder)
            names = (path.name for path in folder.iterdir()) if inside else ()
            self._names[folder] = frozenset(names)
        return self._names[folder]


def _nodes(tree: ast.AST, *, eager: bool) -> Iterator[ast.AST]:
    """All nodes that matter: not docstrings, not what only a type checker reads."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting += [child for child in node.orelse if not _docstring(child)]
            continue
        if eager and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        # As ast.iter_child_nodes, without names and operators, which are most and hold nothing.
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                waiting += [
                    child
                    for child in value
                    if isinstance(child, ast.AST) and child._fields and not _docstring(child)
                ]
            elif isinstance(value, ast.AST) and value._fields and not isinstance(value, ast.Name):
                waiting.append(value)


def _docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def lend(folder: Path) -> None:
    """Let processes started from here import the library from a folder, before any other."""
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(folder), *others]))


def library() -> Graph:
    """The graph of the library that is running."""
    return Graph(Path(pipeline.__file__).parent)
