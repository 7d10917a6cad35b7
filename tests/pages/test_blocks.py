"""The block method: what the pass over the markup finds, what is kept of many designs, tables."""

import html
import html.entities
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.pages.cleanse import clean, scoring
from pipeline.pages.cleanse.method import lines
from pipeline.pages.cleanse.methods import blocks as method
from tests.pages.layouts import LAYOUTS

pytestmark = pytest.mark.skipif(scoring.extension() is None, reason="it is not compiled")


def described(page: str) -> list[tuple[str, int, int]]:
    made = scoring.model()
    assert made is not None
    return [(b["text"], b["words"], b["linked"]) for b in made.describe(page.encode())]


def texts(page: str) -> list[str]:
    return [text for text, _, _ in described(page)]


@pytest.mark.parametrize(
    ("page", "blocks"),
    [
        ("<p>One.</p><p>Two.</p>", ["One.", "Two."]),
        ("<p>One<p>Two<div>Three", ["One", "Two", "Three"]),
        ("one<br>two<br/>three</br>four", ["one", "two", "three", "four"]),
        ("<p>wheez<b>ing</b> and\n <i>cough</i>", ["wheezing and cough"]),
        ("<ul><li>a<li>b<ul><li>c</ul>d</ul>", ["a", "b", "c", "d"]),
        ("<table><tr><td>a<td>b<tr><td>c</table>d", ["a", "b", "c", "d"]),
        ("<dl><dt>a<dd>b<dt>c</dl>", ["a", "b", "c"]),
        ("a<script>if (a<b) '<p>no'</script>b<style>p{}</style>c", ["a b c"]),
        ("<title>no</title><textarea>no</textarea>a", ["a"]),
        ("a<!-- no --><!doctype no><?no no?></ no>b", ["ab"]),
        ("<!-->a<!--->b<!-- no --!>c", ["abc"]),
        ("<select><option>no<option>no</select>a", ["a"]),
        ("<svg><text>no</text></svg>a<svg>no<p>b", ["a", "b"]),
        ("<button>no</button><video>no</video><template><p>no</template>a", ["a"]),
        ("a < b <3 &lt;p&gt;", ["a < b <3 <p>"]),
        ("<p title='a > b' data-x=\"<p>\" class=x>c", ["c"]),
        ("<plaintext>a <p> b", ["a <p> b"]),
        ("<p>zero\u200bwidth\ufeff soft\u00adhyphen", ["zerowidth soft\u00adhyphen"]),
        ("<p>a&nbsp;b\u3000c\u2009d", ["a b c d"]),
        ("<p>•</p><p>---</p><p>a</p>", ["a"]),  # no word in it, no block
        ("<P CLASS=A>a</P><DIV>b</DIV>", ["a", "b"]),
        ("<x-y>a</x-y> b", ["a b"]),
        ("<p", []),
        ("", []),
    ],
)
def test_blocks(page: str, blocks: list[str]) -> None:
    assert texts(page) == blocks


@pytest.mark.parametrize(
    ("page", "words", "linked"),
    [
        ("<p>Two words", 2, 0),
        ("<p>one <a href=x>two three</a> four", 4, 2),
        ("<p><a name=x>no link</a>", 2, 0),  # an anchor leads nowhere
        ("<p><a name=x>one<p>two <a href=x>three</a>", 1, 0),
        ("<li><a href=x><div>a card</div></a>", 2, 2),
        ("<p>it's 3.5 mg \u2013 daily", 4, 0),  # a dash is no word
        ("<p>naïve Ärzte здесь", 3, 0),
    ],
)
def test_words_and_links(page: str, words: int, linked: int) -> None:
    assert described(page)[0][1:] == (words, linked)


def test_character_references_are_pythons() -> None:
    for name, code in html.entities.name2codepoint.items():
        if not chr(code).isspace() and name not in {"shy", "zwnj", "zwj", "lrm", "rlm"}:
            assert texts(f"<p>a&{name};b") == [html.unescape(f"a&{name};b")], name
    for legacy in (
        "&copy 2001",
        "&eacutet&eacute",
        "&amp;lt;",
        "&notit;",
        "&ampa",
        "&nosuch;",
        "& a",
    ):
        assert texts(f"<p>a{legacy}") == [html.unescape(f"a{legacy}")], legacy
    for number in (*range(33, 127), *range(0x80, 0xA0), 0x201D, 0xD800, 0x110000, 0x1F600, 10**12):
        expected = html.unescape(f"a&#{number};b")
        assert texts(f"<p>a&#{number};b") == [" ".join(expected.split())], number
        assert texts(f"<p>a&#x{number:x};b") == [" ".join(expected.split())], number


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=60))
def test_a_plain_text_is_its_lines(text: str) -> None:
    """As the other methods make white space single; what has no word in it is left out."""
    bare = "".join(c for c in text if c not in "<&" and (c >= " " or c.isspace()))
    bare = bare.replace("\n", " ")
    found = texts(bare)
    assert found == lines(bare) or not (found or any(c.isascii() and c.isalnum() for c in bare))


