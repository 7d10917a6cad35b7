"""The parts that pyproject.toml cannot declare.

What is in C (reading runs, cleansing pages, counting words, loops of statistics: every `_*.c`) is
compiled where there is a C compiler (`optional`); without one the package does the same in plain
Python and numpy, and cleanses pages by another method. And a wheel carries the workflow, which
lies beside the package in the project, inside it as `pipeline/shipped`, so that `fathom run`
works without the project's folder.
"""

import runpy
import shutil
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
WORKFLOW = ("Snakefile", "environment.yml", "rules", "scripts", "profiles", "config")
sources = runpy.run_path(str(ROOT / "pipeline/storage/c_sources.py"))


def extension(source: Path) -> Extension:
    """The module of a C source, with the headers beside it."""
    place, named = source.parent, source.relative_to(ROOT)
    return Extension(
        ".".join(named.with_suffix("").parts),
        sources=[str(named)],
        depends=[str(path.relative_to(ROOT)) for path in sources["c_sources"](place)],
        define_macros=[("SOURCES_DIGEST", f'"{sources["digest"](place)}"')],
        extra_compile_args=["-O3"],
        optional=True,
    )


class BuildWithWorkflow(build_py):
    """The package's modules and data, then the workflow."""

    def run(self) -> None:
        """Copy them to where the wheel is made from."""
        super().run()
        if self.editable_mode:  # the project's own folder has it
            return
        for source in self._workflow():
            target = Path(self.build_lib, "pipeline", "shipped", source.relative_to(ROOT))
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """What a wheel is to hold."""
        made = [
            str(Path(self.build_lib, "pipeline", "shipped", source.relative_to(ROOT)))
            for source in ([] if self.editable_mode else self._workflow())
        ]
        return [*super().get_outputs(include_bytecode), *made]

    def _workflow(self) -> list[Path]:
        named = [ROOT / part for part in WORKFLOW]
        every = [path for one in named for path in ([one] if one.is_file() else one.rglob("*"))]
        return sorted(p for p in every if p.is_file() and "__pycache__" not in p.parts)


setup(
    cmdclass={"build_py": BuildWithWorkflow},
    ext_modules=[extension(path) for path in sorted(ROOT.glob("pipeline/**/_*.c"))],
)
