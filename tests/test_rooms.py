"""The rooms of the library: imports go one way, nobody reaches into another's private parts.

The import statements are read here with `ast` and nothing else of the project, so that this and
`pipeline.workflow.code` check each other.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
# The way of the data: a room may import from those before it, never from one behind it.
ORDER = (
    "errors", "registry", "config", "storage", "sources", "labels", "runs", "pages", "gains",
    "measures", "statistics", "pooling", "judging", "people", "audit", "intake", "results",
    "report", "changes", "papers", "campaign", "workflow", "api", "command",
)  # fmt: skip
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted((ROOT / "pipeline").rglob("*.py"))
}


def imports(name: str) -> Iterator[tuple[str, str]]:
    """Module and, where one is named, what is imported from it; inside functions, too."""
    for node in ast.walk(ast.parse(MODULES[name].read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: a relative import; write it from 'pipeline' on"
            yield from ((str(node.module), alias.name) for alias in node.names)


GRAPH = {
    name: {
        f"{module}.{thing}" if f"{module}.{thing}" in MODULES else module
        for module, thing in imports(name)
        if module.split(".")[0] == "pipeline"
    }
    for name in MODULES
}


def room(name: str) -> str:
    return name.split(".")[1] if "." in name else ""


def test_every_room_has_its_place() -> None:
    assert {room(name) for name in MODULES} - {""} <= set(ORDER)


def test_imports_go_one_way() -> None:
    upward = [
        f"{name} imports {other}"
        for name, others in GRAPH.items()
        for other in others
        if room(name) and room(other) and ORDER.index(room(other)) > ORDER.index(room(name))
    ]
    assert upward == []


def test_no_cycle() -> None:
    try:
        list(TopologicalSorter(GRAPH).static_order())
    except CycleError as error:
        pytest.fail(f"these modules import each other: {error.args[1]}")


def test_nobody_imports_private_parts() -> None:
    """What starts with an underscore is its module's own; a compiled module is its room's."""
    taken = [
        f"{name} takes {module}.{thing}"
        for name in MODULES
        for module, thing in imports(name)
        if module.split(".")[0] == "pipeline" and thing.startswith("_")
        if (ROOT / module.replace(".", "/") / f"{thing}.c").is_file() is False
        or room(name) != room(module)
    ]
    assert taken == []


def test_a_room_of_the_rules_for_each_room_with_steps() -> None:
    rules = {path.stem for path in (ROOT / "rules").glob("*.smk")} - {"common"}
    assert rules <= set(ORDER)
    included = [
        line.split("/")[1].removesuffix('.smk"')
        for line in (ROOT / "Snakefile").read_text().splitlines()
        if line.startswith("include:")
    ]
    assert included == ["common", *sorted(rules, key=ORDER.index)]


def test_tests_mirror_the_rooms() -> None:
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir()}
    rooms = {path.name for path in (ROOT / "pipeline").iterdir() if path.is_dir()}
    assert rooms - {"__pycache__"} <= folders


def test_the_graph_is_read_at_all() -> None:
    """These checks see what is there: a known edge of each kind."""
    assert "pipeline.errors" in GRAPH["pipeline.runs.rankings"]
    assert "pipeline.storage.atomic" in GRAPH["pipeline.gains.step"]
    counts = defaultdict(int)
    for name in MODULES:
        counts[room(name)] += 1
    assert counts["measures"] > 30
