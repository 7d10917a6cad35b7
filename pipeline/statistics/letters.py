"""A compact letter display: runs that share a letter are not told apart."""

import re
from collections.abc import Sequence

from pipeline.storage.arrays import Ints


def letters(found: Sequence[Ints], *, runs: int) -> list[str]:
    """The letters of each run, given the groups, of which the best is "a".

    Two runs share a letter if and only if they share a group.

    >>> import numpy as np
    >>> letters([np.array([2, 0]), np.array([0, 1])], runs=3)  # best first: 2, 0, 1
    ['ab', 'b', 'a']
    """
    marks: list[list[str]] = [[] for _ in range(runs)]
    for number, group in enumerate(found):
        for place in group:
            marks[place].append(letter(number))
    return ["".join(mine) for mine in marks]


def letter(number: int) -> str:
    """a to z, then a2, b2 and so on.

    >>> [letter(number) for number in (0, 25, 26, 51, 52)]
    ['a', 'z', 'a2', 'z2', 'a3']
    """
    turn, place = divmod(number, 26)
    return chr(ord("a") + place) + (str(turn + 1) if turn else "")


def apart(text: str) -> list[str]:
    """The letters of a run one by one.

    >>> apart("yza2b2")
    ['y', 'z', 'a2', 'b2']
    """
    return re.findall(r"[a-z]\d*", text)


def stretch(text: str, *, dash: str = "–") -> str:  # noqa: RUF001
    """Letters of a run follow each other: more than three are written as a range.

    >>> stretch("bcdef", dash="-")
    'b-f'
    """
    each = apart(text)
    return f"{each[0]}{dash}{each[-1]}" if len(each) > 3 else text
