"""A generated collection as a source."""

from pathlib import Path
from typing import Any

from pipeline.sources.generator import generator
from pipeline.sources.paths import listed

KEYS: dict[str, dict[str, Any]] = {
    "pages_for": {
        "description": "Of `collection`: label files, as path, glob, or list of them, whose "
        "documents get a page; they may be of a source named before this one, as "
        '`"@clef/qrels/*"`.',
        "type": ["string", "array", "null"],
        "minLength": 1,
        "minItems": 1,
        "items": {"type": "string", "minLength": 1},
        "default": None,
    },
    "least_label": {
        "description": "Of `collection`: only documents with this label or more; all when null.",
        "type": ["number", "null"],
        "default": None,
    },
    "fog": {
        "description": "Of `collection`: mean and standard deviation of the pages' FOG; "
        "`[14, 4]` when null.",
        "type": ["array", "null"],
        "items": {"type": "number"},
        "minItems": 2,
        "maxItems": 2,
        "default": None,
    },
}


@generator(
    "collection",
    title="pages of a planned readability for documents whose own are not to be had",
    keys=KEYS,
    needed={"pages_for": "name the label files whose documents get a page"},
    paths=("pages_for",),
    order=3,
)
def collection(folder: Path, *, seed: int, **settings: Any) -> None:
    """Write pages.dat."""
    from pipeline.sources.collection.files import FOG, write

    write(
        folder,
        pages_for=listed(settings["pages_for"]),
        least_label=settings["least_label"],
        fog=settings["fog"] or FOG,
        seed=seed,
    )
