"""Fetching from a server that is good, wrong, flaky or hostile, and from local files."""

import hashlib
import signal
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pipeline.errors import InputError, Problem
from pipeline.sources import fetch as fetching
from pipeline.sources import places
from tests.intake.malformed.addresses import ADDRESSES, SERVERS
from tests.intake.malformed.archives import ARCHIVES as BAD_ARCHIVES
from tests.intake.malformed.archives import FILES, special, tar, zipped
from tests.intake.malformed.expected import Expected
from tests.sources.site import Answer, Handler, Site, drip, redirect, serving

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "PAUSE", 0)


def fetch(*, url: str, sha256: str, folder: Path, unpack: bool = True, **where: Any) -> None:
    at = places.Places(**where)
    fetching.fetch(folder, url=url, sha256=sha256, unpack=unpack, places=at)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("no_proxy", "*")
    with serving() as site:
        yield site


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


ARCHIVES: list[tuple[str, Callable[[], bytes]]] = [
    ("x.tar.gz", lambda: tar("w:gz")),
    ("x.tgz", lambda: tar("w:gz")),
    ("x.tar.xz", lambda: tar("w:xz")),
    ("dots.tar", lambda: tar("w", {f"./{name}": text for name, text in FILES.items()})),
    ("x.TAR", lambda: tar("w")),
    ("x.zip?download=1", lambda: zipped()),
]


@pytest.mark.parametrize(("name", "make"), ARCHIVES)
def test_archive(site: Site, tmp_path: Path, name: str, make: Callable[[], bytes]) -> None:
    site.body = make()
    folder = tmp_path / "sources/x"
    fetch(url=f"{site.address}/a/{name}", sha256=sha(site.body).upper(), folder=folder)
    assert tree(folder) == FILES
    assert [path.name for path in folder.parent.iterdir()] == ["x"]


def test_single_file_keeps_its_name(site: Site, tmp_path: Path) -> None:
    site.body = b"1 0 d 1\n"
    url = f"{site.address}/my%20labels.qrels?raw=1"
    fetch(url=url, sha256=sha(site.body), folder=tmp_path / "x")
    assert tree(tmp_path / "x") == {"my labels.qrels": "1 0 d 1\n"}


