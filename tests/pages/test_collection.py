"""Readers of page collections: ids, odd records, shards."""

import gzip
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import InputError, Problem
from pipeline.pages.cleanse.page import LARGEST
from pipeline.pages.collection import document_id, read, share
from tests.intake.malformed.expected import bad_block

DAT = b"""#UID:a.1
#DATE:201204
#URL:http://example.org/1
#CONTENT:<html>
<p>#EOR is not the end, nor
 #EOR
#EOR.
#UID:nor is this</p>
#EOR
#UID:b.2\r
#DATE:201204\r
#URL:http://example.org/2\r
#CONTENT:\r
<p>two</p>\r
#EOR\r
"""


def all_of(*files: Path) -> tuple[list[tuple[str, bytes]], list[Problem]]:
    notes: list[Problem] = []
    return list(read(files, notes=notes)), notes


def test_dat(tmp_path: Path) -> None:
    plain, packed = tmp_path / "x.dat", tmp_path / "y.dat.gz"
    plain.write_bytes(DAT)
    packed.write_bytes(gzip.compress(DAT))
    expected = [
        ("a.1", b"<html>\n<p>#EOR is not the end, nor\n #EOR\n#EOR.\n#UID:nor is this</p>\n"),
        ("b.2", b"\r\n<p>two</p>\r\n"),
    ]
    assert all_of(plain) == (expected, [])
    assert all_of(packed) == (expected, [])


@pytest.mark.parametrize(
    ("tail", "what"),
    [
        (b"#UID:c.3\n#DATE:2012\n#URL:x\n#CONTENT:<p>cut of", "document c.3: it is truncated"),
        (b"#UID:c.3\n#DATE:2012\n", "document c.3: it is truncated"),
        (b"#CONTENT:<p>x\n#EOR\n", "a record without #UID:"),
    ],
)
def test_a_truncated_dat_is_reported_not_fatal(tmp_path: Path, tail: bytes, what: str) -> None:
    path = tmp_path / "x.dat"
    path.write_bytes(DAT + tail)
    pages, notes = all_of(path)
    assert [document for document, _ in pages] == ["a.1", "b.2"]
    (note,) = notes
    assert (note.where, note.severity) == (path, "warning")
    assert what in note.what


WHOLE = gzip.compress(DAT * 2000, compresslevel=1)


