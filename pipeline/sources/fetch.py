"""Fetching a pinned file: the same bytes for everybody, or a clear refusal.

What arrives is checked against its SHA-256 before anything looks inside. A download that breaks off
is continued, also by a later run; the folder appears under its name only when complete.
"""

import hashlib
import http.client
import shutil
import stat
import sys
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request
import zipfile
import zlib
from lzma import LZMAError
from pathlib import Path, PurePosixPath

from pipeline.errors import InputError
from pipeline.sources.places import folder_in
from pipeline.storage.atomic import atomic, atomic_folder

TRANSIENT = {408, 425, 429, 500, 502, 503, 504}
TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
CHUNK = 1 << 20


def fetch(
    *,
    url: str,
    sha256: str,
    folder: Path,
    unpack: bool = True,
    cache: Path | None = None,
    tries: int = 4,
    pause: float = 1.0,
    timeout: float = 30.0,
) -> None:
    """Fill `folder` with the archive at `url`, or with the one file if it is none.

    `url` is http(s), file:// or a local path; what comes from http(s) stays in the `cache` under
    its digest, for other campaigns. Transient failures are tried `tries` times, with a
    pause that doubles from `pause` seconds.
    """
    wanted = sha256.lower()
    name = PurePosixPath(urllib.parse.unquote(urllib.parse.urlsplit(url).path)).name
    local = _local(url)
    if local is not None:
        name = local.name
        _check(local, url=url, wanted=wanted)
        _fill(folder, file=local, name=name, unpack=unpack, url=url)
        return
    if not name:
        raise InputError(f"{url}: the address names no file; give the address of the file itself")
    kept = folder_in(cache, "sha256") / wanted if cache else None
    if kept and kept.is_file() and _digest(kept) == wanted:
        _fill(folder, file=kept, name=name, unpack=unpack, url=url)
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(f".{folder.name}.{wanted[:12]}.part")
    if not (part.exists() and _digest(part) == wanted):  # else: killed before it was unpacked
        continued = part.exists()
        _download(url, part=part, tries=tries, pause=pause, timeout=timeout)
        if continued and _digest(part) != wanted:  # the beginning may be of an older version
            part.unlink()
            _download(url, part=part, tries=tries, pause=pause, timeout=timeout)
    try:
        _check(part, url=url, wanted=wanted)
        if kept:
            with atomic(kept) as draft:
                shutil.copyfile(part, draft)
        _fill(folder, file=part, name=name, unpack=unpack, url=url)
    finally:
        part.unlink(missing_ok=True)


def _local(url: str) -> Path | None:
    """The local file behind a file:// address or plain path; None for http(s)."""
    if "://" not in url:
        path = Path(url)
    else:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme in {"http", "https"}:
            return None
        if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
            raise InputError(
                f"{url}: only http://, https://, file:// and local paths can be fetched"
            )
        path = Path(urllib.request.url2pathname(parts.path))
    if not path.is_file():
        if path.is_dir():
            raise InputError(
                f"{url}: a folder needs no fetching; use its path in the config itself"
            )
        raise InputError(f"{url}: there is no such file; correct the url of this source")
    return path


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _check(path: Path, *, url: str, wanted: str) -> None:
    found = _digest(path)
    if found != wanted:
        raise InputError(
            f"{url}: the file has the SHA-256 {found}, but the config wants {wanted}; "
            "if the new file is the right one, put its digest in the config"
        )


def _download(url: str, *, part: Path, tries: int, pause: float, timeout: float) -> None:
    """Bring all of `url` into `part`, continuing what is there."""
    reason = ""
    for attempt in range(tries):
        if attempt:
            time.sleep(pause * 2 ** (attempt - 1))
            print(f"{url}: {reason}; trying again", file=sys.stderr)
        try:
            _stream(url, part=part, timeout=timeout)
            return
        except urllib.error.HTTPError as error:
            reason = f"the server answers {error.code} {error.reason}"
            if error.code == 416:  # nothing to continue: what is there is not part of this file
                part.unlink(missing_ok=True)
            elif error.code not in TRANSIENT:
                raise InputError(f"{url}: {reason}; correct the url of this source") from None
        except urllib.error.URLError as error:
            reason = str(error.reason)
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
    raise InputError(
        f"{url}: not fetched after {tries} tries ({reason}); "
        "check the address and the network, then run again"
    )


def _stream(url: str, *, part: Path, timeout: float) -> None:
    start = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"User-Agent": "fathom"})
    if start:
        request.add_header("Range", f"bytes={start}-")
    with urllib.request.urlopen(request, timeout=timeout) as response:
        if response.status != 206:  # the server sends everything, so begin again
            start = 0
        length = response.headers.get("Content-Length")
        total = start + int(length) if length else None
        with part.open("ab" if start else "wb") as file:
            done, told = start, time.monotonic()
            while chunk := response.read(CHUNK):
                file.write(chunk)
                done += len(chunk)
                if time.monotonic() - told > 5:
                    of = f" of {total >> 20}" if total else ""
                    print(f"{url}: {done >> 20}{of} MB", file=sys.stderr)
                    told = time.monotonic()
    if total is not None and done < total:
        raise ConnectionError(f"the connection broke off after {done} of {total} bytes")


def _fill(folder: Path, *, file: Path, name: str, unpack: bool, url: str) -> None:
    """Make the folder beside its place, then move it there whole."""
    with atomic_folder(folder) as draft:
        try:
            if unpack and name.lower().endswith(TARS):
                _untar(file, draft, url=url)
            elif unpack and name.lower().endswith(".zip"):
                _unzip(file, draft, url=url)
            else:
                shutil.copyfile(file, draft / name)
        except tarfile.FilterError as error:
            raise InputError(f"{url}: unsafe archive ({error}); do not use it") from None
        except (tarfile.TarError, zipfile.BadZipFile, zlib.error, LZMAError, EOFError) as error:
            raise InputError(
                f"{url}: not a readable archive ({error}); correct the url, or set unpack: false"
            ) from None


def _untar(file: Path, draft: Path, *, url: str) -> None:
    with tarfile.open(file) as archive:
        for member in archive:
            _refuse_outside(member.name, url=url)
            archive.extract(member, draft, filter="data")


def _unzip(file: Path, draft: Path, *, url: str) -> None:
    """zipfile would repair bad names in silence; we refuse them."""
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            _refuse_outside(member.filename, url=url)
            if stat.S_ISLNK(member.external_attr >> 16):
                raise InputError(
                    f"{url}: unsafe archive ('{member.filename}' is a link); do not use it"
                )
            if member.flag_bits & 1:
                raise InputError(
                    f"{url}: '{member.filename}' is encrypted; give an archive without password"
                )
            archive.extract(member, draft)


def _refuse_outside(name: str, *, url: str) -> None:
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts:
        raise InputError(f"{url}: unsafe archive ('{name}' leaves its folder); do not use it")
