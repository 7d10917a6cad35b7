"""The block method in C on mutated pages, under address and undefined-behaviour sanitizers.

50,000 mutations from fixed seeds, in batches: the time is bounded and a failure comes again. Each
must end without a complaint and keep the rules the program checks (blocks in order, no more
text than markup, a finite score), and with the text that the compiled module finds.
"""

import random
from array import array
from pathlib import Path

import numpy as np
import pytest

from pipeline.pages.cleanse.scoring import hints, model, weights
from tests.pages.hostile import HOSTILE
from tests.pages.layouts import LAYOUTS
from tests.sanitizers import ask, built, with_content

pytestmark = pytest.mark.slow

SOURCE = Path(__file__).with_name("fuzz_blocks.c")
BATCHES, PAGES = 10, 5000
SEEDS = [
    *(page.encode() for page, _, _ in LAYOUTS.values()),
    *(make()[:3000] for name, (make, _) in HOSTILE.items() if "MB" not in name),
]
TOKENS = [
    b"<", b">", b"</", b"<!", b"<!--", b"-->", b"--!>", b"<!-->", b"<?", b"/>", b"=", b"'", b'"',
    b"&", b"&#", b"&#x", b"&#0;", b"&#x110000;", b"&nbsp", b"&amp;", b"&notit;", b"&hellip",
    b"\0", b"\xff", b"\xc3", b"\xe2\x80", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", "\u200b".encode(),
    "\u3000".encode(), b"<p>", b"</p>", b"<div class='related nav'>", b"</div>", b"<table>",
    b"<tr>", b"<td>", b"</td>", b"</table>", b"<ul>", b"<li>", b"</ul>", b"<a href=x>", b"</a>",
    b"<a>", b"<svg>", b"</svg>", b"<br>", b"<select>", b"<option>", b"<script>", b"</script",
    b"<plaintext>", b"<title>", b"</title>", b"<h1>", b"<dl><dt>a<dd>", b"<span hidden>",
    b"<p style='display:none'>", b"<b>", b"</b>", b"<textarea>",
    b"One word and another, ten or more of them, to end a sentence. ", b"x" * 300, b" " * 50,
    b"<x-y>", b"<div id=" + b"a" * 40 + b">", b"<div><div><div>", b"<blockquote>",
    b"<figcaption>", b"<p/ / =a=b>",
]  # fmt: skip


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(SOURCE, tmp_path_factory.mktemp("fuzz"))


def tables() -> bytes:
    """The commands that give the program the method's tables."""
    table = weights()
    against = {row.name for row in table if row.sign == "-"}
    words = [
        f"hint {number} {int(group in against)} {word}\n"
        for number, (group, listed) in enumerate(hints().items())
        for word in listed
    ]
    values = array("d", [row.weight for row in table])
    return "".join(words).encode() + f"weights {len(values)}\n".encode() + values.tobytes()


def mutated(chance: random.Random) -> bytes:
    content = bytearray(chance.choice(SEEDS))
    for _ in range(chance.choice((1, 1, 2, 3, 8, 20))):
        a, b = sorted(chance.randint(0, len(content)) for _ in range(2))
        kind = chance.randrange(6)
        if kind == 0 and content:
            content[min(a, len(content) - 1)] = chance.randrange(256)
        elif kind == 1:
            del content[a : min(b, a + 40)]
        elif kind == 2:
            content[a:a] = content[a : min(b, a + 200)] * chance.choice((1, 2, 9))
        elif kind == 3:
            other = chance.choice(SEEDS)
            content[a : min(b, a + 100)] = other[chance.randrange(len(other) + 1) :][:300]
        else:
            content[a:a] = chance.choice(TOKENS) * chance.choice((1, 1, 1, 5))
    if chance.random() < 0.2:
        del content[chance.randrange(len(content) + 1) :]  # truncated
    return bytes(content[:6000])


@pytest.mark.parametrize("batch", range(BATCHES))
def test_mutated_pages(program: Path, batch: int) -> None:
    chance = random.Random(batch)
    pages = [mutated(chance) for _ in range(PAGES)]
    asked = b"".join([tables(), *(with_content("page", page) for page in pages)])
    answers, at = ask(program, asked), 0
    compiled = model()
    assert compiled is not None
    some = 0
    for page in pages:
        blocks, words, size = np.frombuffer(answers, np.int64, 3, at).tolist()
        at += 24
        text = answers[at : at + size].decode("utf-8", "replace")
        at += size
        assert (text, words) == compiled.text(page), page
        some += words > 0 and blocks > 1
    assert at == len(answers)
    assert some > 0.3 * PAGES  # not all of them are ruins


def test_every_allocation_may_fail(program: Path) -> None:
    """A page without memory leaks nothing."""
    page = LAYOUTS["news"][0].encode() * 3 + b"<div><p>a word" * 400
    answers = ask(program, tables() + with_content("memory", page))
    assert int(np.frombuffer(answers, np.int64)[0]) > 10
