"""The house itself: one source of dependencies, no traces of a machine, docs that stay true."""

import re
import subprocess
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]


def project() -> dict[str, object]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def wanted() -> set[str]:
    given = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = given["optional-dependencies"]
    return {*given["dependencies"], *(d for name in ("test", "lint") for d in extras[name])}


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


def test_every_rule_names_its_modules_and_keeps_a_log() -> None:
    for path in (ROOT / "rules").glob("*.smk"):
        for rule in re.split(r"^rule ", path.read_text(), flags=re.MULTILINE)[1:]:
            for part in ('"""', "log:", "benchmark:", "code=", "script:", "output:"):
                assert part in rule, f"{path.name}, rule {rule.split(':')[0]}: no {part}"


def test_scripts_are_thin() -> None:
    for path in (ROOT / "scripts").glob("*.py"):
        lines = path.read_text().splitlines()
        assert len(lines) <= 40, f"{path.name} has {len(lines)} lines"
        assert not any(re.match(r"\s*(def|class|for|while) ", line) for line in lines), path.name


def test_the_library_never_imports_snakemake() -> None:
    for path in (ROOT / "pipeline").rglob("*.py"):
        assert not re.search(r"^\s*(import|from) snakemake", path.read_text(), re.MULTILINE), path


def test_no_path_of_a_machine_and_no_data_is_committed() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    if not listed:
        return  # an archive without git
    for name in listed:
        path = ROOT / name
        assert path.stat().st_size < 1_000_000, name
        if path.suffix in {".py", ".smk", ".md", ".yaml", ".yml", ".toml", ".c", ".j2", ".js"}:
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"(?<![\w./])/(home|root|work|Users)/", text), name


def test_the_readme_shows_every_rule() -> None:
    graph = re.findall(r"```mermaid\n(.+?)```", (ROOT / "README.md").read_text(), re.DOTALL)[0]
    shown = set(re.findall(r"\w+", graph))
    for path in (ROOT / "rules").glob("*.smk"):
        for rule in re.findall(r"^rule (\w+):", path.read_text(), re.MULTILINE):
            assert rule in shown, f"the README's graph lacks the rule {rule}"
