"""The sections of a config as objects: closed, frozen, and problems of the caller's arguments."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest
from pydantic import ValidationError

import pipeline.config
from pipeline.config.base import Section, arguments
from pipeline.config.campaign import Significance
from pipeline.config.fusion import Fusion
from pipeline.config.pool import Plan
from pipeline.errors import InputError


def sections() -> Iterator[type[Section]]:
    for module in pkgutil.iter_modules(pipeline.config.__path__):
        held = vars(importlib.import_module(f"pipeline.config.{module.name}")).values()
        for one in held:
            if isinstance(one, type) and issubclass(one, Section) and one is not Section:
                yield one


def test_a_section_of_defaults_survives_being_written_plainly() -> None:
    whole = [one for one in set(sections()) if not any(f.is_required() for f in
             one.model_fields.values()) and one.__name__ != "Teams"]  # fmt: skip
    assert {Plan, Significance} <= set(whole)
    for one in whole:
        assert one.model_validate(one().model_dump()) == one(), one.__name__


def test_a_section_is_closed_and_frozen() -> None:
    with pytest.raises(ValidationError):
        Fusion.model_validate({"method": "rrf", "kk": 1})
    with pytest.raises(ValidationError):
        Fusion(method="rrf").k = 3  # type: ignore[misc]


def test_numbers_are_not_converted_but_for_whole_floats() -> None:
    assert Fusion.model_validate({"method": "rrf", "depth": 20.0}).depth == 20
    for wrong in ("20", 20.5, True, 2**63):
        with pytest.raises(ValidationError):
            Fusion.model_validate({"method": "rrf", "depth": wrong})


def test_refusals_become_problems_of_the_arguments() -> None:
    with pytest.raises(InputError) as refused, arguments(by="fusion"):
        Plan.model_validate({"by": 3, "depth": 0, "strata": [{"to": 0, "share": 1}]})
    found = {problem.where: problem for problem in refused.value.problems}
    assert set(found) == {"fusion", "depth", "strata"}
    assert found["depth"].fix == "it must be at least 1"
    assert "3" in found["fusion"].what
