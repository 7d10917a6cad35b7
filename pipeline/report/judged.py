"""What the page carries of the judged documents, in two blocks: the small one is read at once."""

import json
from pathlib import Path
from typing import Any

LARGE = ("lists", "documents", "levels", "gains", "measures")


def read_judged(path: Path) -> dict[str, Any]:
    """What `judged_lists` wrote."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def blocks(judged: dict[str, Any]) -> dict[str, Any]:
    """The blocks of the page by id."""
    return {
        "judged": {key: value for key, value in judged.items() if key not in LARGE},
        "judged-lists": {key: judged[key] for key in LARGE if key in judged},
    }
