"""The import graph behind a script: a small library in a folder, and each kind of dependence."""

import os
from pathlib import Path

import pytest

from pipeline.workflow.code import Graph, lend

FILES = {
    "__init__.py": "",
    "a/__init__.py": "'''Docstrings name nothing: pipeline.b.'''",
    "a/one.py": "from pipeline.a import two",
    "a/two.py": "def late():\n    import pipeline.b.three\n",
    "b/__init__.py": "from pipeline.b.four import x",
    "b/three.py": "",
    "b/four.py": "x = 1",
    "b/unused.py": "import pipeline.a.one",
    "c/__init__.py": "",
    "c/reads.py": "PAGE = 'words.txt'\nFOLDER = 'templates'\nNOT = 'absent.txt'\nLONG = 'x\\ny'",
    "c/words.txt": "some",
    "c/templates/page.html": "<p>",
    "c/templates/deep/part.html": "<p>",
    "c/starts.py": "RUN = ['-m', 'pipeline.c.worker']",
    "c/worker.py": "from pipeline.c import fast",
    "c/fast.c": "int x;",
    "c/typed.py": "if TYPE_CHECKING:\n    import pipeline.b.three",
    "c/relative.py": "from . import reads\nfrom ..b.three import y",
    "plugins/__init__.py": "",
    "plugins/p.py": "",
    "plugins/q.py": "",
    "known.py": "from pipeline.registry import Registry\nR = Registry('kind', 'pipeline.plugins')",
    "registry.py": "",
    "measures/__init__.py": "from pipeline.measures.declaration import R",
    "measures/declaration.py": "R = ['pipeline.measures.standard']",
    "measures/standard/__init__.py": "",
    "measures/standard/ap.py": "from pipeline.measures.standard.helper import h",
    "measures/standard/helper.py": "",
    "measures/standard/rr.py": "import pipeline.b.three",
}


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    for name, text in FILES.items():
        path = tmp_path / "pipeline" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Graph(tmp_path / "pipeline")


def behind(graph: Graph, code: str, **how: object) -> set[str]:
    script = graph.folder.parent / "script.py"
    script.write_text(code)
    found = Graph(graph.folder).behind(script, **how)  # type: ignore[arg-type]
    return {str(path.relative_to(graph.folder)) for path in found}


TOP = {"__init__.py"}
A = TOP | {"a/__init__.py"}
B = TOP | {"b/__init__.py", "b/four.py"}
C = TOP | {"c/__init__.py"}
TEMPLATES = ("templates/page.html", "templates/deep/part.html")
PLUGINS = ("plugins/__init__.py", "plugins/p.py", "plugins/q.py")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", set()),
        ("import json", set()),
        ("import pipeline", TOP),
        ("import pipeline.b", B),
        ("from pipeline.b.three import anything", B | {"b/three.py"}),
        ("from pipeline.a.one import x", A | B | {"a/one.py", "a/two.py", "b/three.py"}),
        ("def f():\n    from pipeline.b import three", B | {"b/three.py"}),
        (
            "from pipeline.c.reads import x",
            C | {f"c/{name}" for name in ("reads.py", "words.txt", *TEMPLATES)},
        ),
        ("import pipeline.c.starts", C | {"c/starts.py", "c/worker.py", "c/fast.c"}),
        ("import pipeline.c.typed", C | {"c/typed.py"}),
        (
            "import pipeline.known",
            TOP | {"known.py", "registry.py", *PLUGINS},
        ),
        ("'''pipeline.b.three'''", set()),
        ("import pipelines.b", set()),
        ("import pipeline.nothing", set()),
    ],
)  # fmt: skip
def test_what_counts(graph: Graph, code: str, expected: set[str]) -> None:
    assert behind(graph, code) == expected


def test_relative_imports(graph: Graph) -> None:
    found = behind(graph, "import pipeline.c.relative")
    assert {"c/reads.py", "c/words.txt", "b/three.py"} <= found


MEASURED = TOP | {
    "measures/__init__.py", "measures/declaration.py", "measures/standard/__init__.py",
}  # fmt: skip
AP = {"measures/standard/ap.py", "measures/standard/helper.py"}
RR = {"measures/standard/rr.py", "b/__init__.py", "b/four.py", "b/three.py"}


def test_measures_count_by_those_of_the_job(graph: Graph) -> None:
    code = "import pipeline.measures"
    assert behind(graph, code) == MEASURED
    assert behind(graph, code, measures=["pipeline.measures.standard.ap"]) == MEASURED | AP
    assert behind(graph, code, measures=["pipeline.measures.standard.rr"]) == MEASURED | RR
    assert behind(graph, code, measures=None) == MEASURED | AP | RR
    assert behind(graph, code, measures=["my_own_measures"]) == MEASURED  # elsewhere
    # A script that looks no measure up depends on none, whatever the campaign computes.
    assert behind(graph, "import pipeline.b", measures=["pipeline.measures.standard.ap"]) == B


def test_the_digest_changes_with_any_file_behind_a_script(graph: Graph, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text("import pipeline.b")
    before = graph.digest(script, measures=())
    assert Graph(graph.folder).digest(script, measures=()) == before
    (graph.folder / "b/unused.py").write_text("x = 2")
    assert Graph(graph.folder).digest(script, measures=()) == before
    for name in ("__init__.py", "b/__init__.py", "b/four.py", "../script.py"):
        edited = graph.folder / name
        text = edited.read_text()
        edited.write_text(f"{text}\n# edited")
        assert Graph(graph.folder).digest(script, measures=()) != before
        edited.write_text(text)


def test_jobs_find_the_library_here_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["x", "y"]))
    lend(Path("here"))
    lend(Path("here"))
    assert os.environ["PYTHONPATH"] == os.pathsep.join(["here", "x", "y"])
