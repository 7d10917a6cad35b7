"""The config's `pool` and `fusion`: checked, and as the settings their steps take."""

from collections.abc import Mapping
from typing import Any

from pipeline.campaign.problems import Path, Problems, deeper, expression, nearest
from pipeline.pooling.declaration import METHODS
from pipeline.pooling.plan import Plan, Stratum
from pipeline.runs.fusion.settings import Fusion


def pool(full: Mapping[str, Any]) -> Plan:
    """The checked pool; one that replays labels always knows whose."""
    one = full["pool"]
    first = next(iter(_labelled(full)), None)
    return Plan(
        method=one["method"],
        depth=int(one["depth"]),
        size=int(one["size"]),
        fusion=Fusion(method=one["by"], norm=one["norm"], k=one["k"], p=one["p"]),
        strata=tuple(Stratum(to=int(s["to"]), share=s["share"]) for s in one["strata"]),
        runs=one["runs"],
        per_team=one["per_team"] and int(one["per_team"]),
        labels=(one["labels"] or first) if METHODS[one["method"]].replays else None,
        seed=int(one["seed"]),
    )


def fusions(full: Mapping[str, Any]) -> dict[str, Fusion]:
    """The checked fusions, by the name of the system each makes."""
    depth = int(full["policies"]["depth"])
    return {
        name: Fusion(**{**one, "depth": int(one["depth"] or depth)})
        for name, one in full["fusion"].items()
    }


def problems(full: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    """What is wrong with them."""
    yield from _pool(full, given=given.get("pool", {}))
    yield from expression(("pool", "runs"), full["pool"]["runs"])
    for name, one in full["fusion"].items():
        yield from expression(("fusion", name, "runs"), one["runs"])
        yield from deeper(("fusion", name, "depth"), one["depth"], full)


def _pool(full: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    one = full["pool"]
    method = METHODS[one["method"]]
    for key, readers in _read_by().items():
        if key in given and method.name not in readers:
            yield (
                ("pool", key),
                f"has no meaning for the method '{method.name}', only for {', '.join(readers)}; "
                "remove it",
            )
    yield from deeper(("pool", "depth"), one["depth"], full)
    if one["per_team"] and not full["runs"]["team"]:
        yield ("pool", "per_team"), "needs to know the teams; add runs.team"
    labelled = _labelled(full)
    if one["labels"] and one["labels"] not in labelled:
        hint = nearest(one["labels"], labelled, kind="dimensions with labels")
        yield ("pool", "labels"), f"is '{one['labels']}', which has no labels; {hint}"
    if method.replays and not labelled:
        yield (
            ("pool", "method"),
            f"is '{method.name}', which replays labels, but no dimension has any",
        )
    if "strata" in method.reads:
        yield from _strata(one["strata"], full, method=method.name)


def _read_by() -> dict[str, list[str]]:
    """The keys of the pool that only some methods read, and which."""
    found: dict[str, list[str]] = {}
    for method in METHODS.values():
        for key in method.reads:
            found.setdefault(key, []).append(method.name)
    return found


def _labelled(full: Mapping[str, Any]) -> list[str]:
    return [name for name, one in full["dimensions"].items() if one["labels"]]


def _strata(strata: list[Mapping[str, Any]], full: Mapping[str, Any], *, method: str) -> Problems:
    at: Path = ("pool", "strata")
    if not strata:
        yield at, f"is empty, but the method is '{method}'; write [{{to: 10, share: 1}}]"
        return
    ends = [stratum["to"] for stratum in strata]
    if ends != sorted(set(ends)):
        yield at, f"ends at {', '.join(map(str, ends))}; each stratum must end deeper than the last"
    elif ends[-1] > full["policies"]["depth"]:
        yield from deeper(at, ends[-1], full)
    elif not any(stratum["share"] for stratum in strata):
        yield at, "takes no share of any stratum, so the pool would be empty; raise one"
