"""Formulas in LaTeX as MathML, which every browser typesets without a script or a network."""

import re

from latex2mathml.converter import convert

FUNCTION = re.compile("<mo>(min|max)</mo>")  # as operators they would stand apart from brackets


def mathml(latex: str) -> str:
    """A formula as MathML; each part after a `\\quad` may go to a line of its own.

    >>> mathml("x").startswith("<math")
    True
    """
    parts = (convert(part.strip(), display="block") for part in latex.split(r"\quad"))
    shown = " ".join(part.replace('display="block"', 'displaystyle="true"') for part in parts)
    return FUNCTION.sub(r"<mi>\1</mi>", shown)
