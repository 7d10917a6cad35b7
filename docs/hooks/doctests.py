"""Examples in docstrings, which are doctests, shown as code: a griffe extension of mkdocstrings."""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"(?:^[ ]*>>> .*\n?(?:^(?![ ]*$).*\n?)*\n*)+", re.MULTILINE)


class Doctests(griffe.Extension):
    """Puts a fence around each stretch of examples."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called with everything that is documented."""
        if obj.docstring:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """The text with its doctests as code, without the remarks to doctest itself.

    >>> fenced("Adds.\\n\\n>>> 1 + 1\\n2")
    'Adds.\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```\\n'
    """
    bare = re.sub(r"\s*# doctest: .*", "", text)
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0].strip()}\n```\n", bare)
