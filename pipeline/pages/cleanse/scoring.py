"""The tables and the compiled part of the block method.

`hints.txt` has words in the names of elements, `weights.txt` the weight of each feature of a block.
A block with a score above 0 is kept. docs/cleansing.md explains both, and `make fit-blocks` fits
the weights. Parsing is in C (`_blocks.c`), because libraries build a tree first, which takes longer
than everything else.
"""

from array import array
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from pipeline.storage.c_sources import compiled

if TYPE_CHECKING:
    from pipeline.pages.cleanse._blocks import Blocks

HERE = Path(__file__).parent
HINTS = HERE / "hints.txt"
WEIGHTS = HERE / "weights.txt"
KEEP_ABOVE = 0.01  # as `score_keeps` in C; weights have one decimal, so less is rounding


class Weight(NamedTuple):
    """The weight of a feature in the score of a block, and its permitted sign."""

    name: str
    sign: str  # "+", "-", or "any"
    weight: float


def extension() -> ModuleType | None:
    """The compiled block method, or None if it was not built."""
    return compiled("pipeline.pages.cleanse._blocks", "block method", headers="native")


def _rows(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def hints() -> dict[str, list[str]]:
    """The words of each group of element names."""
    pairs = (line.partition(":") for line in _rows(HINTS))
    return {group.strip(): words.split() for group, _, words in pairs}


def weights() -> list[Weight]:
    """The weights of the features of a block, then of the groups of element names."""
    rows = (line.split(maxsplit=3) for line in _rows(WEIGHTS))
    return [Weight(name, sign, float(weight)) for name, sign, weight, _ in rows]


def build_scorer(table: list[Weight]) -> "Blocks":
    """The compiled block method with these weights."""
    module: Any = extension()
    groups = hints()
    names = [*(name for name, _ in module.FEATURES), *groups]
    if [row.name for row in table] != names:
        raise RuntimeError(f"{WEIGHTS.name} must have one row per feature: {names}")
    signs = {row.name: row.sign for row in table}
    scorer: Blocks = module.Blocks(
        [(signs[group] == "-", words) for group, words in groups.items()],
        array("d", [row.weight for row in table]).tobytes(),
    )
    return scorer


@cache
def model() -> "Blocks | None":
    """The block method with the weights of the table, or None if it was not compiled."""
    return build_scorer(weights()) if extension() else None
