"""What UBIRE computes, as its campaigns name it."""

OURS = {"RBP": "RBP(p=0.8)", "uRBP": "uRBP(p=0.8)", "uRBPgr": "uRBPgr(p=0.8)"}
EASY = "RBP(p=0.8, on=understandability)"
THRESHOLDS = (10, 15, 20)  # of FOG
MODELS = {"uRBP1": "step", "uRBP2": "arctan"}


def dimension(model: str, threshold: int) -> str:
    """Understandability estimated by a user model."""
    return f"{model}_{threshold}"


def simulated(model: str, threshold: int) -> str:
    """A simulated variant of uRBP."""
    return f"uRBP(p=0.8, by={dimension(model, threshold)})"
