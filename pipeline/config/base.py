"""The base model of the sections of a config, and the types of their values.

A section is closed (an unknown key is an error), frozen, and converts nothing: a number in quotes
is not a number. The docstring of a field is its entry in the docs. `Section.problems` checks what
several keys of a section must agree on.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Self, TypeVar

from annotated_types import GroupedMetadata
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    StrictBool,
    StrictStr,
    Tag,
    ValidationError,
    ValidationInfo,
    WithJsonSchema,
    WrapValidator,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from pipeline.errors import InputError, Problem

Path = tuple[str | int, ...]  # of keys, from the top of the section
Mistakes = Iterator[tuple[Path, str, str]]  # where, what is the matter, how to fix it
LARGEST = 2**62
MISTAKE = "mistake"  # the type of our errors; their context has `what` and `fix`
BOUNDS = {
    "greater_than_equal": "at least {ge:g}",
    "less_than_equal": "at most {le:g}",
    "greater_than": "above {gt:g}",
    "less_than": "below {lt:g}",
}


class Section(BaseModel):
    """A part of a config: closed, frozen, checked as a whole."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False,
        use_attribute_docstrings=True, defer_build=True,  # a job builds only the sections it reads
    )  # fmt: skip

    def problems(self) -> Mistakes:
        """Errors between keys whose values are valid by themselves."""
        yield from ()

    @model_validator(mode="after")
    def _agree(self) -> Self:
        refuse(self.problems())
        return self


def mistake(what: str, fix: str) -> PydanticCustomError:
    """An error about a value, with its fix."""
    return PydanticCustomError(MISTAKE, "{what}; {fix}", {"what": what, "fix": fix})


def refuse(mistakes: Mistakes) -> None:
    """Raise all mistakes at once, if there are any, each at its place."""
    errors = [
        InitErrorDetails(type=mistake(what, fix), loc=at, input=None) for at, what, fix in mistakes
    ]
    if errors:
        raise ValidationError.from_exception_data("config", errors)


@contextmanager
def arguments(**renamed: str) -> Iterator[None]:
    """Report what a section refuses as problems of a function's arguments.

    An argument has the name of its key, or the one `renamed` gives for it.

    >>> with arguments(to="strata"):
    ...     refuse(iter([(("to",), "is 0", "it must be at least 1")]))
    Traceback (most recent call last):
    pipeline.errors.InputError: strata: is 0; it must be at least 1
    """
    try:
        yield
    except ValidationError as error:
        problems = [_of_argument(detail, renamed) for detail in error.errors(include_url=False)]
        raise InputError(*problems) from None


def _of_argument(error: Any, renamed: Mapping[str, str]) -> Problem:
    kind, facts = error["type"], error.get("ctx", {})
    key = str(next(iter(error["loc"]), ""))
    if kind == MISTAKE:
        what, fix = facts["what"], facts["fix"]
    else:
        what, fix = f"is {error['input']!r}", error["msg"].replace("Input should", "it must")
        if kind in BOUNDS:
            fix = f"it must be {BOUNDS[kind].format(**facts)}"
    return Problem(renamed.get(key, key), what, fix)


def _whole(value: object) -> object:
    """2.0 counts as a whole number; the limit is 62 bits."""
    if isinstance(value, int | float) and LARGEST < abs(value) < float("inf"):
        raise mistake("is too large a number", f"write one below {LARGEST:.0e}")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _kept(value: Any, check: Any) -> Any:
    """A number as it was written: 2 stays 2."""
    try:
        check(value)
    except OverflowError:
        raise mistake("is too large a number", "write one below 1e308") from None
    return value


def listed(value: Any) -> Any:
    """One pattern or several, always as several."""
    return (value,) if isinstance(value, str) else value


def _no_glob(value: str) -> str:
    if set("*?") & set(value):
        raise mistake(f"'{value}' is a glob", "name one file")
    return value


def _unique(values: Sequence[Any]) -> Sequence[Any]:
    repeated = next((value for n, value in enumerate(values) if value in values[:n]), None)
    if repeated is not None:
        raise mistake(f"{repeated} is listed twice", "remove one")
    return values


def _expression(value: str) -> str:
    import regex  # late: only reading a config needs it

    try:
        re.compile(value)
        regex.compile(value)  # which does the search
    except (re.error, regex.error, RecursionError, OverflowError) as error:
        raise mistake(f"'{value}' is not a regular expression ({error})", "correct it") from None
    return value


def group(fix: str) -> AfterValidator:
    """A regular expression that needs a group; `fix` has an example."""

    def check(value: str) -> str:
        if not re.compile(_expression(value)).groups:
            raise mistake(f"'{value}' has no group", fix)
        return value

    return AfterValidator(check)


