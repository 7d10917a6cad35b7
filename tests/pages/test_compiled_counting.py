"""The counter in C against the one in Python: the same counts of every text.

On the dictionary's words and their neighbours, texts of any characters, hand-marked and real ones
(tests/real), and 50,000 mutations from fixed seeds, those under address and undefined-behaviour
sanitizers too.
"""

import random
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.pages.readability import words as lists
from pipeline.pages.readability.counting import Counts, count, count_in_python, counter, extension
from pipeline.pages.readability.words import (
    add_up,
    by_rule,
    difficult,
    of_pieces,
    pronounced,
    syllables,
)
from tests.pages.layouts import LAYOUTS
from tests.sanitizers import ask, built, with_content

SOURCE = Path(__file__).with_name("fuzz_counting.c")
BATCHES, TEXTS = 10, 5000
TOKENS = [
    ". ", "...", "!?", ".\n", "\n", " ", "  ", "\t", ". ) ", '." ', "\u201d ", "Dr. ", "e.g. ",
    "i.e.", "etc. and", "et al. So", "et al. so", " p. 3", "No. 5", "no. one", "Jan. 1",
    "a.m. the", "U.S. A", "U.S.A.", "3.5", "1,500", "12.05.2015", ".5", "x.y.", "_a.b.",
    "a.b.c", "Wed.The", "nhs.uk", "don't", "'s", "\u2019s", "'", "\u2019", "_", "-", "/",
    "B12", "caf\u00e9", "na\u00efve", "\u00e9.g.", "\u00df", "\u3000", "\u2028", "\x85",
    "\x1c", "\0", "\u0661.\u0662", "\u0130", "\u4e2d\u6587", "\U0001f600", "\u00ad", "\ufb01",
    "\u2026", "\u0301", "\u00bb ", "\u2018(e.g", "x" * 45, "creatinine", "bandages",
    "diarrhoea", "zygoidal", "coordinating", "([{No", "fig\u00a02", "Fig. \u0663",
    "cf. \u00e9",
]  # fmt: skip


def plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text.replace("\u00ad", ""))


def agree(text: str) -> None:
    assert extension() is not None
    assert count(text) == count_in_python(plain(text)), text


def mutated(chance: random.Random) -> str:
    page = chance.choice(list(LAYOUTS.values()))[0]
    at = chance.randrange(len(page))
    content = list(page[at : at + chance.choice((20, 100, 400))])
    for _ in range(chance.choice((1, 3, 8, 20))):
        at = chance.randrange(len(content) + 1)
        if chance.random() < 0.2:
            del content[at : at + chance.randrange(20)]
        else:
            content.insert(at, chance.choice(TOKENS) * chance.choice((1, 1, 1, 3)))
    return "".join(content)


def test_words_of_the_dictionary_and_their_neighbours() -> None:
    """All rules of syllables and of difficult words, a line a word, so that each counts."""
    listed = [line.partition(b" ")[0].decode() for line in lists.pronunciations().split(b"\n")]
    some = random.Random(1).sample(listed, 20_000)
    ends = ("s", "es", "ed", "e", "le", "re", "ing", "ful", "ements", "nessly", "sm", "'s", "ology")
    for word in some:
        made = counter()
        assert made is not None
        for form in (word, f"qu{word[1:]}", f"{word[:-2]}{ends[len(word) % len(ends)]}"):
            if not form.isalpha():
                continue
            (_, _, said, _, _, hard), left = made.count(form)
            assert not left
            assert (said, bool(hard)) == (syllables(form), difficult(form)), form
    assert any(pronounced(f"qu{word[1:]}") is None and by_rule(word) > 3 for word in some)


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=60)
    | st.text("aeBsy1.,!?'\u2019_-/ \n\u00e9\u00b2(\u201c\u3000\x1c\u0130", max_size=60)
)
def test_any_text(text: str) -> None:
    agree(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=20))
def test_what_decides_sentences_in_any_order(tokens: list[str]) -> None:
    agree("".join(tokens))


@pytest.mark.parametrize(
    "text",
    [
        "\ud800 half a pair. Two.",
        "." * 100_000 + "x",
        "a." * 50_000,
        "e.g. " * 20_000,
        "\u00e9" * 90_000,
    ],
    ids=["surrogate", "dots", "letters", "abbreviations", "one long word"],
)
def test_odd_texts(text: str) -> None:
    small = text[:2000] if len(text) > 2000 else text  # the expressions take their time
    assert count(small) == count_in_python(small)
    assert count(text).words >= 1


def test_without_a_compiler_python_counts() -> None:
    code = (
        "import sys; sys.modules['pipeline.pages.readability._counting'] = None\n"
        "from pipeline.pages.readability.counting import count\n"
        "from pipeline.pages.readability.counting import counter\n"
        "print(counter(), *count('Dr. Lee takes 3.5 mg. Na\u00efve patients do not.'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    expected = count("Dr. Lee takes 3.5 mg. Na\u00efve patients do not.")
    assert done.stdout.split() == ["None", *map(str, expected)]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(SOURCE, tmp_path_factory.mktemp("fuzz"))


def tables() -> bytes:
    """The commands that give the program the counter's tables."""
    characters = map(chr, range(sys.maxunicode + 1))
    kinds = bytes(
        c.isspace() | c.isalnum() << 1 | c.isdigit() << 2 | c.islower() << 3 for c in characters
    )
    easy = "".join(f"{word}\n" for word in lists.easy_words()).encode()
    roles = ((3, lists.NEVER), (1, lists.BEFORE_DIGIT), (2, lists.BEFORE_LOWER))
    return b"".join(
        [
            with_content("kinds", kinds),
            with_content("dictionary", lists.pronunciations()),
            with_content("easy", easy),
            *(f"ending {ending} {instead or '-'}\n".encode() for ending, instead in lists.ENDINGS),
            *(f"abbreviation {role} {n}\n".encode() for role, names in roles for n in names),
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_mutated_texts_under_sanitizers(program: Path, batch: int) -> None:
    chance = random.Random(batch)
    texts = [plain(mutated(chance)) for _ in range(TEXTS)]
    asked = b"".join([tables(), *(with_content("text", text.encode()) for text in texts)])
    answers, at, handed = ask(program, asked), 0, 0
    for text in texts:
        *found, pieces = np.frombuffer(answers, np.int64, 7, at).tolist()
        at += 56
        left = []
        for _ in range(pieces):
            size = int(np.frombuffer(answers, np.int64, 1, at)[0])
            left.append(answers[at + 8 : at + 8 + size].decode())
            at += 8 + size
        total = Counts(*add_up([found, of_pieces(left)]))
        assert total == count_in_python(text), text
        handed += bool(left)
    assert at == len(answers)
    assert 0.1 * TEXTS < handed < 0.9 * TEXTS  # both ways were taken


def test_bad_tables_are_refused() -> None:
    module = extension()
    assert module is not None
    good = {
        "dictionary": b"a AH0\n",
        "easy": b"a\n",
        "endings": [("s", "")],
        "never": ["Dr"],
        "before_digit": ["no"],
        "before_lower": ["etc"],
        "most": 127,
    }
    assert module.Counter(**good).count("A Dr. no. 1 etc.")[0][1] == 1
    for wrong in (
        {"endings": [("muchtoolong", "")]},
        {"endings": [("", "x")]},
        {"never": ["muchtoolong"]},
        {"never": [""]},
        {"never": ["x"] * 200},
        {"most": 0},
        {"most": 999},
    ):
        with pytest.raises(ValueError, match=r"cannot be|syllables"):
            module.Counter(**{**good, **wrong})
