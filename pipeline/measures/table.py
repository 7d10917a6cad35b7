"""The table of every measure, made from the declarations so that the two cannot part.

`python -m pipeline.measures.table config/README.md` puts it between its markers.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from pipeline.measures import COMBINATIONS, REGISTRY
from pipeline.measures.declaration import Param
from pipeline.storage.atomic import atomic

BEGIN, END = "<!-- measures:begin -->", "<!-- measures:end -->"
CUTOFF = {"none": "", "optional": "`@k` may follow", "required": "`@k` needed"}
AGGREGATE = {"mean": "", "geometric": "geometric mean over topics", "sum": "sum over topics"}


def measure_table() -> str:
    """Two Markdown tables: the measures, then the combinations of dimensions."""
    measures = [
        (
            f"`{one.name}`",
            one.title + "".join(f"; {word}" for word in [AGGREGATE[one.aggregate]] if word),
            f"`{one.formula}`",
            "; ".join([*(_param(key, param) for key, param in one.params.items())]) or "none",
            CUTOFF[one.cutoff],
            one.citation,
        )
        for one in sorted(REGISTRY.values(), key=lambda one: (one.name.lower(), one.name))
    ]
    combinations = [
        (f"`{one.name}`", one.title, f"`{one.formula}`", one.of, one.citation)
        for one in sorted(COMBINATIONS.values(), key=lambda one: one.name.lower())
    ]
    return (
        _table(("measure", "what", "formula", "parameters", "cutoff", "source"), measures)
        + "\n"
        + _table(("combination", "what", "formula", "combines", "source"), combinations)
    )


def placed(text: str) -> str:
    """A page with the tables between its markers."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{measure_table()}{END}{after}"


def _param(key: str, param: Param) -> str:
    needed = "needed" if param.default is None else f"default {param.default}"
    return f"`{key}`: {param.meaning or 'a parameter'} ({param.describe()}; {needed})"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines
    )


if __name__ == "__main__":
    page = Path(sys.argv[1])
    new = placed(page.read_text(encoding="utf-8"))
    with atomic(page) as draft:
        draft.write_text(new, encoding="utf-8")