@dataclass(frozen=True)
class Matching(GroupedMetadata):
    """Text of a certain form; `must` completes the sentence "it must ..."."""

    pattern: str
    must: str

    def __iter__(self) -> Iterator[Any]:
        yield AfterValidator(self._check)
        yield WithJsonSchema({"type": "string", "pattern": f"^{self.pattern}$"})

    def _check(self, value: str) -> str:
        if not re.fullmatch(self.pattern, value):
            raise mistake(f"'{value[:60]}' cannot be used", f"it must {self.must}")
        return value


@dataclass(frozen=True)
class Choice(GroupedMetadata):
    """The name of an entry of a registry, which the validation's context holds.

    A step gets settings that were checked before, without a context, so it depends on no registry.
    `pipeline.campaign.schema` adds the names to the schema.
    """

    registry: str

    def __iter__(self) -> Iterator[Any]:
        yield AfterValidator(self._check)
        yield WithJsonSchema({"type": "string", "x-choices": self.registry})

    def _check(self, value: str, info: ValidationInfo) -> str:
        if info.context and value not in info.context[self.registry]:
            raise PydanticCustomError("literal_error", "not a choice")
        return value


@dataclass(frozen=True)
class Kind(GroupedMetadata):
    """A map of one of several kinds, each named by a key of its own.

    The context holds, for each such key, the model by the key's value; the model under '' is for
    any value. So a generator or a paper may have keys of its own. `pipeline.campaign.schema` writes
    the keys of all kinds out.
    """

    registry: str

    def __iter__(self) -> Iterator[Any]:
        yield PlainValidator(self._check)
        yield WithJsonSchema({"type": "object", "x-kinds": self.registry})

    def _check(self, value: Any, info: ValidationInfo) -> Section:
        kinds: Mapping[str, Mapping[str, type[Section]]] = (info.context or {})[self.registry]
        if not isinstance(value, Mapping):
            raise PydanticCustomError("model_type", "not a map")
        named = [name for name in kinds if value.get(name) is not None]
        if len(named) != 1 and len(kinds) > 1:
            names = f"both {' and '.join(named)}" if named else f"none of {', '.join(kinds)}"
            raise mistake(f"has {names}", "give one of them")
        name = next(iter(named or kinds))
        models = kinds[name]
        if not named and "" not in models:
            refuse(iter([((name,), "is missing", f"give one of {', '.join(models)}")]))
        model = models.get(str(value.get(name))) or next(iter(models.values()))
        chosen = f"{name}: {value[name]}" if "" not in models else name
        every = [other for group in kinds.values() for other in group.values()]
        others = {key for other in every for key in other.model_fields} - {*model.model_fields}
        refuse(
            ((key,), f"has no meaning beside {chosen}", "remove it")
            for key in value
            if key in others and value[key] is not None
        )
        own = {key: content for key, content in value.items() if key not in others}
        return model.model_validate(own, context=info.context)


def _form(value: Any) -> str:
    """Which of two ways a value is written in, so that a mistake is reported once."""
    return "<nested>" if isinstance(value, list | tuple | Mapping) else "<plain>"


A = TypeVar("A")
B = TypeVar("B")
Either = Annotated[
    Annotated[A, Tag("<plain>")] | Annotated[B, Tag("<nested>")], Discriminator(_form)
]  # the second is a list or map
FILE_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_NAME = "start with a letter or digit and hold only letters, digits, '.', '_' and '-'"

Text = Annotated[StrictStr, Field(min_length=1)]
Flag = StrictBool
Whole = Annotated[int, Field(strict=True), BeforeValidator(_whole)]
Number = Annotated[float, Field(strict=True), WrapValidator(_kept)]
Share = Annotated[Number, Field(ge=0, le=1)]
Seed = Annotated[Whole, Field(ge=0)]
Expression = Annotated[StrictStr, AfterValidator(_expression)]
FileName = Annotated[StrictStr, Matching(FILE_NAME, f"{_NAME}, because it names files")]
Element = Annotated[
    StrictStr, Matching(r"[A-Za-z][A-Za-z0-9_-]*", "be the name of an element, for example 'title'")
]
OneFile = Annotated[Text, AfterValidator(_no_glob)]
Unique = AfterValidator(_unique)
Patterns = Annotated[
    tuple[Text, ...],
    Field(min_length=1),
    BeforeValidator(listed),
    WithJsonSchema({
        "type": ["string", "array"], "minLength": 1, "minItems": 1,
        "items": {"type": "string", "minLength": 1},
    }),
]  # fmt: skip
Names = dict[FileName, Patterns]  # files by a name that the user chooses
Scaled = Annotated[tuple[Number, ...], Field(min_length=2, max_length=2)]  # two numbers
