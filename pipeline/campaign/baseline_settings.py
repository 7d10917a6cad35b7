"""The config's `baselines`: checked, and as the settings their step takes."""

from collections.abc import Mapping
from typing import Any

from pipeline.campaign.problems import Problems, deeper
from pipeline.pages.baselines.model import MODELS
from pipeline.pages.baselines.settings import Baseline


def baselines(full: Mapping[str, Any]) -> dict[str, Baseline]:
    """The checked baselines, by the name of the system each makes."""
    depth = int(full["policies"]["depth"])
    return {
        name: Baseline(
            model=one["model"],
            stemmer=one["stemmer"],
            stopwords=one["stopwords"],
            k1=float(one["k1"]),
            b=float(one["b"]),
            mu=float(one["mu"]),
            c=float(one["c"]),
            depth=int(one["depth"] or depth),
            fields=tuple(one["fields"]),
        )
        for name, one in full["baselines"].items()
    }


def problems(full: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    """What is wrong with them."""
    wanted = full["baselines"]
    if not wanted:
        return
    pages = full["pages"]
    if not pages:
        yield ("baselines",), "has nothing to search; add pages, the documents as web pages"
    elif pages["documents"] != "all":
        yield (
            ("baselines",),
            f"would search only documents that runs have found (pages.documents is "
            f"'{pages['documents']}'), and so feed on itself; set pages.documents to 'all'",
        )
    if not full["topics"]:
        yield ("baselines",), "has nothing to search for; add topics.file"
    parameters = {key: one.name for one in MODELS.values() for key in one.reads}
    for name, one in wanted.items():
        model = MODELS[one["model"]]
        for key in given["baselines"][name]:
            if key in parameters and key not in model.reads:
                yield (
                    ("baselines", name, key),
                    f"has no meaning for the model '{model.name}', only for {parameters[key]}; "
                    "remove it",
                )
        yield from deeper(("baselines", name, "depth"), one["depth"], full)
