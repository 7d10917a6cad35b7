"""A generated collection as a source."""

from pathlib import Path
from typing import Any

from pydantic import Field

from pipeline.config.base import Number, Patterns, Scaled, listed
from pipeline.config.sources import Generated
from pipeline.sources.generator import generator


class Collection(Generated):
    """Which documents get a page, and how readable the pages are."""

    pages_for: Patterns = Field(
        description="Of `collection`: label files, as path, glob, or list of them, whose documents "
        "get a page; they may be of a source named before this one, for example "
        '`"@clef/qrels/*"`.'
    )
    least_label: Number | None = Field(
        None, description="Of `collection`: only documents with this label or more; all when null."
    )
    fog: Scaled | None = Field(
        None,
        description="Of `collection`: mean and standard deviation of the pages' FOG; `[14, 4]` "
        "when null.",
    )


@generator(
    "collection",
    title="pages of a planned readability for documents whose own are not to be had",
    keys=Collection,
    paths=("pages_for",),
    order=3,
)
def collection(folder: Path, *, seed: int, **settings: Any) -> None:
    """Write pages.dat."""
    from pipeline.sources.collection import FOG, write

    write(
        folder,
        pages_for=listed(settings["pages_for"]),
        least_label=settings["least_label"],
        fog=settings["fog"] or FOG,
        seed=seed,
    )
