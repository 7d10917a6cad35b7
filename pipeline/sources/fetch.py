"""Fetching a pinned file: the same bytes for everybody, or a clear refusal.

What arrives is checked against its SHA-256 before anything looks inside, and stays in the cache
under that digest, for all campaigns. A download that breaks off is continued, also by a later
run; the folder appears under its name only when complete.
"""

import logging
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pooch

from pipeline.errors import InputError
from pipeline.sources import addresses
from pipeline.sources.deadline import Deadline
from pipeline.sources.download import PAGES, Download, looks_like_page, wrong_digest
from pipeline.sources.places import DEADLINE, LIMIT, folder_in, unwritable
from pipeline.sources.unpack import fill, is_archive
from pipeline.storage.atomic import atomic_folder

CONTENT, PART, LOCK = "content", "part", "lock"


def fetch(
    *,
    url: str,
    sha256: str,
    folder: Path,
    unpack: bool = True,
    mirror: Path | None = None,
    cache: Path | None = None,
    deadline: float = DEADLINE,
    limit: float = LIMIT,
    tries: int = 4,
    pause: float = 1.0,
    timeout: float = 30.0,
) -> None:
    """Fill `folder` with the archive at `url`, or with the one file if it is none.

    `url` is http(s), file:// or a local path; what is at an http(s) address is taken from the
    `mirror`, else from the cache, else from the net, within `deadline` seconds. An archive may
    unpack to `limit` GB.
    """
    if addresses.secret(url):
        raise InputError(f"the address of a source {addresses.SECRET}")
    if wrong := addresses.fault(url):
        raise InputError(f"{url}: {wrong}")
    wanted, most = sha256.lower(), int(limit * 1e9)

    def into(file: Path, name: str) -> None:
        with atomic_folder(folder) as draft:
            fill(draft, file=file, name=name, unpack=unpack, url=url, most=most)

    found = addresses.local(url)
    if found is not None:
        _check(found, url=url, wanted=wanted)
        into(found, found.name)
        return
    name = addresses.name(url)
    copy = addresses.mirrored(url, mirror)
    if copy is not None and copy.is_file():
        _check(copy, url=str(copy), wanted=wanted)
        into(copy, name)
        return
    until = Deadline.after(deadline, url=url)
    with _entry(folder, cache=cache, digest=wanted, deadline=until) as entry:
        kept = entry / CONTENT
        download = Download(
            part=entry / PART, sha256=wanted, deadline=until, most=most,
            tries=tries, pause=pause, timeout=timeout,
        )  # fmt: skip
        try:
            _retrieve(url, wanted, entry=entry, downloader=download)
        except InputError as error:
            if copy is None:
                raise
            raise InputError(f"{error}; the mirror would have it as {copy}") from None
        if not (unpack and is_archive(name)) and not name.lower().endswith(PAGES):
            _refuse_page(kept, url=url)
        into(kept, name)


def _retrieve(url: str, digest: str, *, entry: Path, downloader: Download) -> None:
    """Have pooch look into the cache, and download what is not there or spoilt."""
    pooch.get_logger().setLevel(logging.WARNING)
    pooch.retrieve(url, f"sha256:{digest}", fname=CONTENT, path=entry, downloader=downloader)


@contextmanager
def _entry(folder: Path, *, cache: Path | None, digest: str, deadline: Deadline) -> Iterator[Path]:
    """The folder of one digest in the cache, ours alone as long as it is used.

    Without a cache it is a folder beside the source, which goes once that is made.
    """
    beside = folder.parent / f".fetch-{digest[:12]}"
    while True:
        entry = folder_in(cache, "files", digest) if cache else beside
        entry.mkdir(parents=True, exist_ok=True)
        try:
            lock = (entry / LOCK).open("w")
        except FileNotFoundError:  # whom we met was just leaving
            continue
        except OSError as error:
            raise unwritable(cache or beside, error) from None
        with lock:
            deadline.lock(lock.fileno())
            if os.fstat(lock.fileno()).st_nlink == 0:  # whom we waited for took it away
                continue
            for left in entry.iterdir():  # what a killed one left; nobody else is here
                if left.name not in {CONTENT, PART, LOCK}:
                    left.unlink()
            try:
                yield entry
                if cache is None:
                    shutil.rmtree(entry)
            finally:
                (entry / LOCK).unlink(missing_ok=True)
                with suppress(OSError):  # it holds something
                    entry.rmdir()
            return


def _check(path: Path, *, url: str, wanted: str) -> None:
    found = pooch.file_hash(str(path))
    if found != wanted:
        raise wrong_digest(url, found=found, wanted=wanted)


def _refuse_page(kept: Path, *, url: str) -> None:
    """A page with the right digest: somebody took the digest of an error."""
    if looks_like_page(kept):
        kept.unlink()
        raise InputError(
            f"{url}: this is a web page, not a file of data, though the config has its digest; "
            "give the address and the digest of the file itself"
        )
