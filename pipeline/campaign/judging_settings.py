"""The config's questions about judgements, reusability to variations, and about people."""

from collections.abc import Mapping
from typing import Any

from pipeline.campaign.problems import Problems, expression
from pipeline.judging.agreement import Agreement
from pipeline.people.settings import People
from pipeline.sources.paths import listed


def reusability(full: Mapping[str, Any]) -> tuple[str, ...]:
    """Who is left out in turn."""
    if full["reusability"] is not None:
        return tuple(full["reusability"])
    return ("team", "run") if full["runs"]["team"] else ("run",)


def agreement(one: Mapping[str, Any]) -> Agreement:
    """How judgement sets are compared."""
    return Agreement(**{**one, **{key: int(one[key]) for key in ("bootstrap", "seed")}})


def people(full: Mapping[str, Any]) -> People | None:
    """What people said, if anything."""
    if not full["preferences"] and not full["satisfaction"]:
        return None
    one = full["people"]
    return People(
        preferences=listed(full["preferences"] or []),
        satisfaction=listed(full["satisfaction"] or []),
        samples=int(one["samples"]),
        confidence=float(one["confidence"]),
        seed=int(one["seed"]),
    )


def problems(full: Mapping[str, Any], *, given: Mapping[str, Any]) -> Problems:
    """What is wrong with any of it."""
    yield from expression(
        ("variations",), full["variations"], group="the need in brackets, as '^(\\d{3})'"
    )
    if given.get("people") and people(full) is None:
        yield ("people",), "has no meaning without preferences or satisfaction; remove it"
    if "team" in (full["reusability"] or ()) and not full["runs"]["team"]:
        yield ("reusability",), "leaves out teams, but nobody says which they are; add runs.team"
