"""The part that pyproject.toml cannot declare: the run reader and the block method in C.

They are compiled where there is a C compiler (`optional`); without one the package reads runs in
plain Python, and cleanses pages by another method.
"""

import runpy
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).resolve().parent
sources = runpy.run_path(str(ROOT / "pipeline/storage/c_sources.py"))


def extension(folder: str, name: str) -> Extension:
    """The module `name` of a package, from its C source and the headers beside it."""
    place = ROOT / folder
    return Extension(
        f"{folder.replace('/', '.')}.{name}",
        sources=[f"{folder}/{name}.c"],
        depends=[str(path.relative_to(ROOT)) for path in sources["c_sources"](place)],
        define_macros=[("SOURCES_DIGEST", f'"{sources["digest"](place)}"')],
        extra_compile_args=["-O3"],
        optional=True,
    )


setup(
    ext_modules=[
        extension("pipeline/runs", "_reader"),
        extension("pipeline/pages/cleanse", "_blocks"),
    ]
)
