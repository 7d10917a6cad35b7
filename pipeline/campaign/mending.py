"""A campaign whose config is wrong, as far as it goes: what the desk can still look at.

A value that is wrong is taken out, and where one is needed something stands in for it that refuses
nothing. So what a mistake in the shape of a config hides, its mistakes of meaning, is told as well,
and the files of a broken config are still looked at.
"""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.campaign import consistency
from pipeline.campaign import schema as shape
from pipeline.campaign.model import Campaign
from pipeline.campaign.problems import Path

NOWHERE = "no file: what stands here is wrong"  # the pattern of a file that is not looked for
WIDE = {"scale": [-1e9, 1e9], "threshold": 0, "gains": "linear", "cannot_judge": []}
ROUNDS = 50


def mended(name: str, given: Any) -> tuple[Campaign | None, list[tuple[Path, str]]]:
    """The campaign without what is wrong in it, and what is wrong with its meaning.

    The campaign is None if nothing is left to look at.
    """
    plain = shape.plain(given)
    kept = copy.deepcopy(plain) if isinstance(plain, dict) else {}
    rules = shape.schema()["properties"]["campaigns"]["additionalProperties"]
    meaning: list[tuple[Path, str]] | None = None
    for _ in range(ROUNDS):
        _stand_in(kept)
        told = [path for path, _ in shape.problems(kept, schema=rules)]
        if not told:
            full = shape.filled(kept, schema=rules)
            campaign, found = consistency.campaign(name, given=kept, full=full)
            meaning = found if meaning is None else meaning  # what follows are echoes
            if campaign is not None:
                return campaign, meaning
            told = [path for path, _ in found]
        for path in told:
            _take_out(kept, path)
    return None, meaning or []


def _stand_in(kept: dict[str, Any]) -> None:
    """What no campaign is without."""
    kept["measures"] = kept.get("measures") or ["P@1"]
    kept["runs"] = kept.get("runs") or {}
    if isinstance(kept["runs"], dict):
        kept["runs"].setdefault("files", NOWHERE)
    kept["dimensions"] = kept.get("dimensions") or {
        "none": {"labels": NOWHERE, **copy.deepcopy(WIDE)}
    }


def _take_out(kept: Any, path: Path) -> None:
    """Remove what is wrong at a place, or what holds it if there is nothing."""
    if path[:1] == ("dimensions",) and path[2:3] in (("scale",), ("threshold",), ("gains",)):
        one = kept["dimensions"].get(path[1])
        if isinstance(one, dict):
            one.update(copy.deepcopy(WIDE))
            one.pop("better", None)
            one.pop("sweep", None)
            return
    *above, last = path or ("",)
    place = kept
    for at, part in enumerate(above):
        if not _holds(place, part):
            _take_out(kept, tuple(above[:at]))
            return
        place = place[part]
    if _holds(place, last):
        del place[last]
    elif above:
        _take_out(kept, tuple(above))


def _holds(place: Any, part: str | int) -> bool:
    if isinstance(place, Mapping):
        return part in place
    return isinstance(place, Sequence) and isinstance(part, int) and part < len(place)
