"""Cleansing: what is read stays, what is furniture goes, and every page gets an answer."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from pipeline.cleanse import clean, cleanse, decode
from pipeline.errors import InputError


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>One.</p><p>Two.</p>", "One.\nTwo."),
        ("<h1>Asthma</h1>It is common.", "Asthma\nIt is common."),
        ("<ul><li>cough<li>wheeze</ul>", "cough\nwheeze"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a\nb\nc"),
        ("<p>wheez<b>ing</b> and <i>cough</i></p>", "wheezing and cough"),
        ("<p>line\n  break\tin   source</p>", "line break in source"),
        ("<p>a&nbsp;b &amp; c</p>", "a b & c"),
        ("<p>a</p><!-- not this --><p>b</p>", "a\nb"),
        ("<p>a<script>no()</script>b</p>", "a b"),
        ("<title>no</title><style>p{}</style><p>a</p>", "a"),
        ("<nav>n</nav><header>n</header><p>a</p><footer>n</footer><aside>n</aside>", "a"),
        ("<form>n<input><button>n</button></form><noscript>n</noscript>a", "a"),
        ("<div role=navigation>n</div><div role=banner>n</div><p>a</p>", "a"),
        ("<p hidden>n</p><p>a</p>", "a"),
        ("<dl><dt>term<dd>meaning</dl>", "term\nmeaning"),
        ('<?xml version="1.0" encoding="utf-8"?><html><body><p>a</p></body></html>', "a"),
        ("no markup at all", "no markup at all"),
        ("<p>unclosed <b>tags", "unclosed tags"),
        ("<div>" * 5000 + "deep" + "</div>" * 5000, "deep"),
    ],
)
def test_text_of_a_page(html: str, text: str) -> None:
    assert clean(html.encode()) == (text, "")


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"%PDF-1.4 ...", "binary"),
        (b"\x1f\x8b\x08\x00", "binary"),
        (b"<p>a\x00b</p>", "binary"),
        (b"<html><body></body></html>", "no text"),
        (b"<script>only()</script>", "no text"),
        (b"<nav>menu</nav><img src=a>", "no text"),
        (b"\xef\xbb\xbf", "no text"),
    ],
)
def test_a_page_without_text_gets_a_reason(page: bytes, reason: str) -> None:
    assert clean(page) == ("", reason)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("café".encode(), "café"),
        (b"\xef\xbb\xbf" + "café".encode(), "café"),
        (b"\xff\xfe" + "café".encode("utf-16-le"), "café"),
        (b"\xfe\xff" + "café".encode("utf-16-be"), "café"),
        (b'<meta charset="iso-8859-2">' + "żółć".encode("iso-8859-2"), "żółć"),
        (b"<meta content='text/html; charset=koi8-r'>" + "да".encode("koi8-r"), "да"),
        (b'<?xml version="1.0" encoding="iso-8859-7"?>' + "δώδ".encode("iso-8859-7"), "δώδ"),
        (b'<meta charset="iso-8859-1">' + "café".encode(), "café"),  # declared wrongly
        (b'<meta charset="no-such-thing">caf\xe9', "café"),
        (b"caf\xe9 \x93quoted\x94", "café “quoted”"),
        (b"caf\xe9 \x81", "café \ufffd"),
    ],
)
def test_decoding(page: bytes, text: str) -> None:
    assert decode(page).endswith(text)


def write_pages(folder: Path, number: int) -> list[tuple[str, Path]]:
    files = []
    for n in range(number):
        path = folder / f"doc-{n:04d}.html"
        path.write_text("" if n % 10 == 3 else f"<h1>Page {n}</h1><p>Text.</p>")
        files.append((path.stem, path))
    return files


@pytest.mark.parametrize("threads", [1, 2])
def test_step_writes_every_page_in_order(tmp_path: Path, threads: int) -> None:
    files = write_pages(tmp_path, 250)
    cleanse(files, out=tmp_path / "new" / "text.parquet", threads=threads)
    table = pq.read_table(tmp_path / "new" / "text.parquet")
    assert [(f.name, str(f.type)) for f in table.schema] == [
        ("document", "string"),
        ("text", "string"),
        ("reason", "string"),
    ]
    rows = table.to_pylist()
    assert [row["document"] for row in rows] == [document for document, _ in files]
    assert rows[0] == {"document": "doc-0000", "text": "Page 0\nText.", "reason": ""}
    assert rows[13] == {"document": "doc-0013", "text": "", "reason": "empty"}


def test_no_pages_give_an_empty_table(tmp_path: Path) -> None:
    cleanse([], out=tmp_path / "text.parquet")
    assert pq.read_table(tmp_path / "text.parquet").num_rows == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_missing_page_is_refused_and_nothing_is_left(tmp_path: Path, threads: int) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    lost = pages / "lost.html"
    files = [*write_pages(pages, 220), ("lost", lost)]
    with pytest.raises(InputError) as error:
        cleanse(files, out=tmp_path / "text.parquet", threads=threads)
    assert str(error.value) == (
        f"{lost}: cannot read the page of document lost (No such file or directory);"
        " correct the pages' path or its permissions."
    )
    assert list(tmp_path.iterdir()) == [pages]


def test_two_pages_of_one_document_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        cleanse([("d", tmp_path / "a/d.html"), ("d", tmp_path / "b/d.html")], out=tmp_path / "t")
    assert str(error.value) == (
        f"{tmp_path}/b/d.html: the document d has a page already, {tmp_path}/a/d.html;"
        " keep one of them."
    )


def test_an_unknown_method_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no cleansing method 'naif': did you mean 'naive'"):
        cleanse([], out=tmp_path / "text.parquet", method="naif")
