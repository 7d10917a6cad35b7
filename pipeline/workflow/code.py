"""The code that a job's result can depend on: the import graph of its script.

Snakemake detects an edited script, but not an edited import. So the sources are parsed, without
executing them, and a digest of all files in the graph is a parameter of the rule:

- All imports count, including those inside functions, but not those under TYPE_CHECKING; a module
  includes the `__init__` of its parent packages. A compiled module is represented by its C source.
- A string with the name of a module of the library counts as an import, that of a package as an
  import of all its modules: workers are started by name, and registries name packages.
- A string with the name of a file or folder beside the module is a data file, such as a template.

The packages of measures and papers are not followed, because the result of a job depends only on
its own measures or paper. The modules of these are added.
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
    """The import graph of the library in a folder, parsed on demand and cached."""

    def __init__(self, folder: Path = Path(pipeline.__file__).parent) -> None:
        self.folder = folder  # of the package
        # Scripts share most files; each file is parsed and read once.
        self._edges = cache(lambda path: frozenset(self._mentioned(path)) - {path})
        self._digest = cache(lambda path: hashlib.sha256(path.read_bytes()).hexdigest())
        self._files_of = cache(self._find_files)
        self._beside = cache(self._find_beside)

    def behind(self, script: Path, *, measures: Iterable[str] | None = ()) -> frozenset[Path]:
        """The files of the library that a script's result can depend on.

        `measures` are the modules of its measures; None is all measures.
        """
        measured = self.measures if measures is None else self.files(measures)
        files: set[Path] = set()
        pending = [script]
        while pending:
            path = pending.pop()
            for target in self._edges(path) - files:
                # A measure counts if the job computes it, or if another measure uses it.
                foreign = target in self.measures and target not in measured
                if not foreign or path in self.measures:
                    files.add(target)
                    pending.append(target)
        return frozenset(files)

    def digest(
        self, script: Path, *, measures: Iterable[str] | None, own: Iterable[str] = ()
    ) -> str:
        """The digest of the code that a script's result depends on.

        `own` are files outside the library that declare measures of the job.
        """
        behind = sorted(self.behind(script, measures=measures))
        files = [(f"scripts/{script.name}", script)]
        files += [(str(path.relative_to(self.folder.parent)), path) for path in behind]
        if self.folder / "measures" / "own.py" in behind:  # the script loads them
            files += [(path, Path(path)) for path in own]
        return key_of([(name, self._digest(path)) for name, path in files])

    def files(self, modules: Iterable[str]) -> frozenset[Path]:
        """The files of modules by name; modules outside the library have none."""
        return frozenset(path for name in modules for path in self._files_of(name, True))

    @cached_property
    def measures(self) -> frozenset[Path]:
        files = (path for name in MEASURES + PAPERS for path in self._files_of(name, True))
        return frozenset(path for path in files if path.name != "__init__.py")

    def _mentioned(self, path: Path) -> Iterator[Path]:
        package = ".".join(path.parent.parts[len(self.folder.parent.parts) :])
        for node in self.nodes(path.read_bytes()) if path.suffix == ".py" else ():
            if isinstance(node, ast.Import):
                for alias in node.names:
                    yield from self._files_of(alias.name)
            elif isinstance(node, ast.ImportFrom):
                base = resolve_name("." * node.level + (node.module or ""), package)
                yield from self._files_of(base)
                for alias in node.names:
                    yield from self._files_of(f"{base}.{alias.name}")
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from self._files_of(node.value, True)
                yield from self._data(path, node.value)

    def _find_files(self, name: str, all_modules: bool = False) -> tuple[Path, ...]:
        """The files of a module by name; of a package, optionally all its modules."""
        first, *rest = name.split(".")
        if first != LIBRARY or not all(part.isidentifier() for part in rest):
            return ()
        folders = [self.folder.joinpath(*rest[:depth]) for depth in range(len(rest) + 1)]
        above, last = [folder / "__init__.py" for folder in folders], folders[-1]
        if not rest or above[-1].is_file():
            return (*above, *(sorted(last.glob("*.py")) if all_modules and rest else ()))
        source = next((p for p in map(last.with_suffix, (".py", ".c")) if p.is_file()), None)
        return (*above[:-1], source) if source else ()

    def _data(self, path: Path, text: str) -> Iterator[Path]:
        """Yield the data files beside a module that a string in it names."""
        if text.split("/")[0] not in self._beside(path.parent):
            return
        target = path.parent / text
        if target.is_file() and target.suffix not in (".py", ".pyc"):
            yield target
        elif target.is_dir() and not (target / "__init__.py").is_file():
            files = (p for p in sorted(target.rglob("*")) if p.is_file())
            yield from (p for p in files if "__pycache__" not in p.parts)

    def _find_beside(self, folder: Path) -> frozenset[str]:
        """The file names in a folder of the library, to exclude most strings fast."""
        inside = folder.is_relative_to(self.folder)
        return frozenset(path.name for path in folder.iterdir()) if inside else frozenset()

    def nodes(self, source: bytes) -> Iterator[ast.AST]:
        """Yield all nodes but docstrings and code under TYPE_CHECKING."""
        pending: list[ast.AST] = [ast.parse(source)]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue
            yield node
            children: Iterable[ast.AST] = ast.iter_child_nodes(node)
            if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
                children = node.orelse
            # Most nodes are names and operators, which have no children.
            pending += [child for child in children if child._fields]


def lend(folder: Path) -> None:
    """Let child processes import the library from a folder before any other."""
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(folder), *paths]))
