"""Settings as plain values: what the workflow keeps and compares, and dataclasses from them again.

Snakemake redoes a job when its params change, and compares them as text: it needs built-in types,
as `dataclasses.asdict` gives them.
"""

from collections.abc import Mapping
from dataclasses import is_dataclass
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def restored(kind: type[T], given: Mapping[str, Any]) -> T:
    """A dataclass from what `asdict` made of it.

    Those inside it are restored too: alone, in a tuple, in a map, or None.
    """
    hints = get_type_hints(kind)
    return kind(**{name: _restored(hints[name], value) for name, value in given.items()})


def _restored(hint: Any, value: Any) -> Any:
    if get_origin(hint) is Mapping:
        return {key: _restored(get_args(hint)[1], one) for key, one in value.items()}
    inner = [one for one in (hint, *get_args(hint)) if is_dataclass(one) and isinstance(one, type)]
    if not inner or value is None:
        return value
    if isinstance(value, Mapping):
        return restored(inner[0], value)
    return tuple(restored(inner[0], one) for one in value)
