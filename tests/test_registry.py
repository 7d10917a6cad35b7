"""Registries: entries found by their type, in their declared order."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pipeline.registry import Catalogue, Entry

HEAD = "from pipeline.registry import Entry\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "declared_here"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    for name in [name for name in sys.modules if name.startswith("declared_here")]:
        del sys.modules[name]


def entries(package: Path) -> Catalogue[Entry]:
    return Catalogue("thing", package.name, of=Entry)


def test_places_are_declared_and_the_others_follow_by_name(package: Path) -> None:
    (package / "a.py").write_text(HEAD + 'z = Entry(name="z", title="")\n')
    (package / "b.py").write_text(HEAD + 'y = Entry(name="y", title="", order=2)\n')
    (package / "c.py").write_text(
        HEAD + 'x = Entry(name="x", title="", order=1)\nw = Entry(name="w", title="")\n'
    )
    found = entries(package)
    assert list(found) == ["x", "y", "w", "z"]
    problem = found.unknown("zz")
    assert "thing 'zz'" in problem.what
    assert "'z'" in problem.fix


def test_an_entry_that_another_module_uses_is_there_once(package: Path) -> None:
    (package / "a.py").write_text(HEAD + 'x = Entry(name="x", title="")\n')
    (package / "b.py").write_text("from declared_here.a import x\n")
    assert list(entries(package)) == ["x"]


def test_a_name_twice_is_an_error(package: Path) -> None:
    for name in ("a", "b"):
        (package / f"{name}.py").write_text(HEAD + 'x = Entry(name="x", title="")\n')
    with pytest.raises(ValueError, match="the thing x is declared twice"):
        len(entries(package))


def test_threads_wait_until_everything_is_there(package: Path) -> None:
    slow = "import time\ntime.sleep(0.2)\n"
    (package / "a.py").write_text(HEAD + slow + 'x = Entry(name="x", title="")\n')
    found = entries(package)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: list(found), range(4))) == [["x"]] * 4


def test_one_entry_is_found_without_the_modules_of_the_others(package: Path) -> None:
    (package / "x.py").write_text(HEAD + 'x = Entry(name="x", title="")\n')
    (package / "other.py").write_text(HEAD + 'y = Entry(name="y", title="")\n')
    found = entries(package)
    assert found.only("x").name == "x"
    assert "declared_here.other" not in sys.modules
    assert found.only("y").name == "y"  # its module has another name, so all are loaded
    assert "declared_here.other" in sys.modules
    assert found.only("x") is found["x"]
    with pytest.raises(KeyError):
        found.only("z")
    with pytest.raises(KeyError):
        entries(package).only("no.name")
