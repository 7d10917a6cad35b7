"""The user models of Zuccon (ECIR 2016): P1, and P2 as published and as ubire computes it."""

from math import atan, pi

from pipeline.pages.user_models.model import user_model


@user_model(
    "step",
    title="step (P1)",
    formula="1 if index <= threshold, else 0",
    citation="Zuccon, ECIR 2016",
    order=1,
)
def step(index: float, threshold: float) -> float:
    """1 up to the threshold, 0 above it."""
    return 1.0 if index <= threshold else 0.0


@user_model(
    "arctan",
    title="arctan (P2)",
    formula="1/2 - arctan(index - threshold) / pi",
    citation="Zuccon, ECIR 2016, equation 7",
    order=2,
)
def arctan(index: float, threshold: float) -> float:
    """1/2 at the threshold, decreasing smoothly."""
    return 0.5 - atan(index - threshold) / pi


@user_model(
    "arctan_ubire",
    title="arctan, as in ubire",
    formula="1/2 - arctan(index - threshold), cut to [0, 1]",
    citation="ubire 0.1, which does not divide by pi",
    order=3,
)
def arctan_ubire(index: float, threshold: float) -> float:
    """P2 as ubire computes it, without division by pi; truncated to [0, 1]."""
    return min(1.0, max(0.0, 0.5 - atan(index - threshold)))
