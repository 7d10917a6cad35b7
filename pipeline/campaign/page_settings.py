"""The part of the config about pages: what must hold beyond the schema, and its frozen value."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pipeline.campaign.model import Pages
from pipeline.campaign.problems import Problems, deeper, whole
from pipeline.sources.paths import listed

if TYPE_CHECKING:
    from pipeline.measures import Measure


def problems(
    full: Mapping[str, Any], *, dimensions: Mapping[str, Any], measures: Sequence["Measure"]
) -> Problems:
    """What is wrong with the pages; `dimensions` are those that the entries stand for.

    Without `measures`, because something is wrong with them, nothing is said of them.
    """
    if not full["pages"]:
        return
    yield from _depth(full)
    yield from _language(full["pages"])
    if full["pages"]["compare_counters"] is not None:
        yield from deeper(("pages", "compare_counters"), full["pages"]["compare_counters"], full)
        estimated = [name for name, one in dimensions.items() if one.get("estimate")]
        if measures and not any(
            name in measure.dimensions for measure in measures for name in estimated
        ):
            yield (
                ("pages", "compare_counters"),
                "needs a measure over a dimension with an estimate, whose ranking of the runs can "
                "be compared; add one, or remove this",
            )


def _depth(full: Mapping[str, Any]) -> Problems:
    depth = full["pages"]["depth"]
    if depth is None:
        return
    if full["pages"]["documents"] != "retrieved":
        yield ("pages", "depth"), "has no meaning without documents: retrieved; remove it"
    else:
        yield from deeper(("pages", "depth"), depth, full)


def _language(pages: Mapping[str, Any]) -> Problems:
    """A language that no detector finds would refuse every page."""
    from pipeline.pages.cleanse.language import known

    language = pages["language"]
    if language and language not in known():
        yield (
            ("pages", "language"),
            f"is '{language}', which is no code of a language that can be told from a text; give "
            "one as 'en', or null to take every page",
        )


def pages(full: Mapping[str, Any]) -> Pages | None:
    """The checked pages, if there are any."""
    given = full["pages"]
    if not given:
        return None
    settled = {
        "files": listed(given["files"]),
        "depth": int(given["depth"] or full["policies"]["depth"]),
        "shards": whole(given["shards"]),
        "keep_text": given["keep_text"] or bool(full["baselines"]),  # which search it
        "compare_counters": whole(given["compare_counters"]),
    }
    return Pages(**{**given, **settled})
