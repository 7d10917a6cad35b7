"""The tables of measures and user models, made from the declarations so that they cannot differ."""

from pipeline.measures import COMBINATIONS, REGISTRY
from pipeline.measures.cwl.declare import MODELS
from pipeline.measures.cwl.model import UserModel
from pipeline.measures.declaration import Param
from pipeline.measures.subtopics import OVER_SUBTOPICS
from pipeline.storage.markdown import table

CUTOFF = {"none": "", "optional": "`@k` may follow", "required": "`@k` needed"}
READING = {
    "binary": "binary",
    "gain": "graded",
    "grade": "graded, steps above the worst label",
    "exponential": "graded, 2^step - 1",
    "stop": "graded, (2^step - 1) / 2^highest",
    "judged": "none, only whether there is one",
}
AGGREGATE = {"mean": "", "geometric": "geometric mean over topics", "sum": "sum over topics"}


def measure_table() -> str:
    """Two Markdown tables: the measures, then the combinations of dimensions."""
    measures = [
        (
            f"`{one.name}`",
            one.title + "".join(f"; {word}" for word in [AGGREGATE[one.aggregate]] if word),
            f"`{one.formula}`",
            READING[one.gain],
            "; ".join([*(parameter(key, param) for key, param in one.params.items())]) or "none",
            CUTOFF[one.cutoff],
            one.citation,
        )
        for one in sorted(REGISTRY.values(), key=lambda one: (one.name.lower(), one.name))
    ]
    combinations = [
        (f"`{one.name}`", one.title, f"`{one.formula}`", one.of, one.citation)
        for one in sorted(COMBINATIONS.values(), key=lambda one: one.name.lower())
    ] + [
        (f"`{name}`", title, f"`{formula}`", "subtopics", source)
        for name, (title, formula, source) in OVER_SUBTOPICS.items()
    ]
    return (
        table(("measure", "what", "formula", "labels", "parameters", "cutoff", "source"), measures)
        + "\n"
        + table(("combination", "what", "formula", "combines", "source"), combinations)
    )


def parameter(key: str, param: Param) -> str:
    """What a parameter means, what it may be and what it is by default."""
    needed = "needed" if param.default is None else f"default {param.default}"
    return f"`{key}`: {param.meaning or 'a parameter'} ({param.describe()}; {needed})"


NEEDED = {"none": "", "optional": "", "required": "@k"}


def model_table() -> str:
    """A Markdown table: how a model is written, who it is, its C(i), and what that reads."""
    rows = (
        (f"`{_written(one)}`", one.title, f"`{one.formula}`", _reads(one))
        for one in sorted(MODELS.values(), key=lambda one: (one.name.lower(), one.name))
    )
    return table(("model", "what", "C(i)", "reads"), rows)


def _written(model: UserModel) -> str:
    params = f"({', '.join(model.params)})" if model.params else ""
    return f"{model.name}{params}{NEEDED[model.cutoff]}"


def _reads(model: UserModel) -> str:
    gain = [] if model.answers == "none" else ["gain"]
    cost = ["cost"] if model.paid else []
    return ", ".join(gain + cost)
