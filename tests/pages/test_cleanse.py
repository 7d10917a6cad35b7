"""Cleansing: what is read stays, boilerplate goes, and every page gets an answer."""

from math import isnan
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.pages.cleanse import METHODS, clean, decode
from pipeline.pages.cleanse.methods.main import without_menus
from pipeline.pages.readability.counting import Counts
from pipeline.pages.readability.index import INDICES
from pipeline.pages.step import Task, cleanse


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
        ("<nav>menu</nav><p>a</p><footer>foot</footer>", "menu\na\nfoot"),  # it is naive
        ("<dl><dt>term<dd>meaning</dl>", "term\nmeaning"),
        ('<?xml version="1.0" encoding="utf-8"?><html><body><p>a</p></body></html>', "a"),
        ("no markup at all", "no markup at all"),
        ("<p>unclosed <b>tags", "unclosed tags"),
        ("<p>zero\u200bwidth", "zerowidth"),
    ],
)
def test_naive_takes_all_that_is_visible(html: str, text: str) -> None:
    assert clean(html.encode(), method="naive") == (text, "")


PROSE = "<p>Asthma is a common illness of the lungs. It makes breathing hard.</p>"


@pytest.mark.parametrize("method", ["main", "article"])
@pytest.mark.parametrize(
    "furniture",
    [
        "<nav><ul><li><a href=/>Home</a><li><a href=/a>About us</a></ul></nav>",
        "<footer><p>Copyright of the hospital</p></footer>",
        "<script>var x = 'Do not read me.';</script>",
        "<style>p { color: red }</style>",
        "<form><input name=q><button>Search</button></form>",
    ],
)
def test_furniture_goes(method: str, furniture: str) -> None:
    page = f"<html><body>{furniture}<main><article>{PROSE * 4}</article></main></body></html>"
    text, reason = clean(page.encode(), method=method)
    assert reason == ""
    assert set(text.split("\n")) == {PROSE[3:-4]}


@pytest.mark.parametrize("method", METHODS)
def test_a_block_end_is_a_sentence_end_or_not(method: str) -> None:
    page = f"<html><body><article><h1>Asthma</h1>{PROSE * 3}</article></body></html>".encode()
    ended, _ = clean(page, method=method)
    running, _ = clean(page, method=method, sentence_ends=False)
    assert "\n" in ended
    assert running == ended.replace("\n", " ")


LONG = "A block of a dozen words or more is prose even without its stop"


@pytest.mark.parametrize(
    ("blocks", "kept"),
    [
        (["Home", "About", "It hurts.", "Contact", "Imprint"], ["It hurts."]),
        (["It hurts.", "Causes", "Many are known."], ["It hurts.", "Causes", "Many are known."]),
        (["It hurts.", "Share", "Print", "Many are known."], ["It hurts.", "Many are known."]),
        (["Signs are:", "cough", "fever", "See a doctor."],) * 2,  # a list after a colon
        (["Signs are:", "cough", "fever"],) * 2,
        ([LONG, LONG],) * 2,
        (['He said "stop."', "Why?", "Wait…"],) * 2,
        (["Home", "About"], []),
        ([], []),
    ],
)
def test_menu_like_blocks(blocks: list[str], kept: list[str]) -> None:
    assert without_menus(blocks) == kept


def test_main_falls_back_rather_than_lose_the_page() -> None:
    only_lists = "<body><ul>" + "<li>some symptom" * 5 + "</ul>"
    assert clean(only_lists.encode()) == ("\n".join(["some symptom"] * 5), "")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"%PDF-1.4 ...", "binary"),
        (b"\n %PDF-1.4 ...", "binary"),
        (b"\x1f\x8b\x08\x00", "binary"),
        (b"<p>a\x00b</p>", "binary"),
        (b"<html><body></body></html>", "no text"),
        (b"<script>only()</script>", "no text"),
        (b"<img src=a><br><hr>", "no text"),
        (b"\xef\xbb\xbf", "no text"),
    ],
)
def test_a_page_without_text_gets_a_reason(method: str, page: bytes, reason: str) -> None:
    assert clean(page, method=method) == ("", reason)


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
        (b'<meta charset="iso-8859-1">caf\xe9 \x93so\x94', "café “so”"),  # as browsers read it
        (b'<meta charset="utf-16">caf\xe9', "café"),  # it cannot be, if we can read this
        (b'<meta charset="punycode">caf\xe9', "café"),
        (b'<meta charset="hex">caf\xe9', "café"),
        (b'<meta charset="no-such-thing">caf\xe9', "café"),
        (b"caf\xe9 \x93quoted\x94", "café “quoted”"),
        (b"caf\xe9 \x81", "café \ufffd"),
    ],
)
def test_decoding(page: bytes, text: str) -> None:
    assert decode(page).endswith(text)


MARKUP = st.lists(
    st.sampled_from(
        ["<p>", "</p>", "<div>", "</div>", "<table>", "<td>", "<a href=x>", "</a>", "<!--", "-->",
         "<script>", "</script>", "<ul><li>", "<b>", "<?xml encoding='x'?>", "<![CDATA[", "]]>",
         "<svg>", "<select>", "<", ">", "&#0;", "&#xD800;", "&amp;", "\ufffe", "word. ", "Two\n"]
    )
    | st.text(max_size=8),
    max_size=40,
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=120, deadline=None)
@given(pieces=MARKUP, encoding=st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_any_markup_gives_text_or_a_reason(method: str, pieces: list[str], encoding: str) -> None:
    text, reason = clean("".join(pieces).encode(encoding, errors="replace"), method=method)
    assert bool(text) != bool(reason)
    assert "\r" not in text
    text.encode("utf-8", errors="replace")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_a_reason(page: bytes) -> None:
    text, reason = clean(page)
    assert bool(text) != bool(reason)


def pages(number: int) -> list[tuple[str, bytes]]:
    return [
        (f"doc-{n:04d}", b"" if n % 10 == 3 else f"<h1>Page {n}</h1><p>Text.</p>".encode())
        for n in range(number)
    ]


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("keep_text", [True, False])
def test_step_writes_every_page_in_order(tmp_path: Path, threads: int, keep_text: bool) -> None:
    given, out = pages(250), tmp_path / "new" / "0.parquet"
    cleanse(given, out=out, task=Task(keep_text=keep_text), threads=threads)
    table = pq.read_table(out)
    names = ["document", *Counts._fields, *INDICES, "reason", "text"]
    assert table.column_names == names[: None if keep_text else -1]
    rows = table.to_pylist()
    assert [row["document"] for row in rows] == [document for document, _ in given]
    assert (rows[0]["words"], rows[0]["reason"], rows[0].get("text", "Text.")) == (1, "", "Text.")
    assert (rows[13]["words"], rows[13]["reason"], rows[13].get("text", "")) == (0, "empty", "")
    assert isnan(rows[13]["fog"])


def test_no_pages_give_an_empty_table(tmp_path: Path) -> None:
    cleanse([], out=tmp_path / "0.parquet", task=Task())
    assert pq.read_table(tmp_path / "0.parquet").num_rows == 0
