"""The notebook of the researcher's tutorial: as its page has it now, and run cell by cell."""

import json
import sys
from pathlib import Path

from tests.docs.pages import DOCS, python, same, shell

sys.path.insert(0, str(DOCS / "hooks"))
from notebook import notebook  # type: ignore[import-not-found]

from pipeline.measures import REGISTRY

PAGE = DOCS / "tutorials/researcher.md"
NOTEBOOK = PAGE.with_suffix(".ipynb")


def test_the_notebook_is_up_to_date() -> None:
    text = notebook(PAGE.read_text("utf-8"))
    assert NOTEBOOK.read_text("utf-8") == text, f"run python docs/hooks/notebook.py {PAGE}"


def test_the_notebook_is_valid() -> None:
    import nbformat

    nbformat.validate(nbformat.read(NOTEBOOK, as_version=4))


def test_the_cells_run_in_order_and_print_what_is_stored(tmp_path: Path) -> None:
    before = set(REGISTRY)
    names: dict[str, object] = {"__name__": "__main__"}
    compared = 0
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            stored = "".join(text for out in cell["outputs"] for text in out["text"])
            printed = execute("".join(cell["source"]), names, tmp_path, cell["id"])
            same(printed, stored, cell["id"])
            compared += bool(stored)
    for name in set(REGISTRY) - before:
        REGISTRY.remove(name)
    assert compared > 7


def execute(source: str, names: dict[str, object], folder: Path, where: str) -> str:
    """Run a cell as Jupyter does: Python, `!command` lines, or the magic `%%writefile`."""
    first, _, rest = source.partition("\n")
    if first.startswith("%%writefile "):
        name = first.removeprefix("%%writefile ")
        (folder / name).write_text(f"{rest}\n", encoding="utf-8")
        return f"Writing {name}\n"
    if first.startswith("!"):
        return "".join(shell(line[1:], folder, where) for line in source.split("\n"))
    return python(source, names, folder, where)
