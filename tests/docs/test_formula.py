"""Formulas as text set as mathematics."""

import re
import sys
from xml.dom.minidom import parseString

import pytest

from pipeline.measures import COMBINATIONS, REGISTRY
from pipeline.measures.cwl.declare import MODELS as USERS
from pipeline.pages.readability.index import INDICES
from pipeline.pages.user_models.model import MODELS
from tests.docs.pages import DOCS

sys.path.insert(0, str(DOCS / "hooks"))
from formula import mathml  # type: ignore[import-not-found]

EVERY = [
    pytest.param(one.formula, id=f"{kind}-{name}")
    for kind, things in (
        ("measure", REGISTRY), ("combination", COMBINATIONS), ("user", USERS),
        ("index", INDICES), ("reader", MODELS),
    )
    for name, one in things.items()
]  # fmt: skip


def drawn(text: str) -> str:
    """The structure without what only looks better."""
    inner = re.sub(r"<math[^>]*>|</math>|</?mrow>|<mspace[^>]*>", "", mathml(text))
    return re.sub(r"<(\w+) [^>]*>", r"<\1>", inner)


@pytest.mark.parametrize("formula", EVERY)
def test_every_declared_formula_is_set_with_nothing_lost(formula: str) -> None:
    tree = parseString(f"<div>{mathml(formula)}</div>")
    said = "".join(node.data for node in texts(tree.documentElement))
    signs = str.maketrans({"∑": "", "∏": "", "\N{MINUS SIGN}": "-", "·": "*", "≤": "", "≥": ""})
    letters = re.sub(r"\W", "", said.translate(signs))
    names = {"alpha": "α", "beta": "β", "gamma": "γ", "phi": "φ", "pi": "π", "sigma": "σ"}  # noqa: RUF001
    wanted = re.sub(r"(sum|prod)(?=_)|sqrt(?=\()", "", formula)
    for name, sign in names.items():
        wanted = re.sub(rf"(?<![A-Za-z]){name}(?![A-Za-z])", sign, wanted)
    assert sorted(letters) == sorted(re.sub(r"[\W_]", "", wanted))


def texts(node: object) -> list[object]:
    if node.nodeType == node.TEXT_NODE:  # type: ignore[attr-defined]
        return [node]
    return [found for child in node.childNodes for found in texts(child)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1/R", "<mfrac><mn>1</mn><mi>R</mi></mfrac>"),
        (
            "sum_k g(k) / log2(k + 1)",  # each summand is divided: the divisor has the sum's k
            "<munder><mo>∑</mo><mi>k</mi></munder><mfrac><mi>g</mi><mo>(</mo><mi>k</mi><mo>)</mo>"
            "<msub><mi>log</mi><mn>2</mn></msub><mo>(</mo><mi>k</mi><mo>+</mo><mn>1</mn><mo>)</mo>"
            "</mfrac>",
        ),
        (
            "sum_i g / found",  # the sum is divided
            "<mfrac><munder><mo>∑</mo><mi>i</mi></munder><mi>g</mi><mtext>found</mtext></mfrac>",
        ),
        ("p^(k-1)", "<msup><mi>p</mi><mi>k</mi><mo>\N{MINUS SIGN}</mo><mn>1</mn></msup>"),
        ("(a) / (b)", "<mfrac><mi>a</mi><mi>b</mi></mfrac>"),
        ("1 - x / y", "<mn>1</mn><mo>\N{MINUS SIGN}</mo><mfrac><mi>x</mi><mi>y</mi></mfrac>"),
        ("complex_words", "<mtext>complex words</mtext>"),
        ("x / y if z", "<mfrac><mi>x</mi><mi>y</mi></mfrac><mtext>if</mtext><mi>z</mi>"),
    ],
)
def test_by_hand(text: str, wanted: str) -> None:
    assert drawn(text) == wanted


def test_an_open_bracket_is_an_error() -> None:
    with pytest.raises(ValueError, match="bracket"):
        mathml("(1 - p")
