"""What a job's result can depend on in the code: the import graph of its script.

Snakemake notices an edited script, not an edited import. So the graph is derived from the sources,
parsed and never executed, and a digest of its files is a parameter of the rule:

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
from functools import cache, cached_property
from importlib.util import resolve_name
from pathlib import Path

import pipeline
from pipeline.storage.records import key_of

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

    def __init__(self, folder: Path = Path(pipeline.__file__).parent) -> None:
        self.folder = folder  # of the package
        # Many scripts need the same files: each is parsed and read once.
        self._edges = cache(lambda path: frozenset(self._mentioned(path)) - {path})
        self._digest = cache(lambda path: hashlib.sha256(path.read_bytes()).hexdigest())
        self._named = cache(self._find_named)
        self._beside = cache(self._find_beside)

    def behind(self, script: Path, *, measures: Iterable[str] | None = ()) -> frozenset[Path]:
        """The files of the library that a script's result can depend on.

        `measures` are the modules of the measures it computes; None is all there are.
        """
        own = self.measures if measures is None else self.files(measures)
        found: set[Path] = set()
        waiting = [script]
        while waiting:
            path = waiting.pop()
            for then in self._edges(path) - found:
                # A measure is followed if it is the job's own, or another one uses its functions.
                foreign = then in self.measures and then not in own
                if not foreign or path in self.measures:
                    found.add(then)
                    waiting.append(then)
        return frozenset(found)

    def digest(
        self, script: Path, *, measures: Iterable[str] | None, own: Iterable[str] = ()
    ) -> str:
        """One digest of all a script's result depends on in the code.

        `own` are files outside the library that declare measures the script computes.
        """
        behind = sorted(self.behind(script, measures=measures))
        files = [(f"scripts/{script.name}", script)]
        files += [(str(path.relative_to(self.folder.parent)), path) for path in behind]
        if self.folder / "measures" / "own.py" in behind:  # it loads them
            files += [(path, Path(path)) for path in own]
        return key_of([(name, self._digest(path)) for name, path in files])

    def files(self, modules: Iterable[str]) -> frozenset[Path]:
        """The files of modules by name; those outside the library have none here."""
        return frozenset(path for name in modules for path in self._named(name, True))

    @cached_property
    def measures(self) -> frozenset[Path]:
        """The files that belong to single measures, and to single papers."""
        every = (path for name in MEASURES + PAPERS for path in self._named(name, True))
        return frozenset(path for path in every if path.name != "__init__.py")

    def _mentioned(self, path: Path) -> Iterator[Path]:
        """The files that a source file names itself."""
        package = ".".join(path.parent.parts[len(self.folder.parent.parts) :])
        for node in self.nodes(path.read_bytes()) if path.suffix == ".py" else ():
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield from self._named(alias.name)
            elif isinstance(node, ast.ImportFrom):
                base = resolve_name("." * node.level + (node.module or ""), package)
                yield from self._named(base)
                for alias in node.names:
                    yield from self._named(f"{base}.{alias.name}")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from self._named(node.value, True)
                yield from self._data(path, node.value)

    def _find_named(self, name: str, whole: bool = False) -> tuple[Path, ...]:
        """The files behind a module's name; of a package all its modules, if it is meant whole."""
        first, *rest = name.split(".")
        if first != LIBRARY or not all(part.isidentifier() for part in rest):
            return ()
        folders = [self.folder.joinpath(*rest[:depth]) for depth in range(len(rest) + 1)]
        above, at = [folder / "__init__.py" for folder in folders], folders[-1]
        if not rest or above[-1].is_file():
            return (*above, *(sorted(at.glob("*.py")) if whole and rest else ()))
        source = next((p for p in map(at.with_suffix, (".py", ".c")) if p.is_file()), None)
        return (*above[:-1], source) if source else ()

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

    def _find_beside(self, folder: Path) -> frozenset[str]:
        """The names in a folder of the library: most texts in a module are none of them."""
        inside = folder.is_relative_to(self.folder)
        return frozenset(path.name for path in folder.iterdir()) if inside else frozenset()

    def nodes(self, source: bytes) -> Iterator[ast.AST]:
        """All nodes that matter: not docstrings, not what only a type checker reads."""
        waiting: list[ast.AST] = [ast.parse(source)]
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            yield node
            children: Iterable[ast.AST] = ast.iter_child_nodes(node)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                children = node.orelse
            # Names and operators are most, and hold nothing.
            waiting += [child for child in children if child._fields]


def lend(folder: Path) -> None:
    """Let processes started from here import the library from a folder, before any other."""
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(folder), *others]))
