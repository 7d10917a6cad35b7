"""The table of every user model, made from the declarations."""

from pipeline.measures.cwl.declare import MODELS
from pipeline.measures.cwl.model import UserModel
from pipeline.storage.markdown import table

CUTOFF = {"none": "", "optional": "", "required": "@k"}


def model_table() -> str:
    """A Markdown table: how a model is written, who it is, its C(i), and what that reads."""
    rows = (
        (f"`{_written(one)}`", one.title, f"`{one.formula}`", _reads(one))
        for one in sorted(MODELS.values(), key=lambda one: (one.name.lower(), one.name))
    )
    return table(("model", "what", "C(i)", "reads"), rows)


def _written(model: UserModel) -> str:
    params = f"({', '.join(model.params)})" if model.params else ""
    return f"{model.name}{params}{CUTOFF[model.cutoff]}"


def _reads(model: UserModel) -> str:
    gain = [] if model.answers == "none" else ["gain"]
    cost = ["cost"] if model.paid else []
    return ", ".join(gain + cost)
