"""The part of a campaign that is about judging: pool, fusions, sweep, reusability, agreement."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pipeline.campaign.model import Agreement, Fusion, Judging, Pool, Stratum, Sweep
from pipeline.campaign.schema import Path, nearest
from pipeline.sources.paths import listed

Problems = Iterator[tuple[Path, str]]

READ_BY = {  # keys of the pool that only some methods read
    "size": ("take", "uniform", "move_to_front", "bandit"),
    "by": ("take",),
    "norm": ("take",),
    "k": ("take",),
    "p": ("take",),
    "strata": ("stratified",),
    "labels": ("move_to_front", "bandit"),
}


def pool(full: Mapping[str, Any]) -> Pool:
    """The checked pool; an adaptive one always knows whose labels it replays."""
    one = full["pool"]
    adaptive = one["method"] in READ_BY["labels"]
    first = next((name for name, d in full["dimensions"].items() if d["labels"]), None)
    return Pool(
        **{
            **one,
            **{key: int(one[key]) for key in ("depth", "size", "seed")},
            "per_team": one["per_team"] and int(one["per_team"]),
            "strata": tuple(Stratum(to=int(s["to"]), share=s["share"]) for s in one["strata"]),
            "labels": (one["labels"] or first) if adaptive else None,
        }
    )


def fusions(full: Mapping[str, Any]) -> dict[str, Fusion]:
    """The checked fusions."""
    depth = int(full["policies"]["depth"])
    return {
        name: Fusion(**{**one, "name": name, "depth": int(one["depth"] or depth)})
        for name, one in full["fusion"].items()
    }


def reusability(full: Mapping[str, Any]) -> tuple[str, ...]:
    """Who is left out in turn."""
    if full["reusability"] is not None:
        return tuple(full["reusability"])
    return ("team", "run") if full["runs"]["team"] else ("run",)


def agreement(one: Mapping[str, Any]) -> Agreement:
    """How judgement sets are compared."""
    return Agreement(**{**one, **{key: int(one[key]) for key in ("bootstrap", "seed")}})


def asked(
    one: Mapping[str, Any], *, gain_map: Callable[[Mapping[str, float]], dict[float, float]]
) -> Judging:
    """What is asked about one dimension's labels."""
    thresholds, gains = one["sweep"]["thresholds"], one["sweep"]["gains"]
    return Judging(
        sweep=Sweep(
            thresholds=None if thresholds is None else tuple(map(float, thresholds)),
            gains=None
            if gains is None
            else tuple(dict(sorted(gain_map(given).items())) for given in gains),
        ),
        sets={key: listed(paths) for key, paths in one["sets"].items()},
    )


def problems(full: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    """What is wrong with any of it."""
    yield from _pool(full, given=given.get("pool", {}))
    yield from _expression(("pool", "runs"), full["pool"]["runs"], groups=False)
    yield from _expression(("variations",), full["variations"], groups=True)
    for name, one in full["fusion"].items():
        yield from _expression(("fusion", name, "runs"), one["runs"], groups=False)
        if one["depth"] and one["depth"] > full["policies"]["depth"]:
            yield ("fusion", name, "depth"), _deeper(one["depth"], full)
    if "team" in (full["reusability"] or ()) and not full["runs"]["team"]:
        yield ("reusability",), "leaves out teams, but nobody says which they are; add runs.team"
    for name, one in full["dimensions"].items():
        if one["sets"] and "labels" in one["sets"]:
            yield (
                ("dimensions", name, "sets", "labels"),
                "is the name of the dimension's own labels; choose another",
            )


def _pool(full: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    one = full["pool"]
    method = one["method"]
    for key, methods in READ_BY.items():
        if key in given and method not in methods:
            yield (
                ("pool", key),
                f"has no meaning for the method '{method}', only for {', '.join(methods)}; "
                "remove it",
            )
    if one["depth"] > full["policies"]["depth"]:
        yield ("pool", "depth"), _deeper(one["depth"], full)
    if one["per_team"] and not full["runs"]["team"]:
        yield ("pool", "per_team"), "needs to know the teams; add runs.team"
    labelled = [name for name, d in full["dimensions"].items() if d["labels"]]
    if one["labels"] and one["labels"] not in labelled:
        hint = nearest(one["labels"], labelled, kind="dimensions with labels")
        yield ("pool", "labels"), f"is '{one['labels']}', which has no labels; {hint}"
    if method in READ_BY["labels"] and not labelled:
        yield ("pool", "method"), f"is '{method}', which replays labels, but no dimension has any"
    if method == "stratified":
        yield from _strata(one["strata"], full)


def _strata(strata: list[Mapping[str, Any]], full: Mapping[str, Any]) -> Problems:
    at: Path = ("pool", "strata")
    if not strata:
        yield at, "is empty, but the method is 'stratified'; write [{to: 10, share: 1}]"
        return
    ends = [stratum["to"] for stratum in strata]
    if ends != sorted(set(ends)):
        yield at, f"ends at {', '.join(map(str, ends))}; each stratum must end deeper than the last"
    elif ends[-1] > full["policies"]["depth"]:
        yield at, _deeper(ends[-1], full)
    elif not any(stratum["share"] for stratum in strata):
        yield at, "takes no share of any stratum, so the pool would be empty; raise one"


def _deeper(depth: int, full: Mapping[str, Any]) -> str:
    policy = full["policies"]["depth"]
    return f"is {depth}, deeper than policies.depth {policy}; raise that or lower this"


def _expression(at: Path, text: str | None, *, groups: bool) -> Problems:
    if text is None:
        return
    try:
        found = re.compile(text)
    except re.error as error:
        yield at, f"'{text}' is not a regular expression ({error}); correct it"
        return
    if groups and not found.groups:
        yield at, f"'{text}' has no group; put the need in brackets, as '^(\\d{{3}})'"