@pytest.mark.parametrize("name", LAYOUTS)
def test_designs(name: str) -> None:
    page, stays, goes = LAYOUTS[name]
    text, reason = clean(page.encode(), method="blocks")
    assert reason == ""
    flat = text.replace("\n", " ")
    assert [part for part in stays if part not in flat] == []
    assert [part for part in goes if part in flat] == []


def test_little_text_is_left_to_main() -> None:
    page = b"<nav><a href=/>Home</a></nav><p>Asthma is common. It makes breathing hard.</p>"
    assert clean(page, method="blocks") == clean(page, method="main")
    assert clean(page, method="blocks")[0] == "Asthma is common. It makes breathing hard."


def test_encodings_make_no_difference() -> None:
    page = LAYOUTS["news"][0].replace("breath taken", "caf\u00e9\u2019s taken")
    expected = clean(page.encode(), method="blocks")
    assert "caf\u00e9\u2019s" in expected[0]
    for encoding in ("utf-8-sig", "utf-16", "cp1252"):
        assert clean(page.encode(encoding), method="blocks") == expected, encoding


def seconds(page: bytes) -> float:
    made = scoring.model()
    assert made is not None
    begin = time.process_time()
    made.text(page)
    return time.process_time() - begin


@pytest.mark.parametrize(
    "piece",
    [
        b"<div>", b"<b>", b"</div>", b"<p>a b ", b"<a href=x>a</a> ", b"<", b"&", b"<!--",
        b"<ul><li>", b"<table><tr><td>a", b"<svg>", b"<select><p>a", b"<div class='a nav'><span>b",
        b"<p a=b c=d ", b"a-b ", b"<dl><dt>a<dd>", b"<script></", b"<h2>a</h2>", b"<a href=x>",
        b"<div id=x><p>a. ",
    ],
)  # fmt: skip
def test_time_is_linear(piece: bytes) -> None:
    small, large = (
        min(seconds(piece * (size // len(piece))) for _ in range(4))
        for size in (200_000, 1_600_000)
    )
    assert large < 32 * small  # 8 times the page; a quadratic pass would take 64 times as long


def test_the_table_has_a_sign_for_every_weight() -> None:
    for row in scoring.weights():
        assert row.sign in {"+", "-", "any"}
        assert {"+": row.weight >= 0, "-": row.weight <= 0, "any": True}[row.sign], row
        assert round(row.weight, 1) == row.weight
    assert [row.name for row in scoring.weights() if row.sign == "any"] == ["always"]


def test_other_weights_than_features_are_refused() -> None:
    with pytest.raises(RuntimeError, match="one row per feature"):
        scoring.build_scorer(scoring.weights()[1:])


@pytest.mark.parametrize(
    ("groups", "weights", "sentence"),
    [
        ([(True, ["a" * 17])], 1, "cannot be a hint"),
        ([(True, [""])], 1, "cannot be a hint"),
        ([(True, ["a"])] * 25, 25, "25 groups of hints; there may be 24"),
        ([], -1, "weights of"),
    ],
)
def test_tables_that_do_not_fit(groups: list[object], weights: int, sentence: str) -> None:
    module = scoring.extension()
    assert module is not None
    with pytest.raises(ValueError, match=sentence):
        module.Blocks(groups, bytes(8 * (len(module.FEATURES) + weights)))


def test_without_the_compiled_part_main_does_it_and_that_is_said(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pipeline.pages.cleanse._blocks'] = None\n"
        "from pathlib import Path\n"
        "from pipeline.pages.cleanse import clean\n"
        "from pipeline.pages.step import Task, cleanse\n"
        f"page = {LAYOUTS['news'][0].encode()!r}\n"
        "assert clean(page) == clean(page, method='main')\n"
        f"cleanse([], out=Path({str(tmp_path / 'a.parquet')!r}), task=Task())\n"
        f"cleanse([], out=Path({str(tmp_path / 'b.parquet')!r}), task=Task())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    (line,) = done.stderr.splitlines()  # once
    assert "block method is not compiled" in line
    assert "method main" in line
    assert "install a C compiler" in line


def test_few_words_are_fifty() -> None:
    assert method.FEW == 50
