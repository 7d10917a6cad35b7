"""A page of the docs as a notebook: the same text, code and output.

    python docs/hooks/notebook.py docs/tutorials/researcher.md

writes `researcher.ipynb` beside the page. Commands become lines that begin with `!`. A block with
a title becomes a cell that writes this file. Links to other pages become plain text.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```\n?', re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]+\)")

Cell = dict[str, Any]


def notebook(page: str) -> str:
    """The text of a notebook, from the text of a page."""
    cells: list[Cell] = []
    at = 0
    for block in BLOCK.finditer(page):
        _add_markdown(cells, page[at : block.start()])
        kind, title, text = block.groups()
        if kind == "console":
            commands = re.findall(r"^\$ (.+)$", text, re.MULTILINE)
            cells.append(_code("".join(f"!{command}\n" for command in commands)))
            _print(cells[-1], re.sub(r"^\$ .+\n", "", text, flags=re.MULTILINE))
        elif title:
            cells.append(_code(f"%%writefile {title}\n{text}"))
            _print(cells[-1], f"Writing {title}\n")
        elif kind == "python":
            cells.append(_code(text))
        elif kind == "text":
            _print(cells[-1], text)
        at = block.end()
    _add_markdown(cells, page[at:])
    for number, cell in enumerate(cells, start=1):
        cell["id"] = f"cell-{number}"
    whole = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _add_markdown(cells: list[Cell], text: str) -> None:
    text = text.replace(" The same page is a [notebook](researcher.ipynb).", "")
    text = LINK.sub(r"\1", text).strip()
    if text:
        cells.append({"cell_type": "markdown", "metadata": {}, "source": _lines(text)})


def _code(text: str) -> Cell:
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [],
        "source": _lines(text.rstrip("\n")),
    }


def _print(cell: Cell, text: str) -> None:
    if text:
        cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": _lines(text)}]


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        page.with_suffix(".ipynb").write_text(notebook(page.read_text("utf-8")), encoding="utf-8")
