"""Guarded unpacking: nothing outside the folder, no links, no more than the limit.

Neither tarfile nor zipfile bounds what it writes, and both repair in silence: zipfile changes
names, tarfile leaves out a hard link whose file is not there. So they only read here.
"""

import errno
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import IO

from pipeline.errors import InputError, Problem
from pipeline.storage.text import cut

TARS = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
ZIPS = (".zip",)
OTHERS = (".7z", ".rar", ".tar.zst", ".tzst", ".tar.lz", ".tar.lz4", ".tar.lzma", ".tar.z")
BLOCK = 4096  # what a file takes on a disk at least, so that empty ones count too
CHUNK = 1 << 20
# What the libraries raise on bytes that are no archive, or one of a kind they do not know.
BROKEN = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, LZMAError, EOFError, OSError),
    *(NotImplementedError, ValueError, OverflowError, struct.error),
)


def is_archive(name: str) -> bool:
    """Whether a file of this name is unpacked."""
    return name.lower().endswith((*TARS, *ZIPS))


@dataclass(kw_only=True)
class Unpacked:
    """A folder being filled from an archive."""

    folder: Path
    url: str  # for messages
    most: int  # bytes
    size: int = 0
    links: dict[PurePosixPath, PurePosixPath] = field(default_factory=dict)

    def tar(self, file: Path) -> None:
        """All of a tar file, plain or packed; a link becomes a copy of the file it names."""
        with tarfile.open(file) as archive:
            for member in archive:
                name = self.named(member.name)
                if member.isdir():
                    self.make(name)
                elif member.isreg():
                    content = archive.extractfile(member)
                    assert content is not None
                    self.write(name, content, size=member.size)
                elif member.issym() or member.islnk():
                    beside = name.parent if member.issym() else PurePosixPath()
                    self.link(name, member.linkname, beside=beside)
                else:
                    raise self.unsafe(f"'{cut(member.name)}' is a device or a pipe")
            self.drain(archive)
        self.follow()

    def zip(self, file: Path) -> None:
        """All of a zip file."""
        with zipfile.ZipFile(file) as archive:
            for member in archive.infolist():
                name = self.named(member.filename)
                if stat.S_ISLNK(member.external_attr >> 16):
                    raise self.unsafe(f"'{cut(member.filename)}' is a link")
                if member.flag_bits & 1:
                    fix = "give an archive without password"
                    raise self.refuse(member.filename, "is encrypted", fix)
                if member.is_dir():
                    self.make(name)
                    continue
                try:
                    content = archive.open(member)
                except NotImplementedError:
                    raise self.refuse(
                        member.filename,
                        f"is packed in a way that is unknown here (method {member.compress_type})",
                        "pack it as .tar.gz, or set unpack: false",
                    ) from None
                with content:
                    self.write(name, content, size=member.file_size)

    def drain(self, archive: tarfile.TarFile) -> None:
        """Read on to the end, where checksums stand; tarfile takes a cut between files for one."""
        rest = archive.fileobj
        assert rest is not None
        rest.seek(archive.offset)
        if not rest.read(tarfile.BLOCKSIZE):
            raise EOFError
        while piece := rest.read(CHUNK):
            self.count(len(piece))

    def named(self, name: str) -> PurePosixPath:
        """The name of a member, if it is one inside the folder."""
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts:
            raise self.unsafe(f"'{cut(name)}' leaves its folder")
        if not name.isprintable():  # control characters, and bytes that are not UTF-8
            shown = cut(name.encode(errors="backslashreplace").decode())
            raise self.unsafe(f"{shown!r} is no name for a file, in UTF-8")
        return PurePosixPath(name)

    def make(self, name: PurePosixPath) -> None:
        """A folder."""
        with self.naming(name):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def write(self, name: PurePosixPath, content: IO[bytes], *, size: int) -> None:
        """A file, of as many bytes as are there, whatever `size` the archive says it has."""
        self.count(max(size, BLOCK))
        place, written = self.folder / name, 0
        with self.naming(name):
            place.parent.mkdir(parents=True, exist_ok=True)
            with place.open("xb") as out:
                while piece := content.read(CHUNK):
                    written += len(piece)
                    if written > max(size, BLOCK):
                        self.count(len(piece))
                    out.write(piece)

    def link(self, name: PurePosixPath, target: str, *, beside: PurePosixPath) -> None:
        """A link to a file of the archive, to be copied when all files are there."""
        if target.startswith("/"):
            raise self.unsafe(f"'{cut(str(name))}' is a link to an absolute path")
        path = PurePosixPath(normpath(beside / target))
        if ".." in path.parts:
            what = f"'{cut(str(name))}' would link to '{cut(target)}', outside its folder"
            raise self.unsafe(what)
        self.links[name] = path

    def follow(self) -> None:
        """Copy what the links name; a link may name a link."""
        while self.links:
            ready = [one for one, to in self.links.items() if (self.folder / to).is_file()]
            for name in ready:
                source = self.folder / self.links.pop(name)
                with source.open("rb") as content:
                    self.write(name, content, size=source.stat().st_size)
            if not ready:
                name, target = next(iter(self.links.items()))
                what = f"links to '{cut(str(target))}', which is no file of the archive"
                raise self.refuse(name, what, "give one that holds the file itself")

    def count(self, size: int) -> None:
        """Refuse to write more than the limit, before it is written."""
        self.size += size
        if self.size > self.most:
            what = f"the archive unpacks to more than {self.most / 1e9:g} GB"
            fix = "give a higher limit with fetch.limit if it is meant"
            raise InputError(Problem(self.url, what, fix))

    def unsafe(self, reason: str) -> InputError:
        """The error about an archive that was built to do harm, or might."""
        return InputError(Problem(self.url, f"unsafe archive ({reason})", "do not use it"))

    def refuse(self, name: str | PurePosixPath, what: str, fix: str) -> InputError:
        """The error about one member."""
        return InputError(Problem(self.url, f"'{cut(str(name))}' {what}", fix))

    @contextmanager
    def naming(self, name: PurePosixPath) -> Iterator[None]:
        """Errors of the disk name the member."""
        try:
            yield
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            what = "is in the archive twice, or is a file and a folder at once"
            raise self.refuse(name, what, "give an archive with one of them") from None
        except OSError as error:
            if error.errno is None:  # of the archive, not of the disk
                raise
            what = f"cannot be written ({error.strerror})"
            fix = "make room, or work in a folder that can be written"
            if error.errno == errno.ENAMETOOLONG:
                what = "is too long a name for a file here"
                fix = "give an archive with shorter ones"
            raise self.refuse(name, what, fix) from None


def fill(folder: Path, *, file: Path, name: str, unpack: bool, url: str, most: int) -> None:
    """Put an archive's files into the folder, or the file itself under its name."""
    into = Unpacked(folder=folder, url=url, most=most)
    if unpack and name.lower().endswith(OTHERS):
        fix = "give a .tar.gz or .zip, or set unpack: false"
        raise InputError(Problem(url, "archives of this kind cannot be unpacked here", fix))
    if not (unpack and is_archive(name)):
        with into.naming(PurePosixPath(name)):
            shutil.copyfile(file, folder / name)
        return
    try:
        (into.zip if name.lower().endswith(ZIPS) else into.tar)(file)
    except BROKEN as error:
        fix = "correct the url, or set unpack: false"
        raise InputError(Problem(url, f"not a readable archive ({_reason(error)})", fix)) from None
    if not any(path.is_file() for path in folder.rglob("*")):
        fix = "correct the url of this source"
        raise InputError(Problem(url, "the archive holds no file", fix))


def _reason(error: Exception) -> str:
    """In one line: tarfile tells what each of its methods said."""
    text = str(error)
    if "could not be opened successfully" in text:
        return "it is none, or packed in a way that is unknown here"
    return text.partition("\n")[0] or "it is cut short"
