"""What a synthetic source is asked for: checked, and in plain form."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.errors import InputError
from pipeline.sources.synthetic.distribution import Chance, Distribution, Levels, Normal
from pipeline.sources.synthetic.draw import Correlation, mixing

KINDS = ("chance", "mean", "levels")


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Systems, each with the distribution of every dimension's labels."""

    systems: Mapping[str, Mapping[str, Distribution]]
    lists: int
    length: int
    correlation: Correlation


def problems(settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What is wrong with the settings that no schema can say: a key, and a sentence about it."""
    if settings["draws"] is None or settings["systems"] is None:
        return
    known = settings["draws"]
    for system, changed in settings["systems"].items():
        for dimension in changed:
            if dimension not in known:
                yield (
                    "systems",
                    f"gives '{system}' the dimension '{dimension}', which draws does not have; "
                    "add it there",
                )
        for name, draw in known.items():
            try:
                _distribution(draw, changed.get(name, {}), name=name, system=system)
            except InputError as error:
                yield "systems", f"cannot be drawn: {error}"
    try:
        mixing(settings["correlation"] or 0.0, dimensions=len(known))
    except InputError as error:
        yield "correlation", f"cannot be used: {error}"


def plan(settings: Mapping[str, Any]) -> Plan:
    """The plan of good settings."""
    return Plan(
        systems={
            system: {
                name: _distribution(draw, changed.get(name, {}), name=name, system=system)
                for name, draw in settings["draws"].items()
            }
            for system, changed in settings["systems"].items()
        },
        lists=int(settings["lists"] or 50),
        length=int(settings["length"] or 10),
        correlation=settings["correlation"] or 0.0,
    )


def _distribution(
    usual: Mapping[str, Any], changed: Mapping[str, Any], *, name: str, system: str
) -> Distribution:
    """A dimension's labels of one system: as usual, but for what it draws otherwise."""
    where = f"'{name}' of '{system}'"
    given = {**usual, **{key: value for key, value in changed.items() if value is not None}}
    chosen = [kind for kind in KINDS if given.get(kind) is not None]
    if len(chosen) != 1:
        found = " and ".join(f"'{kind}'" for kind in chosen) or "nothing"
        raise InputError(f"{where} has {found}; give one of {', '.join(KINDS)}")
    if chosen == ["chance"]:
        return Chance(chance=float(given["chance"]))
    better = given.get("better") or "high"
    if chosen == ["mean"]:
        lowest, highest = given.get("scale") or (0, 100)
        if given.get("sd") is None:
            raise InputError(f"{where} has a mean, but no sd; add it")
        if not lowest < highest:
            raise InputError(
                f"{where} has the scale [{lowest}, {highest}]; put the lower end first"
            )
        return Normal(
            mean=float(given["mean"]),
            sd=float(given["sd"]),
            lowest=float(lowest),
            highest=float(highest),
            better=better,
        )
    chances = sorted((float(label), float(chance)) for label, chance in given["levels"].items())
    total = sum(chance for _, chance in chances)
    if abs(total - 1) > 1e-9:
        raise InputError(f"{where} has levels whose chances sum to {total:g}; make them sum to 1")
    return Levels(chances=tuple(chances if better == "high" else chances[::-1]))
