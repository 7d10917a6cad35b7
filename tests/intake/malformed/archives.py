"""Archives that are broken or were made to do harm: file name, content, what is reported."""

import io
import stat
import struct
import tarfile
import zipfile
from collections.abc import Mapping
from lzma import compress as xz

from tests.intake.malformed.expected import Expected, at

Case = tuple[str, bytes, Expected]
FILES = {"runs/a.txt": "A", "labels.qrels": "L"}


def tar(mode: str = "w:gz", files: Mapping[str, str] = FILES, *, pax: str = "") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            if pax:
                member.pax_headers = {"path": pax}
            archive.addfile(member, io.BytesIO(text.encode()))
    return out.getvalue()


def special(
    kind: bytes, target: str = "", *, name: str = "a", files: Mapping[str, str] = FILES
) -> bytes:
    """A tar with one member that is no file, after some that are."""
    out = io.BytesIO(tar("w", files))
    with tarfile.open(fileobj=out, mode="a") as archive:
        member = tarfile.TarInfo(name)
        member.type, member.linkname = kind, target
        archive.addfile(member)
    return out.getvalue()


def zipped(files: Mapping[str, str] = FILES, *, mode: int = stat.S_IFREG) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            member = zipfile.ZipInfo(name)
            member.external_attr = mode << 16
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, text)
    return out.getvalue()


def method(number: int) -> bytes:
    """A zip whose one member says that it is packed by this method."""
    content = bytearray(zipped({"a.txt": "A"}))
    struct.pack_into("<H", content, 8, number)
    struct.pack_into("<H", content, content.index(b"PK\x01\x02") + 10, number)
    return bytes(content)


def version(number: int) -> bytes:
    """A zip that says it needs a newer program."""
    content = bytearray(zipped({"a.txt": "A"}))
    content[content.index(b"PK\x01\x02") + 6] = number
    return bytes(content)


