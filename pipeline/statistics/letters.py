"""Compact letter display: runs that share a letter do not differ significantly."""

import re
from collections.abc import Sequence

from pipeline.storage.arrays import Ints


def letters(groups: Sequence[Ints], *, runs: int) -> list[str]:
    """The letters of each run, given the significance groups; the first group is "a".

    Two runs share a letter if and only if they share a group.

    >>> import numpy as np
    >>> letters([np.array([2, 0]), np.array([0, 1])], runs=3)  # best first: 2, 0, 1
    ['ab', 'b', 'a']
    """
    marks: list[list[str]] = [[] for _ in range(runs)]
    for number, group in enumerate(groups):
        for run in group:
            marks[run].append(letter(number))
    return ["".join(row) for row in marks]


def letter(number: int) -> str:
    """The letter of a group: a to z, then a2, b2 and so on.

    >>> [letter(number) for number in (0, 25, 26, 51, 52)]
    ['a', 'z', 'a2', 'z2', 'a3']
    """
    round_, index = divmod(number, 26)
    return chr(ord("a") + index) + (str(round_ + 1) if round_ else "")


def split_letters(text: str) -> list[str]:
    """Split the letters of a run.

    >>> split_letters("yza2b2")
    ['y', 'z', 'a2', 'b2']
    """
    return re.findall(r"[a-z]\d*", text)


def stretch(text: str, *, dash: str = "–") -> str:  # noqa: RUF001
    """Write more than three letters as a range, since a run's letters are consecutive.

    >>> stretch("bcdef", dash="-")
    'b-f'
    """
    group = split_letters(text)
    return f"{group[0]}{dash}{group[-1]}" if len(group) > 3 else text
