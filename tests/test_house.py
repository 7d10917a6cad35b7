"""The house itself: one source of dependencies, no traces of a machine, docs that stay true."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]


def project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def wanted() -> set[str]:
    """All but the plugin for Slurm: an installed executor makes every start of Snakemake slower."""
    given = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = given["optional-dependencies"]
    some = {name: group for name, group in extras.items() if name != "slurm"}
    return {*given["dependencies"], *(d for group in some.values() for d in group)}


def name_of(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def test_conda_users_get_the_same_set() -> None:
    listed = yaml.safe_load((ROOT / "environment.yml").read_text())["dependencies"]
    conda = {entry for entry in listed if isinstance(entry, str)}
    pip = {entry for group in listed if isinstance(group, dict) for entry in group["pip"]}
    assert conda & {"pip", "c-compiler", "make", f"python{project()['requires-python']}"} == {
        "pip", "c-compiler", "make", "python>=3.11",
    }  # fmt: skip
    assert (conda | pip) - {"pip", "c-compiler", "make", "python>=3.11"} == wanted()


def test_the_lock_pins_everything_and_names_no_address() -> None:
    text = (ROOT / "requirements.lock").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[^\s]+", line) for line in lines)
    pinned = {name_of(line) for line in lines}
    assert {name_of(requirement) for requirement in wanted()} <= pinned


def test_every_rule_has_a_key_and_keeps_a_log() -> None:
    for path in (ROOT / "rules").glob("*.smk"):
        for rule in re.split(r"^(?:rule|checkpoint) ", path.read_text(), flags=re.MULTILINE)[1:]:
            for part in (
                '"""',
                "log:",
                "benchmark:",
                "parameters(",
                "limits(",
                "script:",
                "output:",
            ):
                assert part in rule, f"{path.name}, rule {rule.split(':')[0]}: no {part}"


def test_profiles_are_plain_settings_with_at_most_one_group() -> None:
    found = {path.parent.name: path for path in (ROOT / "profiles").rglob("*") if path.is_file()}
    assert {path.name for path in found.values()} == {"config.yaml"}
    assert set(found) == {"default", "slurm"}
    settings = {name: yaml.safe_load(path.read_text()) for name, path in found.items()}
    assert settings["slurm"]["executor"] == "slurm"
    assert settings["slurm"]["retries"] == 1
    assert len(settings["slurm"].get("groups", ())) <= 1
    assert {**settings["default"], **settings["slurm"]} == settings["slurm"], "the same, and more"


def test_scripts_are_thin() -> None:
    for path in (ROOT / "scripts").glob("*.py"):
        lines = path.read_text().splitlines()
        assert len(lines) <= 61, f"{path.name} has {len(lines)} lines"
        assert not any(re.match(r"\s*(def|class|while) ", line) for line in lines), path.name


def test_the_library_never_imports_snakemake() -> None:
    for path in (ROOT / "pipeline").rglob("*.py"):
        assert not re.search(r"^\s*(import|from) snakemake", path.read_text(), re.MULTILINE), path


def test_a_peer_and_the_project_agree_on_every_pin() -> None:
    """`make peers` adds to the environment of the project and changes nothing in it."""
    ours, theirs = (
        dict(re.findall(r"^(\S+)==(\S+)$", (ROOT / path).read_text(), re.MULTILINE))
        for path in ("requirements.lock", "benchmarks/requirements.lock")
    )
    assert {"ranx", "trectools"} <= theirs.keys() - ours.keys()
    assert {name: theirs[name] for name in theirs.keys() & ours.keys()} == {
        name: ours[name] for name in theirs.keys() & ours.keys()
    }


def tracked(folder: str = ".") -> list[Path]:
    """The project's files as git knows them, below the root."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", folder], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    found = [Path(name) for name in listed if name]
    if not found:
        pytest.skip("an archive without git")
    return [path for path in found if (ROOT / path).exists()]  # a deleted one may not be staged


NO_ROOMS = {"__init__.py", "__init__.pyi", "py.typed"}


def test_the_rooms_fit_on_a_screen() -> None:
    rooms = {path.parts[1] for path in tracked("pipeline")} - NO_ROOMS
    assert len(rooms) <= 24, sorted(rooms)


@pytest.mark.parametrize("folder", ["pipeline", "benchmarks"])
def test_no_module_is_too_long_to_read(folder: str) -> None:
    long = {}
    for path in tracked(folder):
        if path.suffix == ".py":
            lines = len((ROOT / path).read_text(encoding="utf-8").splitlines())
            if lines > 400:
                long[str(path)] = lines
    assert not long


def test_the_package_has_its_data_files() -> None:
    """What is no module is in a wheel only if a pattern of pyproject.toml names it."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packed = {
        path.relative_to(ROOT)
        for pattern in settings["package-data"]["pipeline"]
        for path in (ROOT / "pipeline").glob(pattern)
    }
    data = {path for path in tracked("pipeline") if path.suffix != ".py"}
    assert Path("pipeline/py.typed") in data
    assert len(data) > 10
    assert data <= packed


