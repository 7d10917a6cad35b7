"""Sources from git repositories: pinned, from a server, a cache, a mirror, or not at all."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import InputError, Problem
from pipeline.sources.kind import KINDS, make
from pipeline.sources.places import Deadline, Places, places, read_missing, with_missing
from pipeline.sources.repository import GitError, Repository
from pipeline.sources.take import fetch_paths, matching
from tests.sources.git_server import Server, commit, git

FILES = {
    "runs/en/a.dat": "A\n",
    "runs/en/b.dat": "B",
    "runs/fr/c.dat": "C",
    "qrels/q [1].txt": "Q",
    "big.bin": "x" * 100_000,
    ".gitattributes": "* text=auto eol=crlf export-ignore\n",
}
PATHS = ["runs/en/*.dat", "qrels/q [1].txt"]
TAKEN = {"runs/en/a.dat": b"A\n", "runs/en/b.dat": b"B", "qrels/q [1].txt": b"Q"}
NOWHERE = "0123456789" * 4


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No user's settings, no proxy, no long pauses."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("FATHOM_MIRROR", "FATHOM_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pipeline.sources.places.PAUSE", 0.01)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    one = Server(tmp_path / "served").start()
    yield one
    one.stalling = False
    one.stop()


@pytest.fixture
def pinned(server: Server) -> str:
    """A commit that is not the newest."""
    first = commit(server.root / "owner/name", FILES)
    commit(server.root / "owner/name", {"runs/en/a.dat": "newer"})
    return first


def tree(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def taken(server: Server, folder: Path, *, at: str, cache: Path | None = None, **more: Any) -> None:
    given: dict[str, Any] = {
        "url": f"{server.address}/owner/name", "paths": PATHS, "files": {}, "missing": "error",
        "places": Places(cache=cache, mirror=more.pop("mirror", None), deadline=30), **more,
    }  # fmt: skip
    fetch_paths(folder, commit=at, **given)


def refused(server: Server, tmp_path: Path, **given: Any) -> Problem:
    with pytest.raises(InputError) as error:
        taken(server, tmp_path / "out/source", **given)
    left = list((tmp_path / "out").rglob("*"))
    assert left == []  # no debris
    (problem,) = error.value.problems
    assert problem.where
    assert problem.fix
    return problem


def test_a_pinned_commit_as_it_is_stored(server: Server, pinned: str, tmp_path: Path) -> None:
    taken(server, tmp_path / "out/source", at=pinned, cache=tmp_path / "cache")
    assert tree(tmp_path / "out/source") == TAKEN
    kept = tmp_path / "cache/git/127.0.0.1/owner/name.git"
    objects = git(kept, "rev-list", "--objects", "--no-walk", "--missing=print", pinned)
    big = git(server.root / "owner/name", "rev-parse", f"{pinned}:big.bin")
    assert f"?{big}" in objects.split()  # nobody wanted it, so it was not sent


def test_a_second_campaign_is_served_from_the_cache(
    server: Server, pinned: str, tmp_path: Path
) -> None:
    taken(server, tmp_path / "one/source", at=pinned, cache=tmp_path / "cache")
    asked = len(server.asked)
    taken(server, tmp_path / "two/source", at=pinned, cache=tmp_path / "cache")
    assert len(server.asked) == asked
    assert tree(tmp_path / "two/source") == TAKEN
    more = [*PATHS, "runs/fr"]
    taken(server, tmp_path / "three/source", at=pinned, cache=tmp_path / "cache", paths=more)
    assert len(server.asked) > asked
    assert tree(tmp_path / "three/source") == {**TAKEN, "runs/fr/c.dat": b"C"}


def test_a_server_that_only_gives_files(server: Server, pinned: str, tmp_path: Path) -> None:
    bare = server.root / "owner/plain"
    git(server.root, "clone", "--quiet", "--bare", str(server.root / "owner/name"), str(bare))
    git(bare, "update-server-info")
    server.dumb = True
    url = f"{server.address}/owner/plain"
    taken(server, tmp_path / "out/source", at=pinned, url=url)
    assert tree(tmp_path / "out/source") == TAKEN


def test_a_local_repository(server: Server, pinned: str, tmp_path: Path) -> None:
    url = str(server.root / "owner/name")
    taken(server, tmp_path / "out/source", at=pinned, url=url, cache=tmp_path / "cache")
    assert tree(tmp_path / "out/source") == TAKEN
    assert server.asked == []


def test_a_server_that_recovers(server: Server, pinned: str, tmp_path: Path) -> None:
    server.failing = 2
    taken(server, tmp_path / "out/source", at=pinned)
    assert tree(tmp_path / "out/source") == TAKEN


def test_what_a_killed_fetch_left_is_no_hindrance(
    server: Server, pinned: str, tmp_path: Path
) -> None:
    kept = tmp_path / "cache/git/127.0.0.1/owner/name.git"
    (kept / "objects/pack").mkdir(parents=True)
    (kept / "shallow.lock").touch()
    (kept / "objects/pack/tmp_pack_x").write_text("half")
    taken(server, tmp_path / "out/source", at=pinned, cache=tmp_path / "cache")
    assert tree(tmp_path / "out/source") == TAKEN
    assert not list(kept.rglob("tmp_pack*"))


def test_a_password_comes_from_netrc(server: Server, pinned: str, tmp_path: Path) -> None:
    server.password = "Basic bWU6d29yZA=="  # me:word
    assert "~/.netrc" in refused(server, tmp_path, at=pinned).fix
    (tmp_path / "home").mkdir(exist_ok=True)
    (tmp_path / "home/.netrc").write_text("machine 127.0.0.1 login me password word\n")
    taken(server, tmp_path / "x", at=pinned)
    assert tree(tmp_path / "x") == TAKEN


def test_wrong_commit(server: Server, pinned: str, tmp_path: Path) -> None:
    problem = refused(server, tmp_path, at=NOWHERE)
    assert problem.where == f"{server.address}/owner/name"
    assert f"no commit {NOWHERE}" in problem.what
    git(server.root / "owner/name", "update-server-info")
    server.dumb = True  # a plain server of files
    problem = refused(server, tmp_path, at=NOWHERE, url=f"{server.address}/owner/name/.git")
    assert f"no commit {NOWHERE}" in problem.what


def test_missing_repository(server: Server, pinned: str, tmp_path: Path) -> None:
    for url in (f"{server.address}/owner/other", str(tmp_path / "nothing")):
        problem = refused(server, tmp_path, at=pinned, url=url)
        assert problem.where == url
        assert "no such repository" in problem.what
    assert len(server.asked) == 1  # no second try, which could change nothing


def test_a_path_that_matches_nothing(server: Server, pinned: str, tmp_path: Path) -> None:
    problem = refused(server, tmp_path, at=pinned, paths=["runs/en/*", "runs/de/*"])
    assert "'runs/de/*'" in problem.what
    assert pinned in problem.what


def test_a_link_is_no_file(server: Server, tmp_path: Path) -> None:
    folder = server.root / "owner/name"
    folder.mkdir(parents=True)
    (folder / "link").symlink_to("/etc/hostname")
    at = commit(folder, {"x": "1"})
    assert "'link' is a link" in refused(server, tmp_path, at=at, paths=["*"]).what


def test_unknown_host_without_a_mirror(server: Server, tmp_path: Path) -> None:
    url = "https://no-such-host.invalid/owner/name"
    problem = refused(server, tmp_path, at=NOWHERE, url=url)
    assert "4 tries (the host no-such-host.invalid is unknown)" in problem.what
    assert "FATHOM_MIRROR" in problem.fix


def test_a_server_that_stays_broken(server: Server, pinned: str, tmp_path: Path) -> None:
    server.failing = 1000
    assert re.search(r"4 tries \(.*503.*\)", refused(server, tmp_path, at=pinned).what)


def test_deadline(server: Server, pinned: str, tmp_path: Path) -> None:
    server.stalling = True
    assert "fetch.deadline" in refused(server, tmp_path, at=pinned, places=Places(deadline=1)).fix


def test_git_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    one = Repository(folder=tmp_path, url="https://host/o/n", deadline=Deadline("", 60))
    with pytest.raises(InputError) as error:
        one.run("version")
    assert "not installed" in error.value.problems[0].what


# ---- mirrors ----------------------------------------------------------------------------------


@pytest.mark.parametrize("bare", [True, False])
def test_mirror_as_a_repository(server: Server, pinned: str, tmp_path: Path, bare: bool) -> None:
    place = tmp_path / "mirror/127.0.0.1/owner" / ("name.git" if bare else "name")
    options = ["--bare"] if bare else []
    git(server.root, "clone", "--quiet", *options, str(server.root / "owner/name"), str(place))
    taken(server, tmp_path / "out/source", at=pinned, mirror=tmp_path / "mirror")
    assert tree(tmp_path / "out/source") == TAKEN  # of the commit, not what lies there now
    assert server.asked == []
    problem = refused(server, tmp_path / "b", at=NOWHERE, mirror=tmp_path / "mirror")
    assert problem.where == str(place)
    assert NOWHERE in problem.what


def test_mirror_as_a_plain_folder(server: Server, pinned: str, tmp_path: Path) -> None:
    place = tmp_path / "mirror/127.0.0.1/owner/name"
    shutil.copytree(server.root / "owner/name", place, ignore=shutil.ignore_patterns(".git"))
    taken(server, tmp_path / "out/source", at=pinned, mirror=tmp_path / "mirror")
    assert tree(tmp_path / "out/source") == {**TAKEN, "runs/en/a.dat": b"newer"}
    assert read_missing(tmp_path / "out/source") == []


@pytest.fixture
def partial(server: Server, pinned: str, tmp_path: Path) -> Path:
    """A plain folder with one run of two, and no labels."""
    place = tmp_path / "mirror/127.0.0.1/owner/name/runs/en"
    place.mkdir(parents=True)
    (place / "b.dat").write_text("B")
    return tmp_path / "mirror"


def test_partial_mirror_is_an_error(
    server: Server, pinned: str, partial: Path, tmp_path: Path
) -> None:
    given = {"at": pinned, "mirror": partial, "files": {"runs/en/*.dat": 2}}
    problem = refused(server, tmp_path, **given)
    assert problem.where == partial / "127.0.0.1/owner/name"
    assert problem.what.endswith("runs/en/*.dat (1 of 2); qrels/q [1].txt")
    assert "missing: warn" in problem.fix


def test_partial_mirror_is_a_warning(
    server: Server, pinned: str, partial: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out/source"
    given = {"mirror": partial, "files": {"runs/en/*.dat": 2}, "missing": "warn"}
    taken(server, folder, at=pinned, **given)
    assert read_missing(folder) == ["runs/en/*.dat (1 of 2)", "qrels/q [1].txt"]
    shown = capsys.readouterr().err
    assert shown.startswith(f"fathom: warning: {partial}/127.0.0.1/owner/name: ")
    assert "runs/en/*.dat (1 of 2); qrels/q [1].txt" in shown
    assert {name for name in tree(folder) if not name.startswith(".")} == {"runs/en/b.dat"}
    described = {"source": {"commit": pinned}, "other": {"seed": 1}}
    assert with_missing(described, sources=folder.parent) == {
        "source": {"commit": pinned, "missing": ["runs/en/*.dat (1 of 2)", "qrels/q [1].txt"]},
        "other": {"seed": 1},
    }
    # a mirror with nothing at all is no mirror of it
    problem = refused(
        server, tmp_path / "b", at=pinned, paths=["x"], mirror=partial, missing="warn"
    )
    assert problem.what.endswith("lacks files: x")


def test_a_mirror_that_grows_is_noticed(
    server: Server, pinned: str, partial: Path, tmp_path: Path
) -> None:
    folder, held = tmp_path / "out/source", partial / "127.0.0.1/owner/name"
    settings = {
        "git": f"{server.address}/owner/name", "commit": pinned, "paths": PATHS,
        "files": {"runs/en/*.dat": 2}, "missing": "warn",
    }  # fmt: skip
    mirrored = Places(mirror=partial, cache=tmp_path / "cache")

    def more(at: Places = mirrored) -> list[str]:
        return KINDS["git"].more(folder, settings, at)

    make(folder, kind="git", settings=settings, places=mirrored)
    (held / "other.txt").write_text("not wanted")
    assert more() == []
    (held / "runs/en/a.dat").write_text("A\n")
    assert more() == ["runs/en/a.dat"]
    assert more(Places()) == []  # without a mirror nothing is known to have grown
    make(folder, kind="git", settings=settings, places=mirrored)
    assert read_missing(folder) == ["qrels/q [1].txt"]
    assert more() == []


def test_partial_clone_as_a_mirror(server: Server, pinned: str, tmp_path: Path) -> None:
    place = tmp_path / "mirror/127.0.0.1/owner/name.git"
    origin = (server.root / "owner/name").as_uri()
    git(tmp_path, "clone", "--quiet", "--bare", "--filter=blob:limit=1", origin, str(place))
    mirror = tmp_path / "mirror"
    problem = refused(server, tmp_path, at=pinned, mirror=mirror, missing="error")
    assert problem.what.endswith("qrels/q [1].txt; runs/en/a.dat; runs/en/b.dat")


def test_a_mirror_without_the_repository(server: Server, pinned: str, tmp_path: Path) -> None:
    (tmp_path / "mirror").mkdir()
    problem = refused(server, tmp_path, at=pinned, mirror=tmp_path / "mirror")
    assert problem.where == f"{server.address}/owner/name"
    assert "127.0.0.1/owner/name" in problem.what


def test_places(tmp_path: Path) -> None:
    given = {"mirror": str(tmp_path), "cache": str(tmp_path / "c"), "deadline": 5}
    assert places(given, environment={}) == Places(
        mirror=tmp_path, cache=tmp_path / "c", deadline=5
    )
    other = tmp_path / "other"
    other.mkdir()
    environment = {"FATHOM_MIRROR": str(other), "FATHOM_CACHE": str(tmp_path / "d")}
    assert places(given, environment=environment) == Places(
        mirror=other, cache=tmp_path / "d", deadline=5
    )
    nothing = places(None, environment={})
    assert nothing.mirror is None
    assert nothing.cache is not None
    assert nothing.cache.name == "fathom"
    with pytest.raises(InputError) as error:
        places(None, environment={"FATHOM_MIRROR": "/no/such"})
    assert error.value.problems[0].where == "FATHOM_MIRROR"
    assert "/no/such" in error.value.problems[0].what


def test_the_kind_takes_it(server: Server, pinned: str, tmp_path: Path) -> None:
    settings = {
        "git": f"{server.address}/owner/name", "commit": pinned, "paths": PATHS, "files": {},
        "missing": "error",
    }  # fmt: skip
    make(tmp_path / "out/source", kind="git", settings=settings)
    assert tree(tmp_path / "out/source") == TAKEN


NAMES = ["a.txt", "b/a.txt", "b/c/a.txt", ".hidden", "b/.x/a.txt", "b/[1].txt"]
MATCHES = [
    ("*.txt", ["a.txt"]),
    ("**/a.txt", ["a.txt", "b/a.txt", "b/c/a.txt"]),
    ("**", ["a.txt", "b/[1].txt", "b/a.txt", "b/c/a.txt"]),
    ("b/*", ["b/[1].txt", "b/a.txt"]),
    ("b/", ["b/.x/a.txt", "b/[1].txt", "b/a.txt", "b/c/a.txt"]),
    ("[ab].tx?", ["a.txt"]),
    ("[!b].txt", ["a.txt"]),
    ("b/[1].txt", ["b/[1].txt"]),
    (".h*", [".hidden"]),
    ("?.md", []),
]


@pytest.mark.parametrize(("pattern", "found"), MATCHES)
def test_matching(pattern: str, found: list[str]) -> None:
    assert matching(NAMES, [pattern])[pattern] == found


def test_progress_is_shown_and_is_no_part_of_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "git"
    program.write_text(
        "#!/bin/sh\nprintf 'Receiving objects: 40%% (4/10)\\r' >&2\nsleep 0.5\n"
        "printf 'Receiving objects: 90%% (9/10)\\r' >&2\necho 'fatal: gone' >&2\nexit 1\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for module in ("repository", "places"):
        monkeypatch.setattr(f"pipeline.sources.{module}.PROGRESS_EVERY", 0.05)
    slow = Repository(folder=tmp_path, url="http://x/y", deadline=Deadline("http://x/y", 9))
    with pytest.raises(GitError, match=r"\Afatal: gone\Z"):
        slow.run("fetch")
    assert "http://x/y: Receiving objects: 40% (4/10)" in capsys.readouterr().err