def test_a_password_comes_from_netrc(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password word\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    site.body = b"1 0 d 1\n"
    given: list[str | None] = []

    def asks(handler: Handler) -> None:
        given.append(handler.headers.get("Authorization"))
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(site.body)

    site.answers = [asks]
    fetch(url=f"{site.address}/q", sha256=sha(site.body), folder=tmp_path / "x")
    assert given == ["Basic bWU6d29yZA=="]  # me:word
    assert tree(tmp_path / "x") == {"q": "1 0 d 1\n"}


def test_archive_is_kept_when_asked(site: Site, tmp_path: Path) -> None:
    site.body = tar()
    fetch(
        url=f"{site.address}/x.tar.gz", sha256=sha(site.body), folder=tmp_path / "x", unpack=False
    )
    assert (tmp_path / "x/x.tar.gz").read_bytes() == site.body


def test_old_folder_is_replaced_whole(site: Site, tmp_path: Path) -> None:
    site.body = tar()
    (tmp_path / "x").mkdir()
    (tmp_path / "x/stale").touch()
    fetch(url=f"{site.address}/x.tar.gz", sha256=sha(site.body), folder=tmp_path / "x")
    assert tree(tmp_path / "x") == FILES


def test_local_path_and_file_address(tmp_path: Path) -> None:
    archive = tmp_path / "my archive.tar.gz"
    archive.write_bytes(tar())
    for url in (str(archive), archive.as_uri()):
        fetch(url=url, sha256=sha(archive.read_bytes()), folder=tmp_path / "x")
        assert tree(tmp_path / "x") == FILES
        (tmp_path / "x/labels.qrels").unlink()
    assert archive.exists()


@pytest.mark.parametrize("answers", [[503], [500, 502, 504], [429], ["cut"], ["cut", 503, "cut"]])
def test_transient_failures_are_tried_again(
    site: Site, tmp_path: Path, answers: list[int | str | Answer]
) -> None:
    site.body, site.answers = tar(), list(answers)
    fetch(url=f"{site.address}/x.tar.gz", sha256=sha(site.body), folder=tmp_path / "x")
    assert tree(tmp_path / "x") == FILES
    assert len(site.asked) == len(answers) + 1


def test_broken_download_is_continued(site: Site, tmp_path: Path) -> None:
    site.body, site.answers = bytes(1000), ["cut"]
    fetch(url=f"{site.address}/x.bin", sha256=sha(site.body), folder=tmp_path / "x")
    assert site.asked == [None, "bytes=500-"]
    assert (tmp_path / "x/x.bin").read_bytes() == site.body


def test_server_without_ranges_starts_again(site: Site, tmp_path: Path) -> None:
    site.body, site.answers, site.ranges = bytes(range(100)), ["cut"], False
    fetch(url=f"{site.address}/x.bin", sha256=sha(site.body), folder=tmp_path / "x")
    assert (tmp_path / "x/x.bin").read_bytes() == site.body


def test_next_run_continues_where_a_broken_one_stopped(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.body, site.answers = bytes(1000), ["cut", 503]
    url, digest = f"{site.address}/x.bin", sha(site.body)
    with monkeypatch.context() as less:
        less.setattr(places, "TRIES", 2)
        with pytest.raises(InputError):
            fetch(url=url, sha256=digest, folder=tmp_path / "x")
    assert not (tmp_path / "x").exists()
    fetch(url=url, sha256=digest, folder=tmp_path / "x")
    assert site.asked == [None, "bytes=500-", "bytes=500-"]
    assert (tmp_path / "x/x.bin").read_bytes() == site.body


@pytest.mark.parametrize("left", [b"other", b"other" * 1000])
def test_a_beginning_of_something_else_is_thrown_away(
    site: Site, tmp_path: Path, left: bytes
) -> None:
    site.body = bytes(1000)
    digest = sha(site.body)
    (tmp_path / f".fetch-{digest[:12]}").mkdir()
    (tmp_path / f".fetch-{digest[:12]}/part").write_bytes(left)
    fetch(url=f"{site.address}/x.bin", sha256=digest, folder=tmp_path / "x")
    assert (tmp_path / "x/x.bin").read_bytes() == site.body
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def refusal(url: str, folder: Path, digest: str, **more: Any) -> Problem:
    with pytest.raises(InputError) as error:
        fetch(url=url, sha256=digest, folder=folder, **more)
    assert not folder.exists()
    (problem,) = error.value.problems
    return problem


def test_wrong_digest(site: Site, tmp_path: Path) -> None:
    site.body = tar()
    problem = refusal(f"{site.address}/x.tar.gz", tmp_path / "x", "0" * 64)
    assert problem.where == f"{site.address}/x.tar.gz"
    assert sha(site.body) in problem.what
    assert "0" * 64 in problem.what
    assert list(tmp_path.iterdir()) == []


def test_a_second_campaign_is_served_from_the_cache(site: Site, tmp_path: Path) -> None:
    site.body = tar("w:gz")
    url, digest, cache = f"{site.address}/x.tar.gz", sha(site.body), tmp_path / "cache"
    fetch(url=url, sha256=digest, folder=tmp_path / "one/x", cache=cache)
    fetch(url=url, sha256=digest, folder=tmp_path / "two/x", cache=cache)
    assert len(site.asked) == 1
    assert tree(tmp_path / "one/x") == tree(tmp_path / "two/x") == FILES
    kept = cache / "files" / digest / "content"
    kept.write_bytes(b"spoilt")  # never trusted by its name alone
    fetch(url=url, sha256=digest, folder=tmp_path / "three/x", cache=cache)
    assert len(site.asked) == 2
    assert tree(tmp_path / "three/x") == FILES
    assert sha(kept.read_bytes()) == digest
    assert [path.name for path in cache.rglob("*")] == ["files", digest, "content"]


@pytest.mark.parametrize("reason", ["Is a directory", "Not a directory"])
def test_a_cache_that_cannot_be_written(site: Site, tmp_path: Path, reason: str) -> None:
    """A lock that is a folder stands for any file the system does not let us open, also as root."""
    site.body, cache = b"x", tmp_path / "cache"
    if reason == "Is a directory":
        (cache / "files" / sha(b"x") / "lock").mkdir(parents=True)
    else:
        cache.write_text("a file")
    problem = refusal(f"{site.address}/x", tmp_path / "x", sha(b"x"), cache=cache)
    assert problem.where == cache
    assert reason in problem.what
    assert "FATHOM_CACHE" in problem.fix


# ---- what is refused, each with its sentence ---------------------------------------------------


def nothing_left(folder: Path) -> bool:
    return not [path for path in folder.rglob("*") if path.is_file()]


def check(problem: Problem, url: str, expected: Expected) -> None:
    assert str(problem.where) in (url, "")  # an address with a password is not repeated
    for word in expected.words:
        assert word in problem.what
    assert expected.fix in problem.fix


@pytest.mark.parametrize(("url", "expected"), ADDRESSES.values(), ids=ADDRESSES)
def test_bad_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str, expected: Expected
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    check(refusal(url, tmp_path / "x", "0" * 64), url, expected)
    assert nothing_left(tmp_path)


@pytest.mark.parametrize(("answers", "asked", "expected"), SERVERS.values(), ids=SERVERS)
def test_bad_server(
    site: Site, tmp_path: Path, answers: list[int | str | Answer], asked: int, expected: Expected
) -> None:
    site.body, site.answers = bytes(1000), list(answers)
    url = f"{site.address}/x"
    with pytest.raises(InputError) as error:
        fetch(
            url=url, sha256=sha(site.body), folder=tmp_path / "x", cache=tmp_path / "cache",
            deadline=1 if "drip" in str(answers) else 60,
        )  # fmt: skip
    (problem,) = error.value.problems
    check(problem, url, expected)
    assert len(site.asked) == asked
    # What can be continued stays, in the cache alone.
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    part = "interrupted" in problem.what or answers[0] is drip
    assert left == (["part"] if part else [])


@pytest.mark.parametrize(("name", "content", "expected"), BAD_ARCHIVES.values(), ids=BAD_ARCHIVES)
def test_bad_archive(tmp_path: Path, name: str, content: bytes, expected: Expected) -> None:
    given = tmp_path / "given" / name
    given.parent.mkdir()
    given.write_bytes(content)
    folder = tmp_path / "deep/x"
    with pytest.raises(InputError) as error:
        fetch(url=str(given), sha256=sha(content), folder=folder, limit=0.001)
    (problem,) = error.value.problems
    check(problem, str(given), expected)
    assert list(folder.parent.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["deep", "given"]


def test_bad_archive_of_a_server_leaves_only_the_cache(site: Site, tmp_path: Path) -> None:
    site.body = special(tarfile.LNKTYPE, "none")
    with pytest.raises(InputError):
        fetch(
            url=f"{site.address}/x.tar", sha256=sha(site.body), folder=tmp_path / "s/x",
            cache=tmp_path / "cache",
        )  # fmt: skip
    assert list((tmp_path / "s").iterdir()) == []
    assert [path.name for path in (tmp_path / "cache").rglob("*") if path.is_file()] == ["content"]


def test_links_of_a_tar_become_files(tmp_path: Path) -> None:
    given = tmp_path / "x.tar"
    given.write_bytes(special(tarfile.SYMTYPE, "../labels.qrels", name="runs/same"))
    fetch(url=str(given), sha256=sha(given.read_bytes()), folder=tmp_path / "x")
    assert tree(tmp_path / "x") == {**FILES, "runs/same": "L"}
    assert not (tmp_path / "x/runs/same").is_symlink()


PAGES = [b"<!DOCTYPE html><title>Log in</title>", b"\n <HTML>Sorry"]


@pytest.mark.parametrize("body", [*PAGES, b"Sorry, not here."])
def test_an_error_page_is_never_data(site: Site, tmp_path: Path, body: bytes) -> None:
    site.body, site.kind = body, "text/html; charset=utf-8"
    problem = refusal(f"{site.address}/labels.qrels", tmp_path / "x", "0" * 64)
    assert "web page" in problem.what
    assert nothing_left(tmp_path)


@pytest.mark.parametrize("body", PAGES)
def test_an_error_page_whose_digest_somebody_took(site: Site, tmp_path: Path, body: bytes) -> None:
    site.body = body
    problem = refusal(f"{site.address}/labels.qrels", tmp_path / "x", sha(body))
    assert "is a web page, not data" in problem.what
    assert nothing_left(tmp_path)


def test_a_page_that_is_wanted(site: Site, tmp_path: Path) -> None:
    site.body, site.kind = PAGES[0], "text/html"
    fetch(url=f"{site.address}/a.html", sha256=sha(site.body), folder=tmp_path / "x")
    assert (tmp_path / "x/a.html").read_bytes() == site.body


def test_data_that_a_server_calls_a_page(site: Site, tmp_path: Path) -> None:
    site.body, site.kind = b"1 0 d 1\n", "text/html"
    fetch(url=f"{site.address}/a.qrels", sha256=sha(site.body), folder=tmp_path / "x")
    assert (tmp_path / "x/a.qrels").read_bytes() == site.body


def test_a_file_without_end(site: Site, tmp_path: Path) -> None:
    site.body = bytes(2_000_000)
    problem = refusal(f"{site.address}/x", tmp_path / "x", sha(site.body), limit=0.001)
    assert "0.001 GB" in problem.what
    assert "fetch.limit" in problem.fix


def test_silence(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "TIMEOUT", 0.2)

    def silent(handler: Handler) -> None:
        time.sleep(0.5)

    site.body, site.answers = b"x", [silent]
    fetch(url=f"{site.address}/x", sha256=sha(b"x"), folder=tmp_path / "x")
    assert len(site.asked) == 2


# ---- what works --------------------------------------------------------------------------------


def test_redirected_to_http(site: Site, tmp_path: Path) -> None:
    site.body, site.answers = b"x", [redirect("/b"), redirect(f"{site.address}/c")]
    fetch(url=f"{site.address}/a", sha256=sha(b"x"), folder=tmp_path / "x")
    assert site.paths == ["/a", "/b", "/c"]
    assert tree(tmp_path / "x") == {"a": "x"}


def test_address_with_other_letters(site: Site, tmp_path: Path) -> None:
    site.body = b"x"
    fetch(url=f"{site.address}/é/naïve.txt", sha256=sha(b"x"), folder=tmp_path / "x")
    assert site.paths == ["/%C3%A9/na%C3%AFve.txt"]
    assert tree(tmp_path / "x") == {"naïve.txt": "x"}


def test_an_empty_file_is_a_file(site: Site, tmp_path: Path) -> None:
    fetch(url=f"{site.address}/x", sha256=sha(b""), folder=tmp_path / "x")
    assert tree(tmp_path / "x") == {"x": ""}


def test_bytes_are_kept_as_they_are_stored(site: Site, tmp_path: Path) -> None:
    """A server that calls a .gz an encoding: its digest is of the packed bytes."""

    def encoded(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Encoding", "gzip")
        handler.send_header("Content-Length", str(len(site.body)))
        handler.end_headers()
        handler.wfile.write(site.body)

    site.body, site.answers = tar(), [encoded]
    fetch(url=f"{site.address}/x.tar.gz", sha256=sha(site.body), folder=tmp_path / "x")
    assert tree(tmp_path / "x") == FILES


def test_progress_is_shown(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(places, "PROGRESS_EVERY", 0.0)
    site.body, site.answers = bytes(3_000_000), [500]
    fetch(url=f"{site.address}/x", sha256=sha(site.body), folder=tmp_path / "x")
    told = capsys.readouterr().err
    assert f"{site.address}/x: the server responds 500 Internal Server Error; retrying" in told
    assert f"{site.address}/x: 3 of 3 MB" in told


def test_by_way_of_a_proxy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving() as proxy:
        proxy.body = b"x"
        monkeypatch.setenv("http_proxy", proxy.address)
        for name in ("no_proxy", "NO_PROXY", "HTTP_PROXY"):
            monkeypatch.delenv(name, raising=False)
        fetch(url="http://fathom.invalid/x", sha256=sha(b"x"), folder=tmp_path / "x")
        assert proxy.paths == ["http://fathom.invalid/x"]
    problem = refusal("http://fathom.invalid/x", tmp_path / "y", sha(b""))
    assert "4 tries (the proxy does not respond)" in problem.what


# ---- kills, caches, mirrors --------------------------------------------------------------------

PROGRAM = """
import sys
from pathlib import Path
from pipeline.sources.fetch import fetch
from pipeline.sources.places import Places
url, digest, folder, cache = sys.argv[1:]
fetch(Path(folder), url=url, sha256=digest, unpack=True, places=Places(cache=Path(cache)))
"""


def test_a_killed_fetch_is_resumed(site: Site, tmp_path: Path) -> None:
    site.body = tar("w", {"a": "x" * 100_000})
    half = len(site.body) // 2
    sent = threading.Event()

    def stuck(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(site.body)))
        handler.end_headers()
        handler.wfile.write(site.body[:half])
        handler.wfile.flush()
        sent.set()
        while not site.over:
            time.sleep(0.01)

    site.answers = [stuck]
    folder, cache, digest = tmp_path / "one/x", tmp_path / "cache", sha(site.body)
    given = (f"{site.address}/x.tar", digest, str(folder), str(cache))
    command = [sys.executable, "-c", PROGRAM, *given]
    killed = subprocess.Popen(command, cwd=ROOT)
    assert sent.wait(60)
    part = cache / "files" / digest / "part"
    while not (part.exists() and part.stat().st_size == half):
        assert killed.poll() is None
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert not folder.exists()
    assert len(list(part.parent.iterdir())) == 3  # part, lock, and what pooch had begun
    subprocess.run(command, cwd=ROOT, check=True)
    assert site.asked == [None, f"bytes={half}-"]
    assert tree(folder) == {"a": "x" * 100_000}
    assert [path.name for path in folder.parent.iterdir()] == ["x"]
    assert [path.name for path in part.parent.iterdir()] == ["content"]


def test_two_at_once_fetch_once(site: Site, tmp_path: Path) -> None:
    def slow(handler: Handler) -> None:
        time.sleep(0.5)
        handler.site.answers.clear()
        handler.answer()

    site.body, site.answers = tar(), [slow]
    cache, digest = tmp_path / "cache", sha(site.body)
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, f"{site.address}/x.tar.gz", digest,
             str(tmp_path / name / "x"), str(cache)],
            cwd=ROOT,
        )
        for name in ("one", "two")
    ]  # fmt: skip
    assert [process.wait() for process in running] == [0, 0]
    assert len(site.asked) == 2  # one request, which the slow answer counts twice
    assert tree(tmp_path / "one/x") == tree(tmp_path / "two/x") == FILES
    assert [path.name for path in (cache / "files" / digest).iterdir()] == ["content"]


def test_the_cache_serves_when_the_server_is_gone(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with serving() as site:
        site.body = tar()
        url, digest = f"{site.address}/x.tar.gz", sha(site.body)
        fetch(url=url, sha256=digest, folder=tmp_path / "one/x", cache=cache)
    fetch(url=url, sha256=digest, folder=tmp_path / "two/x", cache=cache)
    assert tree(tmp_path / "two/x") == FILES
    problem = refusal(url, tmp_path / "x", "0" * 64, cache=cache)
    assert "4 tries (Connection refused)" in problem.what


def test_offline_with_a_mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    mirror, url = tmp_path / "mirror", "https://fathom.invalid/data/my%20runs.tar.gz?raw=1"
    held = mirror / "fathom.invalid/data/my runs.tar.gz"
    content = tar()
    digest = sha(content)
    problem = refusal(url, tmp_path / "x", digest, mirror=mirror)
    assert "the host fathom.invalid is unknown" in problem.what
    assert problem.fix.endswith(str(held))
    held.parent.mkdir(parents=True)
    held.write_bytes(content)
    fetch(url=url, sha256=digest, folder=tmp_path / "x", mirror=mirror)
    assert tree(tmp_path / "x") == FILES
    problem = refusal(url, tmp_path / "y", "0" * 64, mirror=mirror)
    assert problem.where == str(held)
    assert digest in problem.what