def test_one_version_everywhere() -> None:
    version = project()["version"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= citation.keys()
    assert citation["version"] == version
    assert citation["license"] == project()["license"]
    changes = (ROOT / "CHANGELOG.md").read_text()
    versions = re.findall(r"^## (\S+) \((\S+)\)$", changes, re.MULTILINE)
    assert versions[0] == (version, str(citation["date-released"]))


def test_hooks_are_the_checks_of_make_lint() -> None:
    """With the tools of the project's own environment, so that a version is pinned once."""
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    hooks = [hook for repo in config["repos"] for hook in repo["hooks"]]
    assert {repo["repo"] for repo in config["repos"]} == {"local"}
    tools = {hook["entry"].split()[0].removeprefix(".venv/bin/") for hook in hooks}
    lint = re.findall(r"^lint:.*\n((?:\t.+\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)[0]
    assert tools == set(re.findall(r"\$\(BIN\)/(\w+)", lint)) - {"snakemake"}


def test_ci_anywhere_runs_the_one_list_of_checks() -> None:
    flow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    commands = {
        step["run"] for job in flow["jobs"].values() for step in job["steps"] if "run" in step
    }
    assert commands == {".ci/run", "make fast"}
    assert os.access(ROOT / ".ci/run", os.X_OK)


@pytest.mark.slow
def test_fast_tests_look_into_every_room() -> None:
    """What `make fast` selects, and that it is most tests but not all."""
    makefile = (ROOT / "Makefile").read_text()
    chosen = re.findall(r'^fast:.*\n\t\$\(PYTEST\) -m "(.+)"', makefile, re.MULTILINE)[0]
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-m", chosen, "tests"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    found = re.findall(r"^tests/(\w+)", done.stdout, re.MULTILINE)
    rooms = {path.parts[1] for path in tracked("pipeline") if len(path.parts) > 2}
    assert rooms <= set(found), rooms - set(found)
    fast, every = map(int, re.findall(r"(\d+)/(\d+) tests collected", done.stdout)[0])
    assert 0.75 * every < fast < every


def test_contributors_find_what_they_are_told_of() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    named = set(re.findall(r"`((?:pipeline|rules|tests|scripts|config|benchmarks)/[\w/.]*)`", text))
    assert len(named) > 12
    assert not {name for name in named if not (ROOT / name).exists()}
    rooms = re.findall(r"`(\w+(?:/|\.py))`", text.partition("| package |")[2].partition("\n## ")[0])
    here = {path.parts[1] for path in tracked("pipeline")} - NO_ROOMS
    assert {name.rstrip("/") for name in rooms} == here
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", text, re.MULTILINE)) <= targets


def test_a_newcomer_finds_every_hop() -> None:
    """Each function of the walk is in its file."""
    walk = (ROOT / "CONTRIBUTING.md").read_text().partition("## A newcomer's walk")[2]
    hops = re.findall(r"^\| (\d+) \| `(.+?)` \| `(.+?)` \|", walk, re.MULTILINE)
    assert [int(number) for number, *_ in hops] == list(range(1, len(hops) + 1))
    assert 5 <= len(hops) <= 10
    for _, path, function in hops:
        text = (ROOT / path).read_text()
        for name in function.split("."):
            made = rf"(def|class|import) {name}\b|\b{name}\([^;]*\) {{$"
            assert re.search(made, text, re.MULTILINE), f"{path} has no {name}"


def test_no_path_of_a_machine_and_no_data_is_committed() -> None:
    for name in map(str, tracked()):
        path = ROOT / name
        assert path.stat().st_size < 1_000_000, name
        if path.suffix in {".py", ".smk", ".md", ".yaml", ".yml", ".toml", ".c", ".j2", ".js"}:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"(?<![\w./])/(home|root|work|Users)/", text), name


def test_what_browser_tests_wait_for_is_a_function() -> None:
    """The page forbids `eval`, and a bare expression is evaluated so from the second look on."""
    waits = [
        call.args[0]
        for path in tracked("tests")
        if path.suffix == ".py"
        for call in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and ast.unparse(call.func).endswith(".wait_for_function")
    ]
    assert len(waits) > 10
    assert [text for text in map(ast.unparse, waits) if "=>" not in text] == []


def test_the_docs_show_every_rule() -> None:
    page = (ROOT / "docs/reference/files.md").read_text()
    graph = re.findall(r"```mermaid\n(.+?)```", page, re.DOTALL)[0]
    shown = set(re.findall(r"\w+", graph))
    for path in (ROOT / "rules").glob("*.smk"):
        for rule in re.findall(r"^rule (\w+):", path.read_text(), re.MULTILINE):
            assert rule in shown, f"the graph of docs/reference/files.md lacks the rule {rule}"


def test_the_least_snakemake_is_one_fact() -> None:
    (wanted,) = (d for d in project()["dependencies"] if d.startswith("snakemake"))
    least = re.findall(r'min_version\("(.+)"\)', (ROOT / "Snakefile").read_text())
    assert wanted == f"snakemake>={least[0]},<10"
