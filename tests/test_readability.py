"""Readability: the counting rules one by one, and hand-computed indices."""

from math import isnan, sqrt
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import spearmanr

from pipeline.demo import planned_pages
from pipeline.demo.text import article
from pipeline.demo.topics import TOPICS
from pipeline.errors import InputError
from pipeline.readability import INDICES, by_rule, count, estimate, fog, indices, syllables


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


# Counted by hand: text, words, sentences, syllables, complex words, characters.
HAND_COUNTED = [
    # 3 + 3 words; no word of more than two syllables.
    ("The cat sat. The dog ran.", 6, 2, 6, 0, 18),
    # med-i-cine, hos-pi-tal: 2 complex of 8 words.
    ("Take the medicine. Then go to the hospital.", 8, 2, 12, 2, 34),
    # Hyphens and a number: well known drug costs 3.5 dollars = 6 words, 1 sentence.
    ("A well-known drug costs 3.5 dollars.", 7, 1, 8, 0, 28),
    # hy-per-ten-sion (4), con-di-tion (3), pa-tients (2), se-vere (2), is, a, in, some.
    ("Hypertension is a severe condition in some patients.", 8, 1, 15, 2, 44),
]


@pytest.mark.parametrize(("text", "w", "s", "syl", "cx", "ch"), HAND_COUNTED)
def test_hand_counted_texts(text: str, w: int, s: int, syl: int, cx: int, ch: int) -> None:
    assert count(text) == (w, s, syl, cx, ch)
    assert fog(count(text)) == 0.4 * (w / s + 100 * cx / w)


def test_hand_computed_indices() -> None:
    # 8 words, 2 sentences, 12 syllables, 2 complex words, 34 characters.
    found = indices(count("Take the medicine. Then go to the hospital."))
    assert found == pytest.approx(
        {
            "fog": 11.6,  # 0.4 * (4 + 25)
            "smog": 1.0430 * sqrt(30) + 3.1291,
            "flesch_kincaid": 0.39 * 4 + 11.8 * 1.5 - 15.59,
            "flesch_ease": 206.835 - 1.015 * 4 - 84.6 * 1.5,
            "coleman_liau": 0.0588 * 425 - 0.296 * 25 - 15.8,
            "ari": 4.71 * 4.25 + 0.5 * 4 - 21.43,
        }
    )
    assert found.keys() == INDICES.keys()


def write_text(path: Path, rows: list[tuple[str, str, str]]) -> None:
    columns = zip(*rows, strict=True)
    names = ("document", "text", "reason")
    pq.write_table(pa.table(dict(zip(names, columns, strict=True))), path)


def test_step_keeps_every_document(tmp_path: Path) -> None:
    write_text(
        tmp_path / "text.parquet",
        [
            ("d1", "Take the medicine. Then go to the hospital.", ""),
            ("d2", "", "binary"),
            ("d3", "... !!!", ""),
        ],
    )
    estimate(tmp_path / "text.parquet", out=tmp_path / "readability.parquet")
    table = pq.read_table(tmp_path / "readability.parquet")
    counts = ["words", "sentences", "syllables", "complex_words", "characters"]
    assert table.column_names == ["document", *counts, *INDICES, "reason"]
    rows = table.to_pylist()
    assert [rows[0][name] for name in counts] == [8, 2, 12, 2, 34]
    assert rows[0]["fog"] == pytest.approx(11.6)
    assert [row["reason"] for row in rows] == ["", "binary", "no words"]
    assert all(isnan(rows[row][index]) for row in (1, 2) for index in INDICES)


def test_step_refuses_what_is_no_text_file(tmp_path: Path) -> None:
    text = tmp_path / "text.parquet"
    text.write_text("no parquet")
    with pytest.raises(InputError, match="not a readable parquet file; run cleansing again"):
        estimate(text, out=tmp_path / "out.parquet")
    pq.write_table(pa.table({"document": ["d"], "text": ["t"]}), text)
    with pytest.raises(InputError, match="the column reason is missing; run cleansing again"):
        estimate(text, out=tmp_path / "out.parquet")
    assert not (tmp_path / "out.parquet").exists()


def test_our_fog_orders_texts_as_textstat_does() -> None:
    """textstat exempts easy words and splits sentences otherwise, so only the order compares."""
    from random import Random

    import textstat

    topics = {topic.key: topic for topic in TOPICS}
    ours, theirs = [], []
    for page in planned_pages(seed=7)[::25]:
        made = article(
            topics[page.topic],
            level=page.level,
            main=page.main,
            others=page.others,
            random=Random(page.document),
        )
        text = "\n".join(p for section in made.sections for p in section.paragraphs)
        ours.append(fog(count(text)))
        theirs.append(textstat.gunning_fog(text))
    assert len(ours) == 60
    assert spearmanr(ours, theirs).statistic > 0.95
