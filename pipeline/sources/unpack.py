"""Safe unpacking of archives: nothing outside the folder, no links, a limit on the size.

Neither tarfile nor zipfile limits what it writes, and both silently change the content: zipfile
changes names, tarfile omits a hard link whose target is missing. So they are used for reading only.
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
BLOCK = 4096  # bytes a file takes on a disk at least, so that empty files count
CHUNK = 1 << 20
# Exceptions of the libraries on bytes that are not an archive, or one of an unknown kind.
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
        """Unpack a tar file, compressed or not; a link becomes a copy of its target."""
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
        with zipfile.ZipFile(file) as archive:
            for member in archive.infolist():
                name = self.named(member.filename)
                if stat.S_ISLNK(member.external_attr >> 16):
                    raise self.unsafe(f"'{cut(member.filename)}' is a link")
                if member.flag_bits & 1:
                    fix = "use an archive without a password"
                    raise self.refuse(member.filename, "is encrypted", fix)
                if member.is_dir():
                    self.make(name)
                    continue
                try:
                    content = archive.open(member)
                except NotImplementedError:
                    what = f"is packed with the unsupported method {member.compress_type}"
                    fix = "pack it as .tar.gz, or set unpack: false"
                    raise self.refuse(member.filename, what, fix) from None
                with content:
                    self.write(name, content, size=member.file_size)

    def drain(self, archive: tarfile.TarFile) -> None:
        """Read to the end to check the checksums: tarfile accepts a file cut between members."""
        rest = archive.fileobj
        assert rest is not None
        rest.seek(archive.offset)
        if not rest.read(tarfile.BLOCKSIZE):
            raise EOFError
        while piece := rest.read(CHUNK):
            self.count(len(piece))

    def named(self, name: str) -> PurePosixPath:
        """The path of a member; refused unless it is inside the folder."""
        path = PurePosixPath(name.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts:
            raise self.unsafe(f"'{cut(name)}' leaves its folder")
        if not name.isprintable():  # control characters, and bytes that are not UTF-8
            readable = cut(name.encode(errors="backslashreplace").decode())
            raise self.unsafe(f"{readable!r} is not a valid file name in UTF-8")
        return PurePosixPath(name)

    def make(self, name: PurePosixPath) -> None:
        with self.naming(name):
            (self.folder / name).mkdir(parents=True, exist_ok=True)

    def write(self, name: PurePosixPath, content: IO[bytes], *, size: int) -> None:
        """Write a file, and count its actual bytes if the archive understates its `size`."""
        self.count(max(size, BLOCK))
        target, size_out = self.folder / name, 0
        with self.naming(name):
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("xb") as out:
                while piece := content.read(CHUNK):
                    size_out += len(piece)
                    if size_out > max(size, BLOCK):
                        self.count(len(piece))
                    out.write(piece)

    def link(self, name: PurePosixPath, target: str, *, beside: PurePosixPath) -> None:
        """Remember a link to a file of the archive, to copy its target at the end."""
        if target.startswith("/"):
            raise self.unsafe(f"'{cut(str(name))}' is a link to an absolute path")
        path = PurePosixPath(normpath(beside / target))
        if ".." in path.parts:
            what = f"'{cut(str(name))}' would link to '{cut(target)}', outside its folder"
            raise self.unsafe(what)
        self.links[name] = path

    def follow(self) -> None:
        """Copy the targets of the links; a link may point to a link."""
        while self.links:
            ready = [link for link, to in self.links.items() if (self.folder / to).is_file()]
            for name in ready:
                source = self.folder / self.links.pop(name)
                with source.open("rb") as content:
                    self.write(name, content, size=source.stat().st_size)
            if not ready:
                name, target = next(iter(self.links.items()))
                what = f"links to '{cut(str(target))}', which is not a file of the archive"
                raise self.refuse(name, what, "use an archive that contains the file itself")

    def count(self, size: int) -> None:
        """Refuse to write more than the limit; called before writing."""
        self.size += size
        if self.size > self.most:
            what = f"the archive unpacks to more than {self.most / 1e9:g} GB"
            fix = "set a higher fetch.limit if the archive is right"
            raise InputError(Problem(self.url, what, fix))

    def unsafe(self, reason: str) -> InputError:
        return InputError(Problem(self.url, f"unsafe archive ({reason})", "use another archive"))

    def refuse(self, name: str | PurePosixPath, what: str, fix: str) -> InputError:
        return InputError(Problem(self.url, f"'{cut(str(name))}' {what}", fix))

    @contextmanager
    def naming(self, name: PurePosixPath) -> Iterator[None]:
        """Convert errors of the disk into problems that name the member."""
        try:
            yield
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            what = "is in the archive twice, or is a file and a folder at once"
            raise self.refuse(name, what, "use an archive without duplicates") from None
        except OSError as error:
            if error.errno is None:  # of the archive, not of the disk
                raise
            what = f"cannot be written ({error.strerror})"
            fix = "free disk space, or work in a writable folder"
            if error.errno == errno.ENAMETOOLONG:
                what = "is too long for a file name on this system"
                fix = "use an archive with shorter names"
            raise self.refuse(name, what, fix) from None


def fill(folder: Path, *, file: Path, name: str, unpack: bool, url: str, most: int) -> None:
    """Unpack an archive into the folder, or copy any other file there under its name."""
    into = Unpacked(folder=folder, url=url, most=most)
    if unpack and name.lower().endswith(OTHERS):
        fix = "use a .tar.gz or .zip, or set unpack: false"
        raise InputError(Problem(url, "archives of this kind cannot be unpacked", fix))
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
        raise InputError(Problem(url, "the archive contains no file", fix))


def _reason(error: Exception) -> str:
    """The reason in one line; tarfile reports that of each of its methods."""
    text = str(error)
    if "could not be opened successfully" in text:
        return "not an archive, or of an unknown kind"
    return text.partition("\n")[0] or "it is cut short"