def locked() -> bytes:
    content = bytearray(zipped({"a.txt": "A"}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def latin(name: str) -> bytes:
    """A tar with a name in Latin-1, as old systems write it."""
    out = io.BytesIO()
    with tarfile.open(
        fileobj=out, mode="w", format=tarfile.GNU_FORMAT, encoding="latin-1"
    ) as archive:
        archive.addfile(tarfile.TarInfo(name))
    return out.getvalue()


def unsafe(*words: str) -> Expected:
    return at(None, "unsafe", *words)


def leaves(name: str) -> Expected:
    return unsafe(f"'{name}' leaves")


def no_name(shown: str) -> Expected:
    return unsafe(shown, "UTF-8")


def unreadable(reason: str) -> Expected:
    return at(None, reason, fix="unpack: false")


NONE = unreadable("unknown")
LONG = "x" * 300
KIND = at(None, "archives", fix=".tar.gz or .zip, or set unpack: false")
EMPTY = at(None, "no file", fix="url")


def twice(name: str) -> Expected:
    return at(None, f"'{name}'", "twice")


def dangling(name: str, target: str) -> Expected:
    return at(None, f"'{name}'", f"'{target}'")


def unknown(number: int) -> Expected:
    return at(None, "'a.txt'", f"method {number}", fix="unpack: false")


def too_long(name: str) -> Expected:
    return at(None, f"'{name[:60]}...'", "long")


BOMB = at(None, "0.001 GB", fix="fetch.limit")  # the tests' limit

ARCHIVES: dict[str, Case] = {
    "tar: ..": ("x.tar", tar("w", {"../evil": "x"}), leaves("../evil")),
    "tar: .. further in": (
        "x.tar", tar("w", {"a/../../evil": "x"}), leaves("a/../../evil"),
    ),
    "tar: absolute": ("x.tar", tar("w", {"/etc/evil": "x"}), leaves("/etc/evil")),
    "tar: symbolic link out": (
        "x.tar", special(tarfile.SYMTYPE, "../../evil"),
        unsafe("'a'", "'../../evil'"),
    ),
    "tar: symbolic link out of a folder": (
        "x.tar", special(tarfile.SYMTYPE, "../../evil", name="runs/a"),
        unsafe("'runs/a'", "'../../evil'"),
    ),
    "tar: absolute symbolic link": (
        "x.tar", special(tarfile.SYMTYPE, "/etc/passwd"),
        unsafe("'a'", "absolute"),
    ),
    "tar: hard link out": (
        "x.tar", special(tarfile.LNKTYPE, "../evil"),
        unsafe("'a'", "'../evil'"),
    ),
    "tar: absolute hard link": (
        "x.tar", special(tarfile.LNKTYPE, "/etc/passwd"),
        unsafe("'a'", "absolute"),
    ),
    "tar: dangling hard link": (
        "x.tar", special(tarfile.LNKTYPE, "runs/none.txt"), dangling("a", "runs/none.txt"),
    ),
    "tar: dangling symbolic link": (
        "x.tar", special(tarfile.SYMTYPE, "none", name="runs/b"), dangling("runs/b", "runs/none"),
    ),
    "tar: a link to itself": ("x.tar", special(tarfile.SYMTYPE, "a"), dangling("a", "a")),
    "tar: a link to a folder": ("x.tar", special(tarfile.SYMTYPE, "runs"), dangling("a", "runs")),
    "tar: a pipe": ("x.tar", special(tarfile.FIFOTYPE), unsafe("'a'", "device")),
    "tar: a device": ("x.tar", special(tarfile.CHRTYPE), unsafe("'a'", "device")),
    "tar: 300 characters": ("x.tar", tar("w", {LONG: "x"}), too_long(LONG)),
    "tar: a folder of 300 characters": (
        "x.tar", tar("w", {f"{LONG}/a": "x"}), too_long(LONG),
    ),
    "tar: a file becomes a folder": (
        "x.tar", tar("w", {"a": "x", "a/b": "x"}), twice("a/b"),
    ),
    "tar: a folder becomes a file": (
        "x.tar", tar("w", {"a/b": "x", "a": "x"}), twice("a"),
    ),
    "tar: a file twice": ("x.tar", tar("w", {"a": "x", "./a": "y"}), twice("a")),
    "tar: a link over a file": (
        "x.tar", special(tarfile.SYMTYPE, "runs/a.txt", name="labels.qrels"),
        twice("labels.qrels"),
    ),
    "tar: a NUL in a name": (
        "x.tar", tar("w", {"a": "x"}, pax="a\0b"),
        no_name("'a\\x00b'"),
    ),
    "tar: a line end in a name": (
        "x.tar", tar("w", {"a\nb": "x"}), no_name("'a\\nb'"),
    ),
    "tar: a name in Latin-1": (
        "x.tar", latin("café.txt"), no_name("'caf\\\\udce9.txt'"),
    ),
    "tar: no file": ("x.tar", tar("w", {}), EMPTY),
    "tar: a bomb": ("x.tar.gz", tar("w:gz", {"a": " " * 1_100_000}), BOMB),
    "tar: many files": (
        "x.tar.gz", tar("w:gz", {str(number): "" for number in range(300)}), BOMB,
    ),
    "tar: bz2 bomb": ("x.tar.bz2", tar("w:bz2", {"a": " " * 1_100_000}), BOMB),
    "tar: a tar in a strange packing": ("x.tar.gz", b"\x28\xb5\x2f\xfd" + bytes(99), NONE),
    "tar: a web page": ("x.tar.gz", b"<html>Sorry", NONE),
    "tar: xz that is none": ("x.tar.xz", b"Sorry", NONE),
    "tar: gzip of something else": ("x.tgz", xz(b"hello"), NONE),
    "tar.gz: cut short": (
        "x.tar.gz", tar("w:gz", {"a": "x" * 9999})[:60],
        unreadable("Compressed file ended before the end-of-stream marker was reached"),
    ),
    "tar.xz: cut short": (
        "x.tar.xz", tar("w:xz", {"a": "x" * 9999})[:-40],
        unreadable("Compressed file ended before the end-of-stream marker was reached"),
    ),
    "tar.gz: its checksum cut off": (
        "x.tar.gz", tar("w:gz", {"a": "x" * 9999})[:-4],
        unreadable("Compressed file ended before the end-of-stream marker was reached"),
    ),
    "tar: cut short": (
        "x.tar", tar("w", {"a": "x" * 9999})[:2000], unreadable("unexpected end of data"),
    ),
    "tar: cut between two files": (
        "x.tar", tar("w", {"a": "x", "b": "y"})[:1024], unreadable("cut short"),
    ),
    "zip: ..": ("x.zip", zipped({"a/../../evil": "x"}), leaves("a/../../evil")),
    "zip: .. of Windows": ("x.zip", zipped({"..\\evil": "x"}), leaves("..\\evil")),
    "zip: absolute": ("x.zip", zipped({"/etc/evil": "x"}), leaves("/etc/evil")),
    "zip: a link": (
        "x.zip", zipped({"a": "/etc/passwd"}, mode=stat.S_IFLNK), unsafe("'a'", "link"),
    ),
    "zip: 300 characters": ("x.zip", zipped({LONG: "x"}), too_long(LONG)),
    "zip: a file becomes a folder": (
        "x.zip", zipped({"a": "x", "a/b": "x"}), twice("a/b"),
    ),
    "zip: a bomb": ("x.zip", zipped({"a": " " * 1_100_000}), BOMB),
    "zip: a bomb in parts": (
        "x.zip", zipped({str(number): " " * 100_000 for number in range(20)}), BOMB,
    ),
    "zip: unknown compression": ("x.zip", method(97), unknown(97)),
    "zip: deflate64": ("x.zip", method(9), unknown(9)),
    "zip: encrypted": (
        "x.zip", locked(), at(None, "'a.txt'", "encrypted"),
    ),
    "zip: cut short": ("x.zip", zipped()[:60], unreadable("File is not a zip file")),
    "zip: the end missing": ("x.zip", zipped()[:-10], unreadable("File is not a zip file")),
    "zip: a web page": ("x.zip", b"<!doctype html>", unreadable("File is not a zip file")),
    "zip: other bytes inside": (
        "x.zip", zipped({"a": "hello hello"}).replace(b"\xcbH\xcd", b"\xcbH\xce"),
        unreadable("Bad CRC-32 for file 'a'"),
    ),
    "zip: of a version to come": (
        "x.zip", version(240), unreadable("zip file version 24.0"),
    ),
    "zip: no file": ("x.zip", zipped({}), EMPTY),
    "zip: only folders": ("x.zip", zipped({"a/": ""}), EMPTY),
    "7z": ("x.7z", b"7z\xbc\xaf", KIND),
    "rar": ("x.rar", b"Rar!", KIND),
    "zstandard": ("x.tar.zst", b"\x28\xb5\x2f\xfd", KIND),
}  # fmt: skip
