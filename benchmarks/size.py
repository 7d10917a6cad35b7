"""How large the project is: `python -m benchmarks.size [CHECKOUT ...]`, one column per checkout.

The part of a table of before and after that no clock decides: lines, rules, scripts, jobs, and how
many packages each package imports from. `before-after.md` keeps what was printed.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
CAMPAIGNS = {
    "demo": "config/config.yaml",
    "clef2015": "tests/real/configs/clef2015.yaml",
}


def lines(paths: Iterable[Path]) -> int:
    return sum(len(path.read_text().splitlines()) for path in paths)


def rule_files(root: Path) -> list[Path]:
    return [root / "Snakefile", *(root / "rules").rglob("*.smk")]


def rules(root: Path) -> int:
    """Rules that run a job: those with a script or a command."""
    text = "\n".join(path.read_text() for path in rule_files(root))
    return len(re.findall(r"^\s+(?:script|shell|run):", text, re.MULTILINE))


def jobs(root: Path, config: str) -> int | None:
    """Jobs that a dry run plans in an empty results folder; `all` is one of them."""
    command = [
        root / ".venv/bin/snakemake", "--dry-run", "--cores", "2", "--forceall",
        "--configfile", config,
    ]  # fmt: skip
    ended = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    total = re.search(r"^total\s+(\d+)", ended.stdout, re.MULTILINE)
    return int(total[1]) if total else None


def imports(package: Path) -> set[str]:
    """The packages of `pipeline` that a package imports from."""
    names: set[str] = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pipeline."):
                names.add(str(node.module).split(".")[1])
    return names - {package.name}


def packages(root: Path) -> list[Path]:
    return sorted(path.parent for path in (root / "pipeline").glob("*/__init__.py"))


def mean_imports(root: Path) -> str:
    counts = [len(imports(package)) for package in packages(root)]
    return f"{sum(counts) / len(counts):.1f}"


FACTS: dict[str, Callable[[Path], object]] = {
    "Python in pipeline/, lines": lambda root: lines((root / "pipeline").rglob("*.py")),
    "Python modules in pipeline/": lambda root: len(list((root / "pipeline").rglob("*.py"))),
    "C, lines": lambda root: lines((root / "pipeline").rglob("*.[ch]")),
    "rules that run a job": rules,
    "scripts": lambda root: len(list((root / "scripts").glob("*.py"))),
    "Snakefile, rules and scripts, lines": lambda root: lines(
        [*rule_files(root), *(root / "scripts").glob("*.py")]
    ),
    "tests, lines": lambda root: lines((root / "tests").rglob("*.py")),
    "packages": lambda root: len(packages(root)),
    "packages that a package imports from, mean": mean_imports,
    **{
        f"jobs of {name}, with `all`": lambda root, config=config: jobs(root, config)
        for name, config in CAMPAIGNS.items()
    },
}


def main() -> None:
    checkouts = [Path(name).resolve() for name in sys.argv[1:]] or [HERE]
    print("| fact |", " | ".join(path.name for path in checkouts), "|")
    print("| --- |", " | ".join("--:" for _ in checkouts), "|")
    for fact, count in FACTS.items():
        print(f"| {fact} |", " | ".join(str(count(path)) for path in checkouts), "|")


if __name__ == "__main__":
    main()
