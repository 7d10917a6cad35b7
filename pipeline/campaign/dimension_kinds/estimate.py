"""A dimension estimated from the pages' readability through a user model."""

import math
from collections.abc import Iterator

from pipeline.campaign.dimension_kind import Given, Kind
from pipeline.campaign.model import Dimension, Estimate
from pipeline.campaign.problems import Problems


class Estimated(Kind):
    """Simulated understandability; a list of thresholds makes a dimension of each."""

    def each(self, name: str, one: Given) -> Iterator[tuple[str, Given]]:
        """One dimension for every threshold of a list."""
        thresholds = one["estimate"]["threshold"]
        if not isinstance(thresholds, list):
            yield name, one
            return
        for threshold in thresholds:
            estimate = {**one["estimate"], "threshold": threshold}
            yield threshold_name(name, threshold), {**one, "estimate": estimate}

    def problems(self, name: str, one: Given, *, full: Given) -> Problems:
        """It needs pages, and names for its thresholds that are free."""
        given = one["estimate"]["threshold"]
        for threshold in given if isinstance(given, list) else [given]:
            if not math.isfinite(threshold):
                yield ("estimate", "threshold"), "is not a finite number; correct it"
        if not full["pages"]:
            yield ("estimate",), "needs the pages; add pages.files"
        for threshold in given if isinstance(given, list) else []:
            if (made := threshold_name(name, threshold)) in full["dimensions"]:
                yield (
                    ("estimate", "threshold"),
                    f"{threshold:g} makes the dimension '{made}', which there is already; "
                    "rename one of them",
                )

    def made(self, name: str, one: Given) -> Dimension:
        """The checked dimension."""
        return Dimension(name=name, kind=self.name, settings=Estimate(**one["estimate"]))


def threshold_name(name: str, threshold: float) -> str:
    """The dimension of one threshold of a list: `fog_15`, `fog_12_5`, `fog_minus_3`."""
    return f"{name}_{threshold:g}".replace("-", "minus_").replace(".", "_")


estimated = Estimated(
    name="estimate",
    title="an estimated",
    order=2,
    tables="estimates",
    reads=("estimate",),
    keys={
        "estimate": {
            "description": "Estimate the dimension from the pages' readability instead of labels.",
            "type": ["object", "null"],
            "default": None,
            "additionalProperties": False,
            "required": ["threshold"],
            "properties": {
                "index": {
                    "description": "Readability index of the page.",
                    "x-choices": "indices",
                    "default": "fog",
                },
                "model": {
                    "description": "User model: a `step` at the threshold, its `arctan` smoothing "
                    "(Zuccon, ECIR 2016, equation 7), or `arctan_ubire`, which forgets to divide "
                    "by pi, as ubire does (then cut to [0, 1]).",
                    "x-choices": "user models",
                    "default": "step",
                },
                "threshold": {
                    "description": "The hardest index value that is still understood, as 10, 15 or "
                    "20 for FOG; a list, as `[10, 15, 20]`, makes a dimension of each, named "
                    "`<dimension>_10` and so on. Required.",
                    "type": ["number", "array"],
                    "items": {"type": "number"},
                    "minItems": 1,
                    "uniqueItems": True,
                },
            },
        }
    },
)
