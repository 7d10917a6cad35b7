"""Fetching from a server that is good, wrong, flaky or hostile, and from local files."""

import hashlib
import io
import re
import stat
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from pipeline.errors import InputError
from pipeline.sources.fetch import fetch


@dataclass
class Site:
    """What the server holds, how it misbehaves, and what it was asked."""

    address: str = ""
    body: bytes = b""
    answers: list[int | str] = field(default_factory=list)  # used up in turn, then all is well
    ranges: bool = True
    asked: list[str | None] = field(default_factory=list)  # the Range of each request


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setenv("no_proxy", "*")
    state = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            state.asked.append(wanted)
            answer = state.answers.pop(0) if state.answers else 200
            if isinstance(answer, int) and answer != 200:
                self.send_error(answer)
                return
            start = int(wanted[6:-1]) if wanted and state.ranges else 0
            if start >= len(state.body) > 0 and start:
                self.send_error(416)
                return
            rest = state.body[start:]
            self.send_response(206 if start else 200)
            self.send_header("Content-Length", str(len(rest)))
            self.end_headers()
            self.wfile.write(rest[: len(rest) // 2] if answer == "cut" else rest)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    state.address = f"http://127.0.0.1:{server.server_port}"
    yield state
    server.shutdown()
    server.server_close()


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def tar(mode: str = "w:gz", **files: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return out.getvalue()


def tar_link(name: str, target: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = tarfile.SYMTYPE, target
        archive.addfile(member)
    return out.getvalue()


def zipped(files: dict[str, str], *, link: bool = False) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in files.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = (stat.S_IFLNK if link else stat.S_IFREG) << 16
            archive.writestr(member, text)
    return out.getvalue()


def tree(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


FILES = {"runs/a.txt": "A", "labels.qrels": "L"}
ARCHIVES: list[tuple[str, Callable[[], bytes]]] = [
    ("x.tar.gz", lambda: tar("w:gz", **FILES)),
    ("x.tgz", lambda: tar("w:gz", **FILES)),
    ("x.tar.xz", lambda: tar("w:xz", **FILES)),
    ("x.TAR", lambda: tar("w", **FILES)),
    ("x.zip?download=1", lambda: zipped(FILES)),
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


def test_archive_is_kept_when_asked(site: Site, tmp_path: Path) -> None:
    site.body = tar(**FILES)
    fetch(
        url=f"{site.address}/x.tar.gz", sha256=sha(site.body), folder=tmp_path / "x", unpack=False
    )
    assert (tmp_path / "x/x.tar.gz").read_bytes() == site.body


def test_old_folder_is_replaced_whole(site: Site, tmp_path: Path) -> None:
    site.body = tar(**FILES)
    (tmp_path / "x").mkdir()
    (tmp_path / "x/stale").touch()
    fetch(url=f"{site.address}/x.tar.gz", sha256=sha(site.body), folder=tmp_path / "x")
    assert tree(tmp_path / "x") == FILES


def test_local_path_and_file_address(tmp_path: Path) -> None:
    archive = tmp_path / "my archive.tar.gz"
    archive.write_bytes(tar(**FILES))
    for url in (str(archive), archive.as_uri()):
        fetch(url=url, sha256=sha(archive.read_bytes()), folder=tmp_path / "x")
        assert tree(tmp_path / "x") == FILES
        (tmp_path / "x/labels.qrels").unlink()
    assert archive.exists()


@pytest.mark.parametrize("answers", [[503], [500, 502, 504], [429], ["cut"], ["cut", 503, "cut"]])
def test_transient_failures_are_tried_again(
    site: Site, tmp_path: Path, answers: list[int | str]
) -> None:
    site.body, site.answers = tar(**FILES), list(answers)
    fetch(url=f"{site.address}/x.tar.gz", sha256=sha(site.body), folder=tmp_path / "x", pause=0)
    assert tree(tmp_path / "x") == FILES
    assert len(site.asked) == len(answers) + 1


def test_broken_download_is_continued(site: Site, tmp_path: Path) -> None:
    site.body, site.answers = bytes(1000), ["cut"]
    fetch(url=f"{site.address}/x.bin", sha256=sha(site.body), folder=tmp_path / "x", pause=0)
    assert site.asked == [None, "bytes=500-"]
    assert (tmp_path / "x/x.bin").read_bytes() == site.body


def test_server_without_ranges_starts_again(site: Site, tmp_path: Path) -> None:
    site.body, site.answers, site.ranges = bytes(range(100)), ["cut"], False
    fetch(url=f"{site.address}/x.bin", sha256=sha(site.body), folder=tmp_path / "x", pause=0)
    assert (tmp_path / "x/x.bin").read_bytes() == site.body


def test_next_run_continues_where_a_broken_one_stopped(site: Site, tmp_path: Path) -> None:
    site.body, site.answers = bytes(1000), ["cut", 503]
    url, digest = f"{site.address}/x.bin", sha(site.body)
    with pytest.raises(InputError):
        fetch(url=url, sha256=digest, folder=tmp_path / "x", tries=2, pause=0)
    assert not (tmp_path / "x").exists()
    fetch(url=url, sha256=digest, folder=tmp_path / "x", pause=0)
    assert site.asked == [None, "bytes=500-", "bytes=500-"]
    assert (tmp_path / "x/x.bin").read_bytes() == site.body


@pytest.mark.parametrize("left", [b"other", b"other" * 1000])
def test_a_beginning_of_something_else_is_thrown_away(
    site: Site, tmp_path: Path, left: bytes
) -> None:
    site.body = bytes(1000)
    digest = sha(site.body)
    (tmp_path / f".x.{digest[:12]}.part").write_bytes(left)
    fetch(url=f"{site.address}/x.bin", sha256=digest, folder=tmp_path / "x", pause=0)
    assert (tmp_path / "x/x.bin").read_bytes() == site.body
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def refusal(url: str, folder: Path, digest: str) -> str:
    with pytest.raises(InputError) as error:
        fetch(url=url, sha256=digest, folder=folder, pause=0)
    assert not folder.exists()
    return str(error.value).replace(url, "URL")


def test_wrong_digest(site: Site, tmp_path: Path) -> None:
    site.body = tar(**FILES)
    assert refusal(f"{site.address}/x.tar.gz", tmp_path / "x", "0" * 64) == (
        f"URL: the file has the SHA-256 {sha(site.body)}, but the config wants {'0' * 64}; "
        "if the new file is the right one, put its digest in the config"
    )
    assert list(tmp_path.iterdir()) == []


ANSWERS: list[tuple[list[int | str], int, str]] = [
    ([404], 1, "URL: the server answers 404 Not Found; correct the url of this source"),
    ([403], 1, "URL: the server answers 403 Forbidden; correct the url of this source"),
    (
        [503] * 9,
        4,
        "URL: not fetched after 4 tries (the server answers 503 Service Unavailable); "
        "check the address and the network, then run again",
    ),
    (
        ["cut"] * 9,
        4,
        "URL: not fetched after 4 tries (the connection broke off after 937 of 1000 bytes); "
        "check the address and the network, then run again",
    ),
]


@pytest.mark.parametrize(("answers", "asked", "message"), ANSWERS)
def test_answers_that_end_it(
    site: Site, tmp_path: Path, answers: list[int | str], asked: int, message: str
) -> None:
    site.body, site.answers = bytes(1000), list(answers)
    assert refusal(f"{site.address}/x", tmp_path / "x", sha(site.body)) == message
    assert len(site.asked) == asked


def test_nobody_listens(tmp_path: Path, site: Site) -> None:
    message = refusal("http://127.0.0.1:1/x", tmp_path / "x", "0" * 64)
    assert message.startswith("URL: not fetched after 4 tries (")
    assert "refused" in message


HOSTILE: list[tuple[str, Callable[[], bytes], str]] = [
    ("x.tar", lambda: tar("w", **{"../evil": "x"}), r"'\.\./evil' leaves its folder"),
    ("x.tar", lambda: tar("w", **{"/tmp/evil": "x"}), "'/tmp/evil' leaves its folder"),
    ("x.tar", lambda: tar_link("a", "../../evil"), r"'a' would link to .*evil.*outside.*"),
    ("x.tar", lambda: tar_link("a", "/etc/passwd"), r"'a' is a link to an absolute path"),
    ("x.zip", lambda: zipped({"a/../../evil": "x"}), r"'a/\.\./\.\./evil' leaves its folder"),
    ("x.zip", lambda: zipped({"..\\evil": "x"}), r"'\.\.\\evil' leaves its folder"),
    ("x.zip", lambda: zipped({"a": "/etc/passwd"}, link=True), "'a' is a link"),
]


@pytest.mark.parametrize(("name", "make", "reason"), HOSTILE)
def test_hostile_archive(
    site: Site, tmp_path: Path, name: str, make: Callable[[], bytes], reason: str
) -> None:
    site.body = make()
    message = refusal(f"{site.address}/{name}", tmp_path / "deep/x", sha(site.body))
    assert re.fullmatch(rf"URL: unsafe archive \({reason}\); do not use it", message)
    assert list((tmp_path / "deep").iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


@pytest.mark.parametrize("name", ["x.tar.gz", "x.tar.xz", "x.zip", "cut.tar.gz"])
def test_unreadable_archive(site: Site, tmp_path: Path, name: str) -> None:
    site.body = tar(**{"a": "x" * 9999})[:60] if name.startswith("cut") else b"<html>Sorry"
    message = refusal(f"{site.address}/{name}", tmp_path / "x", sha(site.body))
    assert message.startswith("URL: not a readable archive (")
    assert message.endswith("); correct the url, or set unpack: false")


PLACES = [
    ("ftp://a/x.tar", "URL: only http://, https://, file:// and local paths can be fetched"),
    ("no/such.tar", "URL: there is no such file; correct the url of this source"),
    (".", "URL: a folder needs no fetching; use its path in the config itself"),
]


@pytest.mark.parametrize(("url", "message"), PLACES)
def test_places_that_are_none(tmp_path: Path, url: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        fetch(url=url, sha256="0" * 64, folder=tmp_path / "x")
    assert str(error.value) == url + message.removeprefix("URL")


def test_address_of_no_file(site: Site, tmp_path: Path) -> None:
    assert refusal(f"{site.address}/", tmp_path / "x", "0" * 64) == (
        "URL: the address names no file; give the address of the file itself"
    )


def test_a_second_campaign_is_served_from_the_cache(site: Site, tmp_path: Path) -> None:
    site.body = tar("w:gz", **FILES)
    url, digest, cache = f"{site.address}/x.tar.gz", sha(site.body), tmp_path / "cache"
    fetch(url=url, sha256=digest, folder=tmp_path / "one/x", cache=cache)
    fetch(url=url, sha256=digest, folder=tmp_path / "two/x", cache=cache)
    assert len(site.asked) == 1
    assert tree(tmp_path / "one/x") == tree(tmp_path / "two/x") == FILES
    kept = cache / "sha256" / digest
    kept.write_bytes(b"spoilt")  # never trusted by its name alone
    fetch(url=url, sha256=digest, folder=tmp_path / "three/x", cache=cache)
    assert len(site.asked) == 2
    assert tree(tmp_path / "three/x") == FILES
    assert sha(kept.read_bytes()) == digest
    assert [path.name for path in cache.rglob("*")] == ["sha256", digest]


def test_a_cache_that_cannot_be_written(site: Site, tmp_path: Path) -> None:
    site.body, cache = b"x", tmp_path / "cache"
    cache.write_text("a file")
    with pytest.raises(InputError) as error:
        fetch(url=f"{site.address}/x", sha256=sha(b"x"), folder=tmp_path / "x", cache=cache)
    assert str(error.value) == (
        f"{tmp_path}/cache: the cache cannot be written (Not a directory); "
        "set FATHOM_CACHE or fetch.cache to a folder that can"
    )
