"""The block method's tables and its compiled part.

`hints.txt` has the words that elements are called by, `weights.txt` what each feature of a block
adds to its score; a block with a score over zero is kept. Both are read by people too:
docs/cleansing.md explains them, and `make fit-blocks` writes the weights. The pass over the markup
is in C (`_blocks.c`), since no library gives blocks without building a tree, which costs more than
all the rest.
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
KEPT = 0.01  # as `score_keeps` in C: weights have one decimal, so what is less is rounding


class Weight(NamedTuple):
    """One row of the table: what a feature adds to a block's score, and which sign it may have."""

    name: str
    sign: str  # "+", "-", or "any"
    weight: float


def extension() -> ModuleType | None:
    """The compiled block method, None where it was not built."""
    return compiled("pipeline.pages.cleanse._blocks", "block method", headers="native")


def _rows(path: Path) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def hints() -> dict[str, list[str]]:
    """The words of each group of names."""
    pairs = (line.partition(":") for line in _rows(HINTS))
    return {group.strip(): words.split() for group, _, words in pairs}


def weights() -> list[Weight]:
    """The table of weights: the features of a block, then the groups of names."""
    rows = (line.split(maxsplit=3) for line in _rows(WEIGHTS))
    return [Weight(name, sign, float(weight)) for name, sign, weight, _ in rows]


def built(table: list[Weight]) -> "Blocks":
    """The compiled method with the given weights."""
    module: Any = extension()
    groups = hints()
    names = [*(name for name, _ in module.FEATURES), *groups]
    if [row.name for row in table] != names:
        raise RuntimeError(f"{WEIGHTS.name} has other rows than there are features: {names}")
    signs = {row.name: row.sign for row in table}
    made: Blocks = module.Blocks(
        [(signs[group] == "-", words) for group, words in groups.items()],
        array("d", [row.weight for row in table]).tobytes(),
    )
    return made


@cache
def model() -> "Blocks | None":
    """The block method with the weights of the table; None where it was not compiled."""
    return built(weights()) if extension() else None
