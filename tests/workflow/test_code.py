"""What a rule says its code is, against what its jobs load; and what an edited module makes again.

The first test cannot go stale: whatever the jobs of a campaign with everything in it really open
and import is recorded by Python itself and compared with what the rules declare, both ways.
"""

import ast
import random
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.campaign import campaigns
from pipeline.papers.paper import PAPERS
from pipeline.workflow.code import MEASURES, Graph
from tests.workflow import everything
from tests.workflow.snake import Project

pytestmark = pytest.mark.workflow


class Eager(Graph):
    """Only what is loaded whenever a script runs: imports outside functions."""

    def nodes(self, source: bytes) -> Iterator[ast.AST]:
        functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        every = list(super().nodes(source))
        inside = {n for one in every if isinstance(one, functions) for n in ast.walk(one)}
        return (n for n in every if n not in inside and not isinstance(n, ast.Constant))


@pytest.fixture(scope="module")
def graph(all_rules: Project) -> Graph:
    return Graph(all_rules.folder / "pipeline")


def recorded(project: Project) -> Iterator[tuple[str, str, set[Path]]]:
    """Rule, its measure if it has one, and the library's files it opened, for each job that ran."""
    folder, library = project.folder / "record", project.folder / "pipeline"
    opened: dict[str, set[Path]] = {}
    children: defaultdict[str, list[str]] = defaultdict(list)
    for path in folder.glob("*.opened"):
        parent, *names = path.read_text().splitlines()
        opened[path.stem] = {f for n in names for f in [source(Path(n))] if _in(f, library)}
        children[parent].append(path.stem)
    for path in folder.glob("*.rule"):
        rule, measure = path.read_text().split("\n")[:2]
        mine = opened[path.stem].union(*(opened[child] for child in children[path.stem]))
        yield rule, measure, mine


def source(path: Path) -> Path:
    """The source behind a file: of a compiled one, what it was compiled from."""
    if path.suffix == ".pyc":
        return path.parent.parent / f"{path.name.split('.')[0]}.py"
    if path.suffix == ".so":
        return path.with_name(f"{path.name.split('.')[0]}.c")
    return path


def _in(path: Path, folder: Path) -> bool:
    return path.is_relative_to(folder) and path.is_file()


def declared(project: Project, graph: Graph, rule: str, measure: str = "") -> set[Path]:
    """The files whose digest is in a rule's key."""
    (campaign,) = campaigns(everything.config()).values()
    modules = {m.slug: list(m.modules) for m in campaign.measures}
    every = [module for one in modules.values() for module in one]
    counts: dict[str, Any] = {"audit": None, "evaluate": modules.get(measure)}
    if rule == "paper":
        counts["paper"] = [*MEASURES, PAPERS["review"].module]
    script = project.folder / "scripts" / f"{scripts(project)[rule]}.py"
    return {script, *graph.behind(script, measures=counts.get(rule, every))}


def test_every_rule_declares_what_its_jobs_load(all_rules: Project, graph: Graph) -> None:
    project = all_rules
    seen = set()
    of_measures = graph.measures
    always = Eager(graph.folder)
    for rule, measure, opened in recorded(project):
        listed = declared(project, graph, rule, measure)
        (script,) = (path for path in listed if path.parent.name == "scripts")
        seen.add(rule)
        # The registry loads every measure; what only others need cannot change this job.
        others = graph.behind(script, measures=None) - listed if registers(listed) else frozenset()
        missing = opened - listed - others
        assert not missing, f"{rule} loads what it does not declare: {missing}"
        unused = always.behind(script) - opened
        assert not unused, f"{rule} declares imports it never loads: {unused}"
        if rule == "evaluate":  # its own measure's modules, whatever else the registry loads
            assert opened & listed & of_measures
            assert len(listed & of_measures) < len(opened & of_measures)
    assert seen == set(scripts(project))


def registers(listed: set[Path]) -> bool:
    """Whether a step looks measures up by name."""
    return any(path.parts[-2:] == ("measures", "declaration.py") for path in listed)


def test_ten_edited_modules(all_rules: Project, tmp_path: Path) -> None:
    """A comment in a module reruns the rules whose code it is, and what follows."""
    project = all_rules.twin(tmp_path / "twin")
    graph = Graph(project.folder / "pipeline")
    (campaign,) = campaigns(everything.config()).values()
    rules = set(scripts(project)) - {"available", "paper", "baselines", "inspect", "fetch"}
    lists = {rule: declared(project, graph, rule) for rule in rules - {"evaluate"}}
    slugs = [measure.slug for measure in campaign.measures]
    lists |= {f"evaluate/{slug}": declared(project, graph, "evaluate", slug) for slug in slugs}
    modules = sorted({path for files in lists.values() for path in files if path.suffix == ".py"})
    assert project.stale(everything.CHANGED) == set()
    for module in random.Random(9).sample(modules, 10):
        text = module.read_text()
        expected = {rule for rule, files in lists.items() if module in files}
        module.write_text(f"{text}# another comment\n")
        planned = {
            name.replace("cleanse/0", "cleanse") for name in project.stale(everything.CHANGED)
        }
        module.write_text(text)
        assert expected <= planned, module
        assert planned, module


def scripts(project: Project, files: str = "*.smk") -> dict[str, str]:
    """The script of each rule."""
    rule = re.compile(
        r'^(?:rule|checkpoint) (\w+):.*?"\.\./scripts/(\w+)\.py"', flags=re.MULTILINE | re.DOTALL
    )
    every = sorted((project.folder / "rules").glob(files))
    return dict(pair for path in every for pair in rule.findall(path.read_text()))


def test_targets_are_planned_in_an_empty_folder_in_whatever_order(tmp_path: Path) -> None:
    """Snakemake's order hangs on Python's hashes."""
    project = Project.copy(tmp_path)
    targets = [f"results/demo/{name}" for name in ("topics.tsv", "labels", "teams.csv")]
    for seed in range(3):
        shutil.rmtree(tmp_path / "results", ignore_errors=True)
        done = project.snakemake(
            "--dry-run", "--", *targets, env={"PYTHONHASHSEED": str(seed)}, cores=1
        )
        assert done.returncode == 0, f"seed {seed}: {done.stderr[-2000:]}"
