"""What a rule says its code is, against what its jobs load; and what an edited module makes again.

The first test cannot go stale: whatever the jobs of a campaign with everything in it really open
and import is recorded by Python itself and compared with what the rules declare, both ways.
"""

import random
import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline.campaign import campaigns
from pipeline.campaign.code import Graph
from tests.workflow import everything
from tests.workflow.snake import Project, outputs

HERE = Path(__file__).parent
CODE = "results/every/code"
pytestmark = pytest.mark.workflow


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Everything, made once with every job recorded."""
    project = Project.copy(tmp_path_factory.mktemp("code"))
    everything.prepare(project.folder)
    (project.folder / "record").mkdir()
    more = ("rankings/baselines.parquet", "check/index.html")
    for arguments in (
        [everything.CONFIG],
        [everything.CHANGED],
        [everything.SEARCHED, "--", *(f"results/searched/{name}" for name in more)],
        ["config/papers/review.yaml"],
    ):
        if arguments[0] == everything.CHANGED:
            shutil.copytree(project.folder / "results/every", project.folder / everything.EARLIER)
        done = project.snakemake(
            "--configfile",
            *arguments,
            env={"FATHOM_RECORD": str(project.folder / "record")},
            path=[HERE / "recorder"],
        )
        assert done.returncode == 0, done.stderr[-4000:]
    return project


@pytest.fixture(scope="module")
def graph(project: Project) -> Graph:
    return Graph(project.folder / "pipeline")


def recorded(project: Project) -> Iterator[tuple[str, Path, set[Path]]]:
    """Rule, its list of code, and the library's files it opened, for each job that ran."""
    folder, library = project.folder / "record", project.folder / "pipeline"
    opened: dict[str, set[Path]] = {}
    children: defaultdict[str, list[str]] = defaultdict(list)
    for path in folder.glob("*.opened"):
        parent, *names = path.read_text().splitlines()
        opened[path.stem] = {f for n in names for f in [source(Path(n))] if _in(f, library)}
        children[parent].append(path.stem)
    for path in folder.glob("*.rule"):
        rule, code = path.read_text().splitlines()
        mine = opened[path.stem].union(*(opened[child] for child in children[path.stem]))
        yield rule, project.folder / code, mine


def source(path: Path) -> Path:
    """The source behind a file: of a compiled one, what it was compiled from."""
    if path.suffix == ".pyc":
        return path.parent.parent / f"{path.name.split('.')[0]}.py"
    if path.suffix == ".so":
        return path.with_name(f"{path.name.split('.')[0]}.c")
    return path


def _in(path: Path, folder: Path) -> bool:
    return path.is_relative_to(folder) and path.is_file()


def declared(project: Project, code: Path) -> set[Path]:
    lines = code.read_text().splitlines()
    return {project.folder / line.split("  ", 1)[1] for line in lines}


def test_every_rule_declares_what_its_jobs_load(project: Project, graph: Graph) -> None:
    seen = set()
    of_measures = graph.measures
    for rule, code, opened in recorded(project):
        listed = declared(project, code)
        (script,) = (path for path in listed if path.parent.name == "scripts")
        seen.add(rule)
        # The registry loads every measure; what only others need cannot change this job.
        others = graph.behind(script, measures=None) - listed if registers(listed) else frozenset()
        missing = opened - listed - others
        assert not missing, f"{rule} loads what it does not declare: {missing}"
        unused = graph.behind(script, eager=True) - opened
        assert not unused, f"{rule} declares imports it never loads: {unused}"
        if rule == "evaluate":  # its own measure's modules, whatever else the registry loads
            assert opened & listed & of_measures
            assert len(listed & of_measures) < len(opened & of_measures)
    assert seen == set(scripts(project))


def registers(listed: set[Path]) -> bool:
    """Whether a step looks measures up by name."""
    return any(path.parts[-2:] == ("measures", "declaration.py") for path in listed)


def test_the_lists_are_what_the_graph_says(project: Project, graph: Graph) -> None:
    """No list is kept by hand: each follows from the script and the measures that count for it."""
    (campaign,) = campaigns(everything.config()).values()
    own = {m.slug: m.modules for m in campaign.measures}
    every = {module for modules in own.values() for module in modules}
    counts = {"audit": None}  # published figures may be of any measure
    files = list((project.folder / CODE).rglob("*.txt"))
    assert len(files) > 30
    for code in files:
        name = code.relative_to(project.folder / CODE).with_suffix("").parts[0]
        measures = own[code.stem] if code.parent.name == "evaluate" else counts.get(name, every)
        script = project.folder / "scripts" / f"{name}.py"
        assert declared(project, code) == {script, *graph.behind(script, measures=measures)}


def test_twenty_edited_modules(project: Project) -> None:
    """A comment in a module makes exactly the rules again whose code it is, and what follows."""
    folder = project.folder / CODE
    lists = {code: declared(project, code) for code in folder.rglob("*.txt")}
    modules = sorted({path for files in lists.values() for path in files if path.suffix == ".py"})
    assert planned(project) == (set(), set())
    for module in random.Random(9).sample(modules, 20):
        text = module.read_text()
        changed = {code for code, files in lists.items() if module in files}
        names = {code.relative_to(folder).parts[0].removesuffix(".txt") for code in changed}
        expected = {rule for rule, script in scripts(project).items() if script in names}
        expected -= set(scripts(project, "papers.smk"))  # of no campaign
        module.write_text(f"{text}# another comment\n")
        by_code, by_others = planned(project)
        module.write_text(text)
        where = f"{module.relative_to(project.folder)}"
        assert by_code <= expected, where  # whatever is made again for its code imports it
        assert expected <= by_code | by_others, where  # whatever imports it is made again


def scripts(project: Project, files: str = "*.smk") -> dict[str, str]:
    """The script of each rule."""
    rule = re.compile(r'^rule (\w+):.*?"\.\./scripts/(\w+)\.py"', flags=re.MULTILINE | re.DOTALL)
    every = sorted((project.folder / "rules").glob(files))
    return dict(pair for path in every for pair in rule.findall(path.read_text()))


def planned(project: Project) -> tuple[set[str], set[str]]:
    """The rules Snakemake would run: because their code changed, and only as what they need did."""
    done = project.snakemake("--dry-run", "--configfile", everything.CHANGED)
    outputs(done)
    jobs = re.findall(
        r"^(?:local)?rule (\w+):\n(.*?)(?=^\S|\Z)", done.stdout + done.stderr,
        flags=re.MULTILINE | re.DOTALL,
    )  # fmt: skip
    by_code, by_others = set(), set()
    for rule, body in jobs:
        reason = re.search(r"^    reason: (.*)$", body, flags=re.MULTILINE)
        if reason and rule != "all":
            own = f"Updated input files: {CODE}" in reason[1]
            assert own or "Input files updated by another job" in reason[1], reason[1]
            (by_code if own else by_others).add(rule)
    return by_code, by_others


def test_targets_are_planned_in_an_empty_folder_in_whatever_order(tmp_path: Path) -> None:
    """Snakemake's order hangs on Python's hashes; without the word to it, seed 4 failed."""
    project = Project.copy(tmp_path)
    targets = [f"results/demo/{name}" for name in ("topics.tsv", "config.yaml", "teams.csv")]
    for seed in range(6):
        shutil.rmtree(tmp_path / "results", ignore_errors=True)
        done = project.snakemake(
            "--dry-run", "--", *targets, env={"PYTHONHASHSEED": str(seed)}, cores=1
        )
        assert done.returncode == 0, f"seed {seed}: {done.stderr[-2000:]}"
