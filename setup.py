"""The one part that pyproject.toml cannot declare: the run reader, compiled where there is a C
compiler (`optional`); without one the package reads runs in plain Python.
"""

import runpy
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).resolve().parent
RUNS = Path("pipeline", "runs")
sources = runpy.run_path(str(ROOT / RUNS / "c_sources.py"))

setup(
    ext_modules=[
        Extension(
            "pipeline.runs._reader",
            sources=[str(RUNS / "_reader.c")],
            depends=[str(p.relative_to(ROOT)) for p in sources["c_sources"](ROOT / RUNS)],
            define_macros=[("SOURCES_DIGEST", f'"{sources["digest"](ROOT / RUNS)}"')],
            extra_compile_args=["-O3"],
            optional=True,
        )
    ]
)