@pytest.mark.parametrize(
    "content", [WHOLE[: len(WHOLE) // 2], WHOLE + bad_block(DAT)], ids=["cut", "a bad block"]
)
def test_a_damaged_gzip_gives_what_is_before(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.dat.gz"
    path.write_bytes(content)
    pages, notes = all_of(path)
    assert pages[0][0] == "a.1"
    assert len(notes) == 1


def test_no_more_of_a_page_is_kept_than_is_cleansed(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    path.write_bytes(b"#UID:a\n#CONTENT:" + (b"x" * 999 + b"\n") * 9_000 + b"#EOR\n" + DAT)
    pages, notes = all_of(path)
    assert [document for document, _ in pages] == ["a", "a.1", "b.2"]
    assert LARGEST < len(pages[0][1]) < LARGEST + 2000
    assert notes == []


def warc(records: list[tuple[dict[str, str], bytes]], *, packed: bool) -> bytes:
    """WARC records as written by hand: headers, a blank line, the block."""
    whole = io.BytesIO()
    for headers, block in records:
        lines = {"WARC-Type": "response", "WARC-Date": "2012-02-10T00:00:00Z", **headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        record = f"WARC/1.0\r\n{head}Content-Length: {len(block)}\r\n\r\n".encode() + block
        record += b"\r\n\r\n"
        whole.write(gzip.compress(record) if packed else record)
    return whole.getvalue()


UUID = "7cdd1d1e-9b6b-4d36-8b8a-0b3c4f2f8a11"
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
RECORDS = [
    ({"WARC-Type": "warcinfo", "WARC-Record-ID": "<urn:uuid:0>"}, b"software: x\r\n"),
    (
        {"WARC-TREC-ID": "clueweb12-0000tw-00-00000", "WARC-Record-ID": f"<urn:uuid:{UUID}>"},
        HTTP + b"\r\n<p>one</p>",
    ),
    ({"WARC-Type": "request", "WARC-Record-ID": "<urn:uuid:1>"}, b"GET / HTTP/1.1\r\n\r\n"),
    ({"WARC-Record-ID": f"<urn:uuid:{UUID}>"}, HTTP + b"\r\n<p>two</p>"),
    (
        {"WARC-Record-ID": "<urn:uuid:2>"},
        HTTP + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"<p>three</p>"),
    ),
    ({"WARC-Type": "resource", "WARC-Record-ID": "<urn:uuid:3>"}, b"<p>four</p>"),
]


@pytest.mark.parametrize(("name", "packed"), [("x.warc", False), ("x.warc.gz", True)])
def test_warc(tmp_path: Path, name: str, packed: bool) -> None:
    path = tmp_path / name
    types = [
        ({"Content-Type": "application/http; msgtype=response", **headers}, block)
        if headers.get("WARC-Type") is None
        else (headers, block)
        for headers, block in RECORDS
    ]
    path.write_bytes(warc(types, packed=packed))
    assert all_of(path) == (
        [
            ("clueweb12-0000tw-00-00000", b"<p>one</p>"),
            (UUID, b"<p>two</p>"),
            ("2", b"<p>three</p>"),
            ("3", b"<p>four</p>"),
        ],
        [],
    )


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("cut", [30, 60])
def test_a_truncated_warc_record_is_reported(tmp_path: Path, packed: bool, cut: int) -> None:
    kind = {"Content-Type": "application/http; msgtype=response"}
    block = HTTP + b"\r\n" + b"<p>Some text.</p>" * 30
    records = [({"WARC-TREC-ID": f"d{n}", **kind}, block) for n in range(3)]
    path = tmp_path / ("x.warc.gz" if packed else "x.warc")
    path.write_bytes(warc(records, packed=packed)[:-cut])
    pages, notes = all_of(path)
    assert [document for document, _ in pages] == ["d0", "d1"]
    (note,) = notes
    assert note.where == path
    assert "document d2: it is truncated" in note.what


@pytest.mark.parametrize("damage", [lambda b: b[: len(b) // 2], lambda b: b[:90] + b"\0" * 99])
def test_a_damaged_warc_is_not_fatal(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "x.warc.gz"
    good = warc([({"WARC-TREC-ID": f"d{n}"}, HTTP + b"\r\n<p>one</p>") for n in range(50)],
                packed=True)  # fmt: skip
    path.write_bytes(damage(good))
    pages, _ = all_of(path)
    assert len(pages) < 50


def test_single_pages_plain_and_packed(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<p>one")
    (tmp_path / "b.1_2.htm.gz").write_bytes(gzip.compress(b"<p>two"))
    (tmp_path / "c.gz").write_bytes(b"no gzip")
    pages, _ = all_of(*sorted(tmp_path.iterdir()))
    assert pages == [("a", b"<p>one"), ("b.1_2", b"<p>two"), ("c", b"no gzip")]


def test_a_gzip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.html.gz"
    path.write_bytes(gzip.compress(bytes(50_000_000)))
    ((_, page),) = all_of(path)[0]
    assert len(page) == LARGEST + 1


def test_a_missing_page_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        all_of(tmp_path / "lost.html")
    (problem,) = error.value.problems
    assert problem.where == tmp_path / "lost.html"
    assert "No such file" in problem.what


def test_two_pages_of_one_document_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        all_of(tmp_path / "a/d.html", tmp_path / "b/d.html")
    (problem,) = error.value.problems
    assert problem.where == tmp_path / "b/d.html"
    assert str(tmp_path / "a/d.html") in problem.what


@pytest.mark.parametrize(
    ("name", "document"),
    [("a.html", "a"), ("a.HTM.gz", "a"), ("a.1_2", "a.1_2"), ("a.xhtml", "a"), ("a.txt", "a.txt")],
)
def test_document_ids(name: str, document: str) -> None:
    assert document_id(Path("x") / name) == document


def collection(folder: Path, containers: int) -> list[Path]:
    """A few single pages and containers of five pages each."""
    files = []
    for n in range(20):
        files.append(folder / f"single-{n}.html")
        files[-1].write_bytes(b"<p>one")
    for n in range(containers):
        files.append(folder / f"box-{n}.dat")
        files[-1].write_bytes(
            b"".join(b"#UID:boxed-%d-%d\n#CONTENT:\n<p>\n#EOR\n" % (n, m) for m in range(5))
        )
    return files


@pytest.mark.parametrize("containers", [0, 1, 3, 40])
def test_shards_part_the_collection(tmp_path: Path, containers: int) -> None:
    files = collection(tmp_path, containers)
    parts = [
        [document for document, _ in read(files, notes=[], shard=shard, shards=3)]
        for shard in range(3)
    ]
    every = [document for part in parts for document in part]
    assert sorted(every) == sorted(document for document, _ in all_of(*files)[0])
    assert len(set(every)) == len(every) == 20 + 5 * containers
    assert all(parts)


def test_many_containers_are_each_opened_by_one_shard(tmp_path: Path) -> None:
    files = collection(tmp_path, 40)
    opened = [share(files, shard=shard, shards=3) for shard in range(3)]
    assert sorted(path for part in opened for path in part) == sorted(files)
    # and a new one moves no other
    more = [*files, tmp_path / "box-new.dat"]
    assert all(set(opened[s]) <= set(share(more, shard=s, shards=3)) for s in range(3))


def test_only_wanted_documents_are_read(tmp_path: Path) -> None:
    files = collection(tmp_path, 3)
    wanted = {"single-3", "boxed-2-4", "nowhere"}
    assert {d for d, _ in read(files, notes=[], documents=wanted)} == {"single-3", "boxed-2-4"}


def test_a_dat_record_without_end_does_not_swallow_the_next(tmp_path: Path) -> None:
    path = tmp_path / "x.dat"
    lost = b"#UID:lost\n#DATE:2012\n#URL:x\n#CONTENT:<p>cut\n"
    path.write_bytes(lost + DAT + lost + DAT.replace(b"#UID:a.1", b"#UID:z.9"))
    pages, notes = all_of(path)
    assert [document for document, _ in pages] == ["a.1", "b.2", "z.9", "b.2"]
    assert ["document lost: it has no #EOR" in note.what for note in notes] == [True, True]


def bad_warc(damage: str, *, packed: bool) -> bytes:
    """Six records, of which the second and the fifth are damaged."""
    parts = []
    for n in range(1, 7):
        one = warc([({"WARC-TREC-ID": f"d{n}"}, HTTP + b"\r\n<p>one</p>")], packed=False)
        if n in (2, 5) and damage == "magic":
            one = b"X" + one[1:]
        if n in (2, 5) and damage == "length":
            one = re.sub(rb"Content-Length: \d+", b"Content-Length: 99999", one, count=1)
        one = gzip.compress(one) if packed else one
        if n in (2, 5) and damage == "bytes":
            one = one[:20] + b"\0" * 20 + one[40:]
        parts.append(one)
    return b"".join(parts)


@pytest.mark.parametrize(
    ("damage", "packed"),
    [("magic", False), ("magic", True), ("length", False), ("length", True), ("bytes", True)],
)
def test_a_bad_warc_record_does_not_lose_what_follows(
    tmp_path: Path, damage: str, packed: bool
) -> None:
    path = tmp_path / ("x.warc.gz" if packed else "x.warc")
    path.write_bytes(bad_warc(damage, packed=packed))
    pages, notes = all_of(path)
    assert [document for document, _ in pages] == ["d1", "d3", "d4", "d6"]
    assert {page for _, page in pages} == {HTTP + b"\r\n<p>one</p>"}
    what = {"length": "truncated", "magic": "Invalid WARC header"}.get(damage, "cannot be read")
    assert [what in note.what for note in notes] == [True, True]
