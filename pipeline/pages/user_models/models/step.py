"""P1 of Zuccon (ECIR 2016): a threshold."""

from pipeline.pages.user_models.model import user_model


@user_model(
    "step",
    title="step (P1)",
    formula="1 if index <= threshold, else 0",
    citation="Zuccon, ECIR 2016",
    order=1,
)
def step(index: float, threshold: float) -> float:
    """Understood up to the threshold, not at all beyond."""
    return 1.0 if index <= threshold else 0.0
