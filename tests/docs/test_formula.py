"""Formulas in LaTeX typeset as mathematics."""

import re
import sys
from xml.dom.minidom import parseString

import pytest

from pipeline.measures.reference import entries
from tests.docs.pages import DOCS

sys.path.insert(0, str(DOCS / "hooks"))
from formula import mathml  # type: ignore[import-not-found]
from measure_pages import FORMULAS  # type: ignore[import-not-found]

BLOCK = re.compile(r"^```formula\n(.+?)\n```$", re.MULTILINE | re.DOTALL)
EVERY = [
    *(pytest.param(entry.latex, id=name) for name, entry in entries().items()),
    *(
        pytest.param(entry.continuation, id=f"C of {name}")
        for name, entry in entries().items()
        if entry.continuation
    ),
    *(
        pytest.param(latex, id=f"{kind}-{name}")
        for kind, formulas in FORMULAS.items()
        for name, latex in formulas.items()
    ),
    *(
        pytest.param(latex, id=f"{page.stem}-{number}")
        for page in sorted(DOCS.rglob("*.md"))
        for number, latex in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")))
    ),
]
SIGNS = {  # commands of LaTeX, and what they leave in the text
    "sum": "∑", "prod": "∏", "alpha": "α", "beta": "β", "gamma": "γ", "phi": "ϕ",  # noqa: RUF001
    "epsilon": "ϵ", "pi": "π", "sharp": "♯", "in": "∈", "le": "≤", "ge": "≥", "lfloor": "⌊",
    "rfloor": "⌋", "max": "max", "min": "min", "log": "log", "ln": "ln", "exp": "exp",
    "arctan": "arctan",
}  # fmt: skip
LAYOUT = {
    "quad", "left", "right", "text", "frac", "dfrac", "tfrac", "sqrt", "overline", "begin", "end",
    "lvert", "rvert", "cdot", "dots",
}  # fmt: skip


def texts(node: object) -> list[str]:
    if node.nodeType == node.TEXT_NODE:  # type: ignore[attr-defined]
        return [node.data]  # type: ignore[attr-defined]
    return [text for child in node.childNodes for text in texts(child)]  # type: ignore[attr-defined]


def letters(text: str) -> list[str]:
    return sorted(sign for sign in text if sign.isalnum() or sign in "∑∏∈≤≥⌊⌋♯")


@pytest.mark.parametrize("latex", EVERY)
def test_a_formula_is_typeset_with_nothing_lost(latex: str) -> None:
    shown = "".join(texts(parseString(f"<p>{mathml(latex)}</p>").documentElement))
    assert "\\" not in shown
    assert set(re.findall(r"\\([A-Za-z]+)", latex)) <= LAYOUT | set(SIGNS)
    plain = re.sub(r"\\(?:begin|end)\{cases\}", "", latex)
    plain = re.sub(r"\\([A-Za-z]+)", lambda name: SIGNS.get(name[1], ""), plain)
    assert letters(shown) == letters(plain)


def test_parts_may_break_between_lines() -> None:
    assert mathml(r"x, \quad y").count("<math") == 2


def test_limits_stand_below_a_sum() -> None:
    assert "<munder><mo>&#x02211;</mo>" in mathml(r"\sum_{k} x")
