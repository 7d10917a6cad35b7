"""Azzopardi, Moffat, Thomas & Zuccon 2021: the C/W/L tutorial, measures compared as users."""

from typing import Any

from pipeline.errors import InputError
from pipeline.papers.outcome import Outcome
from pipeline.papers.paper import Given, Problems, Settings, paper
from pipeline.papers.published import read

KEYS: dict[str, dict[str, Any]] = {
    "gains": {
        "description": "Gains, rank by rank, of the list the users are plotted on; the tutorial's "
        "example by default (bad, bad, good, fair, good).",
        "type": "array",
        "minItems": 1,
        "items": {"type": "number", "minimum": 0, "maximum": 1},
        "default": [0, 0, 1, 0.5, 1],
    },
    "ranks": {
        "description": "Ranks that are plotted.",
        "type": "integer",
        "minimum": 2,
        "maximum": 1000,
        "default": 20,
    },
    "models": {
        "description": 'Further user models to plot, as `"RBP(p=0.95)"`; every model of the '
        "engine, your own too, is there with its default parameters.",
        "type": "array",
        "items": {"type": "string", "minLength": 1},
        "default": [],
    },
}


def problems(settings: Settings) -> Problems:
    """What no schema can say of the keys."""
    from pipeline.papers.cwl.users import figure

    if len(settings["gains"]) > settings["ranks"]:
        yield "gains", f"has more entries than the {settings['ranks']} ranks shown; raise ranks"
    for text in settings["models"]:
        try:
            figure("ED", text)
        except InputError as error:
            yield "models", f"holds '{text}': {error}"


@paper(
    "cwl",
    title="The C/W/L tutorial",
    citation="Azzopardi, Moffat, Thomas & Zuccon, User models, metrics and measures of search: a "
    "tutorial on the CWL evaluation framework, CHIIR 2021",
    keys=KEYS,
    problems=problems,
    order=6,
)
def cwl(given: Given) -> Outcome:
    """AP with its examples, the result pages to choose from, and every user model as a user."""
    from pipeline.papers.cwl.rerun import rerun  # which a config check need not load

    return rerun(given, read(__file__, "cwl.csv"))
